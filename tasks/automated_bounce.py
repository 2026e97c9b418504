"""Which recipient a bounce is about, and why it failed (RFC 3464, RFC 3463, common free forms)."""

import re2

from data.records.mail import ParsedMail
from tasks.segment_lexicon import phrases

BODY_CHARACTERS = 8_000
"""Characters at the beginning of the body in which a free-form report is looked for."""

_SENTENCES = tuple(phrases("automated", "bounce_sentences"))
_ADDRESS = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"
_STATUS = re2.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")
_REPLY_CODE = re2.compile(r"\b([45]\d\d)[ -]")
_IN_BRACKETS = re2.compile(rf"<({_ADDRESS})>")
_ANY = re2.compile(rf"({_ADDRESS})")
_ALONE = re2.compile(rf"(?m)^\s*(?:[-*]\s*)?(?:<|\")?({_ADDRESS})(?:>|\")?\s*(?:[:(.,;]|$)")


def is_bounce_text(text: str) -> bool:
    """Whether the beginning of a body reads like a delivery report."""
    folded = text[:BODY_CHARACTERS].casefold()
    return any(sentence in folded for sentence in _SENTENCES)


def read_bounce(mail: ParsedMail) -> tuple[str | None, str | None]:
    """Return the failed recipient and the enhanced status code, each None when not stated."""
    recipient, status = _from_reports(mail.reports)
    if recipient is None and (listed := mail.header("x-failed-recipients")):
        recipient = _first(_ANY, listed)
    text = mail.text[:BODY_CHARACTERS]
    if recipient is None:
        own = {address.email.casefold() for address in (*mail.to, *mail.senders)}
        recipient = _free_recipient(text, own)
    if status is None:
        status = _first(_STATUS, text) or _basic_status(text)
    return recipient, status


def _from_reports(reports: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Return recipient and status of the first recipient that failed (RFC 3464 section 2.3)."""
    best: tuple[str | None, str | None] = (None, None)
    for report in reports:
        for block in _blocks(report):
            stated = block.get("final-recipient") or block.get("original-recipient")
            if stated is None and "status" not in block:
                continue
            recipient = _first(_ANY, (stated or "").partition(";")[2] or stated or "")
            found = (recipient, _first(_STATUS, block.get("status", "")))
            failed = block.get("action", "failed").casefold().startswith("fail")
            if failed and recipient is not None:
                return found
            best = best if best[0] or best[1] else found
    return best


def _blocks(report: str) -> list[dict[str, str]]:
    """Return the groups of fields of a report, unfolded, names lower-cased."""
    blocks: list[dict[str, str]] = [{}]
    name = ""
    for line in report.split("\n"):
        if not line.strip():
            if blocks[-1]:
                blocks.append({})
        elif line[0] in " \t" and name in blocks[-1]:
            blocks[-1][name] += " " + line.strip()
        else:
            name, _, value = line.partition(":")
            name = name.strip().casefold()
            blocks[-1].setdefault(name, value.strip())
    return blocks


def _free_recipient(text: str, own: set[str]) -> str | None:
    """Return the first address that stands by itself in a line, else in brackets."""
    for pattern in (_ALONE, _IN_BRACKETS, _ANY):
        for found in pattern.findall(text):
            address = str(found).rstrip(".")
            local = address.partition("@")[0].casefold()
            if address.casefold() not in own and local not in ("mailer-daemon", "postmaster"):
                return address
    return None


def _basic_status(text: str) -> str | None:
    """Return the class of an SMTP reply code as an enhanced code, e.g. `5.0.0` for 550."""
    code = _first(_REPLY_CODE, text)
    return f"{code[0]}.0.0" if code else None


def _first(pattern: "re2._Regexp", text: str) -> str | None:
    """Return the first group of the first match, or None."""
    match = pattern.search(text)
    return str(match.group(1)).rstrip(".") if match else None
