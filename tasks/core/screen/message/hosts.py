"""Domains and links: what they are called, and what they look like."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network
from urllib.parse import unquote, urlsplit

from data.host_names import readable_domain
from data.lexicons.screen import read
from data.records.core.parsed_mail import ParsedMail
from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import fold, keep_visible, skeleton

_REST = r"[^\s<>\"'\x{201D}\x{00BB}\])]"
_URL = compiled(rf"(?i)\b(?:https?|ftp)://(?:\[[0-9a-f:.]{{2,45}}\]{_REST}*|{_REST}+)")
"""An address in the text; brackets belong to it only around a number of IPv6."""
_HOST = compiled(r"(?i)^(?:https?://)?(?:www\.)?([\pL\d][\pL\d.\-]*\.\pL+)(?:[/:?#].*)?$")
_AROUND = " \t\n.,;:!?()<>[]{}\"'»«›‹→←“”„"
_LONGEST_LABEL = 63
_LONGEST_HOST = 201
_LONGEST_ENDING = 24
_IP = compiled(
    r"^(?:\[[0-9A-Fa-f:.]+\]|(?:(?:0[xX][0-9A-Fa-f]*|\d+)\.){0,3}(?:0[xX][0-9A-Fa-f]*|\d+)\.?)$"
)
_IN_WORDS = compiled(r"(?i)(?:https?://|\bwww\.)([\pL\d][\pL\d.\-]*\.\pL{2,24})\b")
_SLASHES = compiled(r"(?i)^(https?|ftp):[/\\]*")
_INSIDE = compiled(r"(?i)https?(?::|%3A|-3A)(?:/|%2F|_){2}([\pL\d][\pL\d.\-][\pL\d.\-]+)")
_DOTS = str.maketrans("。．․｡", "....")
_FILES = frozenset({
    "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "csv", "txt", "rtf", "zip",
    "png", "jpg", "jpeg", "gif", "svg", "webp", "tif", "tiff", "mp3", "mp4", "mov", "wav", "ics",
    "vcf", "xml", "json", "html", "htm", "eml", "msg", "js", "ts", "py", "md", "sh", "java", "css",
    "log", "yaml", "yml", "toml", "sql", "dwg", "epub", "pages", "key", "numbers",
})  # fmt: skip
"""Endings by which a text without scheme or path is the name of a file."""
_COMMON_SCHEMES = frozenset({"http", "https"})
_CUT_DOTS = str.maketrans("", "", ".-")
"""Without these the host of a common link is letters and digits; any other goes to `urlsplit`."""
_IP_BEGINS = frozenset("0123456789[")
_MOST_LINKS = 300
_LOCAL = tuple(
    map(
        ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16"),
            *("::1/128", "fc00::/7", "fe80::/10"),
        ),
    )
)
"""Networks of a house (RFC 1918, 4193), of the computer itself, and of one cable (3927, 4291)."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads."""

    text: str
    href: str
    host: str
    """Lower case, without port; empty when there is none."""
    scheme: str
    userinfo: bool
    """Whether something stands before an `@` in the authority."""
    onward: str = ""
    """The host of an address that stands inside this one: where a counter or a guard leads."""


def list_targets(mail: ParsedMail) -> tuple[Target, ...]:
    """Return the links of the HTML part and the addresses in the text, at most 300 of each."""
    targets_read = [target(link.text, link.href) for link in mail.links[:_MOST_LINKS]]
    hrefs = {read_target.href for read_target in targets_read}
    if "://" in mail.text:
        for _, match in zip(range(_MOST_LINKS), _URL.finditer(mail.text), strict=False):
            href = match.group().rstrip(".,;:!?")
            if href not in hrefs:
                hrefs.add(href)
                targets_read.append(target("", href))
    return tuple(targets_read)


def target(text: str, href: str) -> Target:
    """Take a link apart; an unreadable one has no host."""
    scheme, _, rest = href.partition("://")
    place = rest.partition("/")[0]
    plain = place.isascii() and place.translate(_CUT_DOTS).isalnum()
    if scheme in _COMMON_SCHEMES and plain and "http" not in rest:
        return Target(text, href, place.lower().rstrip("."), scheme, userinfo=False)
    address = "".join(href.split("\n")).strip()
    if address[:2] == "\\\\":
        return Target(text, href, "", "file", userinfo=False)
    if match := _SLASHES.match(address):
        address = f"{match.group(1)}://{address[match.end() :]}".replace("\\", "/", 3)
    try:
        parts = urlsplit(address)
        host = unquote(parts.hostname or "").lower().rstrip(".")
    except ValueError:
        return Target(text, href, "", "", userinfo=False)
    place = unquote(parts.netloc)
    inside = _INSIDE.search(address, 8)
    return Target(
        text,
        href,
        host.rpartition("@")[2],
        parts.scheme.lower(),
        userinfo="@" in place,
        onward=inside.group(1)[:_LONGEST_HOST].lower().rstrip(".-") if inside else "",
    )


def shown_host(text: str) -> str:
    """Return the host that a link's text shows, or an empty string when it shows none."""
    if not text.isascii():
        text = keep_visible(text).translate(_DOTS)
    if "." not in text:
        return ""
    text = text.strip(_AROUND)[:2100]
    match = _HOST.search(text)
    if match is None:
        match = _IN_WORDS.search(text)
    elif match.group(1) == text and _is_file(text):
        return ""
    if match is None:
        return ""
    labels = match.group(1).lower().removeprefix("www.").split(".")
    proper = all(
        0 < len(label) <= _LONGEST_LABEL and not label.startswith("-") and not label.endswith("-")
        for label in labels
    )
    return ".".join(labels) if proper and 2 <= len(labels[-1]) <= _LONGEST_ENDING else ""


def _is_file(text: str) -> bool:
    """Whether a name with a dot is a file's, or words without a space between them."""
    ending = text.rpartition(".")[2]
    return ending.lower() in _FILES or ending.istitle()


def mixes_alphabets(host: str) -> bool:
    """Whether a label has letters of the Latin alphabet beside such as look like them."""
    if host.isascii() and "xn--" not in host:
        return False
    for label in host.split("."):
        if label.startswith("xn--"):
            try:
                label = readable_domain(label)
            except UnicodeError:
                return True
        latin = any(letter.isascii() and letter.isalpha() for letter in label)
        if latin and any("\u0370" <= letter <= "\u058f" for letter in label):
            return True
    return False


def is_ip(host: str) -> bool:
    """Whether the host is a number, in any of its spellings."""
    return ":" in host or (host[:1] in _IP_BEGINS and _IP.search(host) is not None)


def is_local(host: str) -> bool:
    """Whether the host is a number of one's own network, written as people write it.

    Octal, hexadecimal and whole numbers are a disguise wherever they lead.
    """
    try:
        number = ip_address(host)
    except ValueError:
        return False
    return any(number in network for network in _LOCAL)


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """Return the part of `host` that somebody registered (a short table, not the whole list)."""
    labels = host.lower().rstrip(".").split(".")
    if len(labels) <= 2:
        return ".".join(labels)
    size = 3 if ".".join(labels[-2:]) in _second_level() else 2
    return ".".join(labels[-size:])


def _second_level() -> frozenset[str]:
    return frozenset(read("hosts")["second_level"])


def is_shortener(host: str) -> bool:
    """Whether the host hides where its links lead."""
    return registrable(host) in read("hosts")["shorteners"]


def is_counter(host: str) -> bool:
    """Whether the host belongs to a program for newsletters that counts clicks."""
    return registrable(host) in read("hosts")["counters"]


@lru_cache(maxsize=4096)
def _appearance(domain: str) -> str:
    """Return what a domain looks like: decoded, folded, look-alikes undone."""
    if "xn--" in domain:
        try:
            domain = readable_domain(domain)
        except UnicodeError:
            return domain
    plain = skeleton(fold(skeleton(domain)))
    for pair, single in (("rn", "m"), ("vv", "w"), ("cl", "d"), ("0", "o"), ("1", "l"), ("5", "s")):
        plain = plain.replace(pair, single)
    return plain.replace("i", "l")


def looks_like(host: str, own: Iterable[str]) -> Iterator[tuple[str, str, float]]:
    """Yield (imitated domain, how, score) for every domain of `own` that `host` imitates."""
    domain = registrable(host)
    name = domain.partition(".")[0]
    for genuine in own:
        real = registrable(genuine)
        if domain == real or not real:
            continue
        real_name = real.partition(".")[0]
        if _appearance(domain) == _appearance(real):
            yield real, "looks the same", 0.8
        elif f".{real}." in f".{host.replace('-', '.')}.":
            yield real, "is only the beginning of another domain", 0.75
        elif len(real_name) >= 4 and _appearance(name) == _appearance(real_name):
            how, score = ("other ending", 0.3) if name == real_name else ("looks alike", 0.65)
            yield real, how, score
        elif len(real_name) >= 6 and _one_edit(name, real_name):
            yield real, "differs in one letter", 0.6
        elif len(real_name) >= 5 and real_name in name.split("-"):
            yield real, "name with words added", 0.45


def _one_edit(first: str, other: str) -> bool:
    """Whether one insertion, deletion, change or swap of neighbours makes the words equal."""
    if abs(len(first) - len(other)) > 1 or first == other:
        return False
    short, long = sorted((first, other), key=len)
    at = next((i for i, letter in enumerate(short) if letter != long[i]), len(short))
    if len(short) == len(long):
        swapped = short[:at] + short[at : at + 2][::-1] + short[at + 2 :]
        return short[at + 1 :] == long[at + 1 :] or swapped == long
    return short[at:] == long[at + 1 :]
