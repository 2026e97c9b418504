"""The identity that From claims, if there is exactly one way to read it.

The attacks of "Composition Kills" (Chen, Paxson, Jiang; USENIX Security 2020) work because the
program that authenticates and the one that shows the sender read From differently. So only the
forms that everybody reads alike have an identity here; all others are for a person to judge.
"""

from dataclasses import dataclass

from data.records.core.parsed_mail import ParsedMail
from data.records.core.screening import AuthResult
from tasks.core.authenticate.organizational_domain import organizational_domain
from tasks.core.parse.header_fields import Field, fields_named
from tasks.core.patterns import compiled

LONGEST = 998
"""Octets of a From field that is looked at (RFC 5322 section 2.1.1, one line)."""

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = rf"({_ATOM}(?:\.{_ATOM})*)@({_LABEL}(?:\.{_LABEL})+)"
_WORD = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+"
_QUOTED = r'"[ !#-\[\]-~\t]*"'
_FORM = compiled(rf"[ \t]*(?:{_ADDRESS}|(?:(?:{_WORD}|{_QUOTED})[ \t]*)*<{_ADDRESS}>)[ \t]*")
_HOST = compiled(rf"{_LABEL}(?:\.{_LABEL})+")
_UNSEEN = compiled(r"[\pC\x{2028}\x{2029}]")


@dataclass(frozen=True, slots=True)
class Identity:
    """The domain that From claims, or why it claims none."""

    domain: str = ""
    """Lower case ASCII; empty when there is a problem."""
    organization: str = ""
    """The organizational domain of `domain`."""
    problem: str = ""
    """Why there is no identity, a sentence's beginning."""
    result: AuthResult = AuthResult.NOT_ESTABLISHED
    """What DMARC says when there is a problem."""


def sender_identity(mail: ParsedMail, fields: tuple[Field, ...] | None = None) -> Identity:
    """Return the identity of From.

    Args:
        mail: the message as read.
        fields: its header as it came; without it only the reading is judged.

    """
    if mail.sender is None or len(mail.senders) > 1 or len(mail.header_values("from")) > 1:
        several = len(mail.senders) > 1
        count = len(mail.senders) if several else "no clear"
        return Identity(
            problem=f"From has {count} addresses: there is no domain to align with",
            # RFC 7489 section 6.6.1 lets a receiver refuse these outright.
            result=AuthResult.FAIL if several else AuthResult.NOT_ESTABLISHED,
        )
    domain = mail.sender.email.rpartition("@")[2].lower()
    if not is_host(domain):
        return Identity(problem=f"From's domain {domain[:80]!r} is not a host name in ASCII")
    if fields is not None:
        problem = _oddity(mail, fields)
        if problem:
            return Identity(problem=problem)
    return Identity(domain=domain, organization=organizational_domain(domain))


def is_host(domain: str) -> bool:
    """Whether this is a host name of two labels or more (RFC 5321 section 2.3.5)."""
    return len(domain) <= 253 and _HOST.fullmatch(domain) is not None


def _oddity(mail: ParsedMail, fields: tuple[Field, ...]) -> str:
    """Return why the From field may be read in two ways, or an empty string."""
    if any(not field.name for field in fields):
        return "the header holds a line that is no field"
    from_headers = fields_named(fields, "from")
    if len(from_headers) != 1 or not from_headers[0].plain:
        return f"there are {len(from_headers)} From fields, or one with a space before its colon"
    value = from_headers[0].value
    if len(value) > LONGEST:
        return f"From is longer than {LONGEST} octets"
    if not value.isascii() or b"\0" in value:
        return "From holds octets outside ASCII, or NUL"
    first, *folded = value.split(b"\r\n")
    if folded and (not first.strip() or b"<" in first):
        return "From is folded before or within its address"
    found_form = _FORM.fullmatch(b"".join((first, *folded)).decode("ascii"))
    if found_form is None:
        return "From is not one plain address with a plain name"
    local, domain, named_local, named_domain = found_form.groups()
    address = f"{local or named_local}@{(domain or named_domain).lower()}"
    if address.startswith("=?") or mail.sender is None or address != mail.sender.email:
        return "From's address is read in two ways"
    return _name_oddity(mail.sender.name, address)


def _name_oddity(name: str, address: str) -> str:
    """Return what is wrong with the name that is shown beside the address."""
    if _UNSEEN.search(name):
        return "From's name holds characters that are not seen"
    if "@" in name and name.strip(" '\"<>").lower() != address.lower():
        return "From's name shows another address"
    return ""
