"""Authentication-Results as a front server writes them (RFC 8601), and what they say of From.

Used for the field itself and for the ARC form of it (RFC 8617 section 4.1.1). Whether the field is
to be believed is decided elsewhere; here DMARC's alignment is held against what it reports.
"""

from dataclasses import dataclass, field

from data.records.core.screening import Authentication, AuthResult
from tasks.core.authenticate.organizational_domain import is_aligned
from tasks.core.patterns import compiled

_MOST_CHARACTERS = 8_000
_METHOD = compiled(r"^\s*([A-Za-z][A-Za-z0-9\-]*)(?:\s*/\s*\d+)?\s*=\s*([A-Za-z]+)")
_REASON = compiled(r"(?i)\breason\s*=\s*(?:\"[^\"]*\"|[^\s;\"]+)")
_PROPERTY = compiled(
    r"(?i)\b(smtp|header|body|policy)\s*\.\s*([A-Za-z0-9\-]+)\s*=\s*(\"[^\"]*\"|[^\s;]+)"
)
_ID = compiled(r"^\s*(?:\"([^\"]+)\"|([^\s;\"]+))(?:\s+(?:(\d+)\s*)?)?$")

_PASS = frozenset({"pass"})
_FAIL = frozenset({"fail", "hardfail", "softfail", "policy"})


@dataclass(frozen=True, slots=True)
class Method:
    """One `method=result` of an Authentication-Results field with its properties."""

    name: str
    result: str
    properties: dict[str, str] = field(default_factory=dict)
    """By `type.property`, lower case; one that is given twice, differently, is left out."""


def read_results(value: str) -> tuple[str, list[Method], str]:
    """Return (authserv-id, methods, what is wrong); comments are taken out first."""
    if len(value) > _MOST_CHARACTERS:
        return "", [], f"longer than {_MOST_CHARACTERS} characters"
    bare, problem = _without_comments(value)
    if problem:
        return "", [], problem
    first, *rest = _split(bare)
    match = _ID.search(first)
    if match is None:
        return "", [], "no authserv-id"
    version = match.group(3)
    if version is not None and version != "1":
        return "", [], f"version {version!r}"
    methods = []
    for part in rest:
        method = _METHOD.search(part)
        if method is None:
            continue
        methods.append(Method(method.group(1).lower(), method.group(2).lower(), _properties(part)))
    return match.group(1) or match.group(2), methods, ""


def _properties(part: str) -> dict[str, str]:
    """Return the properties of one method; what stands in its reason is only prose."""
    values_by_name: dict[str, set[str]] = {}
    for match in _PROPERTY.finditer(_REASON.sub(" ", part)):
        name = f"{match.group(1)}.{match.group(2)}".lower()
        values_by_name.setdefault(name, set()).add(match.group(3).strip('"').lower())
    return {name: values.pop() for name, values in values_by_name.items() if len(values) == 1}


def _without_comments(value: str) -> tuple[str, str]:
    """Return the value without its (nested) comments; an unbalanced one is a problem."""
    outside: list[str] = []
    depth, quoted, escaped = 0, False, False
    for letter in value:
        if escaped:
            escaped = False
            if not depth:
                outside.append(letter)
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
            outside.append(" ")
            continue
        if not depth:
            outside.append(letter)
    return "".join(outside), "an open comment or quotation" if depth or quoted else ""


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


def weigh(domain: str, methods: list[Method], *, needs_policy: bool = True) -> Authentication:
    """Bring the methods together; a mechanism that contradicts itself is not established.

    Args:
        domain: the domain of From.
        methods: what was reported.
        needs_policy: whether a domain that publishes no DMARC record can be established.

    """
    spf, spf_aligned, spf_reasons = _mechanism("spf", domain, methods, ("smtp.mailfrom",))
    dkim, dkim_aligned, dkim_reasons = _mechanism("dkim", domain, methods, ("header.d", "header.i"))
    dmarc, dmarc_reason = _dmarc(
        domain, methods, spf_aligned, dkim_aligned, needs_policy=needs_policy
    )
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
        fits = is_aligned(host, domain)
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
    domain: str,
    methods: list[Method],
    spf_aligned: bool,
    dkim_aligned: bool,
    *,
    needs_policy: bool,
) -> tuple[AuthResult, str]:
    """Return DMARC's result: what the receiver reported, held to the alignment we see."""
    reported = {method.result for method in methods if method.name == "dmarc"}
    header_domains = {
        method.properties["header.from"]
        for method in methods
        if method.name == "dmarc" and "header.from" in method.properties
    }
    if len(reported) > 1:
        return AuthResult.NOT_ESTABLISHED, "dmarc: reported twice, differently"
    if not all(
        is_aligned(header_domain.rpartition("@")[2], domain) for header_domain in header_domains
    ):
        return (
            AuthResult.NOT_ESTABLISHED,
            f"dmarc: reported for {sorted(header_domains)}, not for {domain}",
        )
    if reported & _FAIL:
        return AuthResult.FAIL, f"dmarc: fail reported for {domain}"
    if reported & _PASS:
        if spf_aligned or dkim_aligned:
            return AuthResult.PASS, f"dmarc: pass reported for {domain}, alignment confirmed"
        return (
            AuthResult.NOT_ESTABLISHED,
            "dmarc: pass reported, but no aligned identity that passed is named",
        )
    if reported and (needs_policy or reported != {"none"}):
        return AuthResult.NOT_ESTABLISHED, f"dmarc: {reported.pop()} reported for {domain}"
    if spf_aligned or dkim_aligned:
        by = "dkim" if dkim_aligned else "spf"
        return AuthResult.PASS, f"dmarc: aligned {by} passed for {domain}; no result was reported"
    return AuthResult.NOT_ESTABLISHED, "dmarc: not reported, and nothing aligned passed"
