"""Mailboxes of address headers (RFC 5322 section 3.4).

mail-parser's address reader is used: it judges the structure before it decodes names, never takes
an address out of a name or a comment, and says what was ambiguous. Two things are put around it:
the everyday forms are read here at once, because they are nine in ten; and the standard library's
reader, which it calls for names and which is quadratic (25 s for 50,000 dots), sees short items
only.
"""

from email.errors import MessageError
from email.utils import getaddresses
from functools import lru_cache
from html import unescape

from mailparser.addresses import parse_address_header

from data.records.core.parsed_mail import Address
from tasks.core.parse import limits as limits
from tasks.core.parse.words import decode_header, plain_text
from tasks.core.patterns import compiled
from tasks.core.words.cleaning import clean_line

STRICT_LENGTH = 1_000
"""Characters of one list item up to which the standard library is asked too."""

_ATOM = r"[A-Za-z0-9!#$%&*+/=?^_`{|}~-]+"
_ADDRESS = rf"({_ATOM}(?:\.{_ATOM})*)@([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)"
_EVERYDAY = compiled(
    rf"""\s*(?:(?:"([^"\\<>@,:;()=\[\]]*)"|([A-Za-z0-9 '_-]*))\s*<{_ADDRESS}>|{_ADDRESS})\s*"""
)
_ANYWHERE = compiled(
    r"(?:\bmailto:)?([\pL\pN!#$%&'*+/=?^_`{|}~.-]+)@([\pL\pN_-]+(?:\.[\pL\pN_-]+)*)\.?"
    r"(?:\?[\pL]+=[^\s<>\"]*)?"
)
"""An address wherever it stands, as links write it too."""
_SCHEME = r"(?i:smtp|mailto|rfc822|internet)\s*:\s*"
_SCHEMED = compiled(
    rf"[<\[]\s*{_SCHEME}([^\s<>\[\](),;:\"]+@[^\s<>\[\](),;:\"?]+)(?:\?[^\s<>\"]*)?\s*[>\]]"
)
"""An address in brackets behind the name of its kind, as `<SMTP:a@b>` and `[mailto:a@b]`."""
_SCHEMED_BARE = compiled(rf"((?:^|,)\s*){_SCHEME}")
"""The same without brackets."""
_AT = compiled(r"[^\s<>(),;:\"]@|@[^\s<>(),;:\"]")
"""An `@` that is part of a word."""
_WIDE = str.maketrans("＜＞＠．", "<>@.")
"""Brackets and signs as East Asian keyboards write them."""
_ENTITY = compiled(r"&(?:amp|nbsp|apos|#39|#160);")
_ANGLES = compiled(r"&(?:lt|gt|amp|nbsp|apos|#39|#160);")
"""Signs as HTML writes them, which forms put into headers; brackets where there are no others."""
_WRITERS = frozenset({"from", "sender", "reply-to"})
_QUOTE = "'"
_GOES_ON = frozenset(".@-")
"""Signs behind an address of which it is only the beginning: `a@b.example..c.example`."""
_AROUND = frozenset('<>()[]"\t')


def read_addresses(
    octets: bytes, header: str, defects: list[str], charset: str = ""
) -> tuple[list[Address], bool]:
    """Return the mailboxes of one header, and whether every item was clear.

    Raises:
        UnreadableMailError: there are more addresses than `parse_limits.ADDRESSES`.
    """
    if octets.count(b"@") > limits.ADDRESSES:
        raise limits.refuse("addresses", limits.ADDRESSES)
    everyday = _everyday(octets)
    if everyday is not None:
        return _without_repeats(list(everyday), header, defects), True
    text = plain_text(octets, header, defects, charset).replace("\x00", "\ufffd")
    text = _plainly_written(text, header, defects)
    try:
        parsed, diagnostics = parse_address_header(text, _strict)
    except (MessageError, ValueError, IndexError, TypeError, LookupError) as error:
        defects.append(f"unreadable address in header {header} ({type(error).__name__})")
        parsed, diagnostics = [], [{"reason": "unreadable", "recovered": False}]
    defects.extend(
        f"address in header {header}: {diagnostic['reason']}" for diagnostic in diagnostics
    )
    clear = all(diagnostic["recovered"] for diagnostic in diagnostics)
    if not clear or any(email.startswith("'") for _, email in parsed):
        only = _only_address(text, header, defects)
        if only is not None:
            defects.append(f"address in header {header} is written oddly")
            return [only], True
    pairs = ((_shown(name, header, defects), email) for name, email in parsed)
    addresses = [address for name, email in pairs if (address := _address(name, email))]
    return _without_repeats(addresses, header, defects), clear


def _without_repeats(addresses: list[Address], header: str, defects: list[str]) -> list[Address]:
    """Return one mailbox where a writer's header names the same one again, and no other."""
    emails = {address.email.casefold() for address in addresses}
    if header not in _WRITERS or len(addresses) < 2 or len(emails) > 1:
        return addresses
    defects.append(f"address in header {header} is written oddly")
    return [next((address for address in addresses if address.name), addresses[0])]


def _plainly_written(text: str, header: str, defects: list[str]) -> str:
    """Return a list of addresses as RFC 5322 writes it, and note it where it was not.

    Exchange wrote `<SMTP:a@b>`, Outlook writes `[mailto:a@b]` and parts addresses by semicolons;
    forms write `&lt;a@b&gt;`, and some keyboards a wide `＠`.
    """
    plain = text
    if '"' not in text:
        entity = _ANGLES if "<" not in text else _ENTITY
        plain = str(entity.sub(lambda match: unescape(match.group()), text)).replace("\xa0", " ")
    if "<" not in text or "@" not in text:
        plain = plain.translate(_WIDE)
    plain = str(_SCHEMED.sub(lambda match: f"<{match.group(1)}>", plain))
    plain = str(_SCHEMED_BARE.sub(lambda match: match.group(1), plain))
    if ";" in plain and ":" not in plain and '"' not in plain:
        plain = plain.replace(";", ",").strip(" ,")
    if plain != text:
        defects.append(f"address in header {header} is written oddly")
    return plain


def _only_address(text: str, header: str, defects: list[str]) -> Address | None:
    """Return the mailbox of a value in which exactly one address stands, however it is written.

    An unquoted comma in a name, a quotation mark or a bracket that is not closed, `mailto:` before
    the address leave no doubt which address it is. A second one does, and so does any other `@`
    within a word: then there is none.
    """
    for shown in (text, _shown(text, header, [])):
        if len(shown) > STRICT_LENGTH:
            return None
        matches = list(_ANYWHERE.finditer(shown))
        if any(shown[match.end() : match.end() + 1] in _GOES_ON for match in matches):
            return None
        groups_read = [match.groups() for match in matches]
        emails = {f"{local.lstrip(_QUOTE)}@{domain.lower()}" for local, domain in groups_read}
        if len(groups_read) != len(_AT.findall(shown)) or len(emails) > 1:
            return None
        if emails:
            name = _shown(_ANYWHERE.sub(" ", shown).replace("\\", ""), header, defects)
            name = " ".join(
                "".join(" " if letter in _AROUND else letter for letter in name).split()
            )
            return Address(name=name.strip(" ,;:'"), email=emails.pop())
    return None


@lru_cache(maxsize=2048)
def _everyday(octets: bytes) -> tuple[Address, ...] | None:
    """Return the mailboxes when every item has a plain form, else None.

    Remembered, because the same few people write to the same few addresses.
    """
    if not octets.isascii() or b"=?" in octets:
        return None
    addresses: list[Address] = []
    for item in octets.decode("ascii").split(","):
        match = _EVERYDAY.fullmatch(item)
        if match is None:
            return None
        quoted, words, local, domain, bare_local, bare_domain = match.groups()
        email = f"{local or bare_local}@{(domain or bare_domain).lower()}"
        name = clean_line(quoted or words or "")
        addresses.append(Address(name=_own_name(name, email), email=email))
    return tuple(addresses)


def _shown(name: str, header: str, defects: list[str]) -> str:
    """Return a display name with its encoded words decoded, those within quotes too.

    mail-parser could decode names as well, but raises on broken base64 and leaves alone what is
    cut inside a letter, quoted, or in an unknown charset. Which mailbox it is has been decided
    before, so nothing in the name can change it.
    """
    octets = name.encode("utf-8", "replace")
    return (
        decode_header(octets, header, defects) if b"=?" in octets else clean_line(octets.decode())
    )


def _strict(sources: list[str]) -> list[tuple[str, str]]:
    """Ask the standard library, for short items only; an empty answer counts as not confirmed."""
    if any(len(source) > STRICT_LENGTH for source in sources):
        return []
    return getaddresses(sources)


def _address(name: str, email: str) -> Address | None:
    """Return the record, or None when nothing of the addr-spec is left."""
    local, at, domain = clean_line(email.encode("utf-8", "replace").decode()).rpartition("@")
    if not at or not local or not domain:
        return None
    return Address(name=_own_name(name, email), email=f"{local}@{domain.lower()}")


def _own_name(name: str, email: str) -> str:
    """Return a name without the apostrophes that Outlook puts around it; no address is its name."""
    if len(name) > 2 and name[0] == name[-1] == _QUOTE:
        name = name[1:-1].strip()
    return "" if name.casefold() == email.casefold() else name
