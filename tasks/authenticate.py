"""The stage *authenticate* asks whether the sender is who From says.

First version: it reads what our own receiver wrote down, the topmost `Authentication-Results` of a
trusted authserv-id (RFC 8601 section 5), and evaluates DMARC's alignment from it (RFC 7489 section
3.1). Checking SPF, DKIM and DMARC ourselves comes later. Three values: what is not established is
neither a pass nor a fail.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from data.records.envelope import Envelope
from data.records.mail import ParsedMail
from data.records.screening import Authentication, AuthResult
from tasks.screen.hosts import registrable
from tasks.screen.patterns import compiled

_MOST_CHARACTERS = 8_000
_METHOD = compiled(r"^\s*([A-Za-z][A-Za-z0-9\-]*)(?:\s*/\s*\d+)?\s*=\s*([A-Za-z]+)")
_PROPERTY = compiled(
    r"(?i)\b(smtp|header|body|policy)\s*\.\s*([A-Za-z0-9\-]+)\s*=\s*(\"[^\"]*\"|[^\s;]+)"
)
_ID = compiled(r"^\s*(?:\"([^\"]+)\"|([^\s;]+))(?:\s+(\d+))?\s*$")

_PASS = frozenset({"pass"})
_FAIL = frozenset({"fail", "hardfail", "softfail", "policy", "permerror"})


@dataclass(frozen=True, slots=True)
class Method:
    """One `method=result` of an Authentication-Results header with its properties."""

    name: str
    result: str
    properties: dict[str, str] = field(default_factory=dict)


def authenticate(
    mail: ParsedMail, envelope: Envelope, trusted_authserv_ids: Collection[str]
) -> Authentication:
    """Say for SPF, DKIM and DMARC: pass, fail, or not established, each with its reason.

    Args:
        mail: the message as read.
        envelope: how it came in; for the null sender SPF speaks of the HELO name.
        trusted_authserv_ids: names under which our receivers write Authentication-Results.

    """
    if mail.sender is None or len(mail.senders) > 1 or len(mail.header_values("from")) > 1:
        reason = f"From has {len(mail.senders)} addresses: there is no domain to align with"
        return Authentication(dmarc=_multiple(mail), reasons=(reason,))
    headers = mail.header_values("authentication-results")
    if not headers:
        return _nothing("no Authentication-Results header")
    if not trusted_authserv_ids:
        return _nothing("no authserv-id is trusted")
    authserv_id, methods, problem = read_results(headers[0])
    if problem:
        return _nothing(f"topmost Authentication-Results cannot be read: {problem}")
    trusted = {one.casefold() for one in trusted_authserv_ids}
    if authserv_id.casefold() not in trusted:
        return _nothing(f"topmost Authentication-Results is of {authserv_id!r}, not trusted")
    spf_keys = ("smtp.mailfrom",) if envelope.mail_from else ("smtp.mailfrom", "smtp.helo")
    return _evaluate(mail.sender.email.rpartition("@")[2].lower(), methods, spf_keys)


def _multiple(mail: ParsedMail) -> AuthResult:
    """More than one From is a fail (RFC 7489 section 6.6.1), none cannot be established."""
    return AuthResult.FAIL if len(mail.senders) > 1 else AuthResult.NOT_ESTABLISHED


def _nothing(reason: str) -> Authentication:
    return Authentication(reasons=(reason,))


def read_results(value: str) -> tuple[str, list[Method], str]:
    """Return (authserv-id, methods, what is wrong); comments are taken out first."""
    if len(value) > _MOST_CHARACTERS:
        return "", [], f"longer than {_MOST_CHARACTERS} characters"
    bare, problem = _without_comments(value)
    if problem:
        return "", [], problem
    first, *rest = _split(bare)
    found = _ID.search(first)
    if found is None:
        return "", [], "no authserv-id"
    version = found.group(3)
    if version is not None and version != "1":
        return "", [], f"version {version!r}"
    methods = []
    for part in rest:
        method = _METHOD.search(part)
        if method is None:
            continue
        properties = {
            f"{one.group(1)}.{one.group(2)}".lower(): one.group(3).strip('"').lower()
            for one in _PROPERTY.finditer(part)
        }
        methods.append(Method(method.group(1).lower(), method.group(2).lower(), properties))
    return found.group(1) or found.group(2), methods, ""


def _without_comments(value: str) -> tuple[str, str]:
    """Return the value without its (nested) comments; an unbalanced one is a problem."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for letter in value:
        if escaped:
            escaped = False
            if not depth:
                kept.append(letter)
            continue
        if letter == "\\":
            escaped = True
            continue
        if letter == '"' and not depth:
            quoted = not quoted
        elif letter == "(" and not quoted:
            depth += 1
            continue
        elif letter == ")" and not quoted and depth:
            depth -= 1
            kept.append(" ")
            continue
        if not depth:
            kept.append(letter)
    return "".join(kept), "an open comment or quotation" if depth or quoted else ""


def _split(value: str) -> list[str]:
    """Return the parts between semicolons that are not quoted."""
    parts: list[str] = []
    here: list[str] = []
    quoted = False
    for letter in value:
        if letter == '"':
            quoted = not quoted
        if letter == ";" and not quoted:
            parts.append("".join(here))
            here = []
        else:
            here.append(letter)
    return [*parts, "".join(here)]


def _evaluate(domain: str, methods: list[Method], spf_keys: tuple[str, ...]) -> Authentication:
    """Bring the methods together; a mechanism that contradicts itself is not established."""
    spf, spf_aligned, spf_reasons = _mechanism("spf", domain, methods, spf_keys)
    dkim, dkim_aligned, dkim_reasons = _mechanism("dkim", domain, methods, ("header.d", "header.i"))
    dmarc, dmarc_reason = _dmarc(domain, methods, spf_aligned, dkim_aligned)
    return Authentication(
        spf=spf, dkim=dkim, dmarc=dmarc, reasons=(*spf_reasons, *dkim_reasons, dmarc_reason)
    )


def _mechanism(
    name: str, domain: str, methods: list[Method], keys: tuple[str, ...]
) -> tuple[AuthResult, bool, list[str]]:
    """Return (result, whether an aligned identity passed, reasons) of SPF or DKIM."""
    mine = [method for method in methods if method.name == name]
    if not mine:
        return AuthResult.NOT_ESTABLISHED, False, [f"{name}: not reported"]
    reasons = []
    passed = failed = aligned = False
    for method in mine:
        identity = next((method.properties[key] for key in keys if key in method.properties), "")
        host = identity.rpartition("@")[2].strip(".<>")
        fits = bool(host) and registrable(host) == registrable(domain)
        reasons.append(
            f"{name}: {method.result} for {host or 'an unnamed identity'},"
            f" {'aligned' if fits else 'not aligned'} with {domain}"
        )
        passed |= method.result in _PASS
        failed |= method.result in _FAIL
        aligned |= fits and method.result in _PASS
    if name == "spf" and passed and failed:
        return AuthResult.NOT_ESTABLISHED, False, [*reasons, "spf: reported twice, differently"]
    if name == "dkim":
        passed = aligned  # any aligned signature; a foreign one says nothing about From
    result = (
        AuthResult.PASS if passed else AuthResult.FAIL if failed else AuthResult.NOT_ESTABLISHED
    )
    return result, aligned, reasons


def _dmarc(
    domain: str, methods: list[Method], spf_aligned: bool, dkim_aligned: bool
) -> tuple[AuthResult, str]:
    """Return DMARC's result: what the receiver reported, held to the alignment we see."""
    reported = {method.result for method in methods if method.name == "dmarc"}
    named = {
        method.properties["header.from"]
        for method in methods
        if method.name == "dmarc" and "header.from" in method.properties
    }
    if len(reported) > 1:
        return AuthResult.NOT_ESTABLISHED, "dmarc: reported twice, differently"
    if any(registrable(one.rpartition("@")[2]) != registrable(domain) for one in named):
        return AuthResult.NOT_ESTABLISHED, f"dmarc: reported for {sorted(named)}, not for {domain}"
    if reported & _FAIL:
        return AuthResult.FAIL, f"dmarc: fail reported for {domain}"
    if reported & _PASS:
        if spf_aligned or dkim_aligned:
            return AuthResult.PASS, f"dmarc: pass reported for {domain}, alignment confirmed"
        return (
            AuthResult.NOT_ESTABLISHED,
            "dmarc: pass reported, but no aligned identity that passed is named",
        )
    if spf_aligned or dkim_aligned:
        by = "dkim" if dkim_aligned else "spf"
        return AuthResult.PASS, f"dmarc: aligned {by} passed for {domain}; no result was reported"
    return AuthResult.NOT_ESTABLISHED, "dmarc: not reported, and nothing aligned passed"
