"""The recipients that a bounce is about, and why it failed (RFC 3464, RFC 3463)."""

import json
from typing import Any

import re2

from data.records.core.parsed_mail import FailedRecipient, ParsedMail
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import phrases
from tasks.core.words.cleaning import straighten_apostrophes
from tasks.mail.automated.freeform import DIAGNOSTIC, own_part, read_freeform, read_status

BODY_CHARACTERS = 8_000
"""Characters at the beginning of the body in which a free-form report is looked for."""
RECIPIENTS = 100
"""Recipients that are listed."""
ACTIONS = ("failed", "delayed", "delivered", "relayed", "expanded")
"""What may have happened (RFC 3464 section 2.3.3)."""

_SENTENCES = tuple(phrases("automated", "bounce_sentences"))
_WAITING = tuple(phrases("automated", "delay_sentences"))
_GIVEN_UP = tuple(phrases("automated", "final_sentences"))
_ADDRESS = compiled(
    r"(?:\"[^\"]{1,64}\"|[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+)@[A-Za-z0-9_.-]*[A-Za-z0-9]"
)
_TO = compiled(
    r"(?im)^to:\s[^\n,@]*?<?([A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9_.-]*[A-Za-z0-9])>?\s*$"
)
_STATUS = compiled(r"\b([245]\.\d{1,3}\.\d{1,3})\b")


def is_bounce_text(text: str) -> bool:
    """Whether the beginning of a body reads like a delivery report."""
    folded = straighten_apostrophes(text[:BODY_CHARACTERS]).casefold()
    return any(sentence in folded for sentence in _SENTENCES)


def is_delay(mail: ParsedMail) -> bool:
    """Whether the text says that delivery is still being tried, and not that it was given up."""
    folded = f"{mail.subject}\n{own_part(mail.text[:BODY_CHARACTERS])}"
    folded = straighten_apostrophes(folded).casefold()
    waiting = any(sentence in folded for sentence in _WAITING)
    return waiting and not any(sentence in folded for sentence in _GIVEN_UP)


def read_bounce(mail: ParsedMail) -> tuple[FailedRecipient, ...]:
    """Return what a bounce says of each recipient, those that failed first.

    Read are the parts of RFC 3464, else `X-Failed-Recipients`, else the text, else the header of
    the message that is returned.
    """
    text = own_part(mail.text[:BODY_CHARACTERS])
    action = "delayed" if is_delay(mail) else "failed"
    own = {address.email.casefold() for address in (*mail.to, *mail.senders)}
    stated = _from_reports(mail.reports)
    written = read_freeform(text, own, action)
    recipients = stated or _from_header(mail, action) or _from_notice(mail.text) or written
    recipients = recipients or _from_copy(mail, text, action)
    written_by_address = {recipient.address.casefold(): recipient for recipient in written}
    recipients = [
        _completed(
            recipient, written_by_address.get(recipient.address.casefold()), text, len(recipients)
        )
        for recipient in recipients
    ]
    last_by_address = list(
        {recipient.address.casefold(): recipient for recipient in reversed(recipients)}.values()
    )[::-1]
    return tuple(sorted(last_by_address, key=lambda item: ACTIONS.index(item.action)))[:RECIPIENTS]


def _completed(
    failed_recipient: FailedRecipient, written: FailedRecipient | None, text: str, count: int
) -> FailedRecipient:
    """Return a recipient with what only the text says of it."""
    diagnostic = failed_recipient.diagnostic or (written.diagnostic if written else "")
    status = (
        failed_recipient.status or (written.status if written else None) or read_status(diagnostic)
    )
    if status is None and count == 1:
        status = read_status(text)
    return failed_recipient.model_copy(
        update={"diagnostic": diagnostic[:DIAGNOSTIC], "status": status}
    )


def _from_header(mail: ParsedMail, action: str) -> list[FailedRecipient]:
    """Return the recipients that Exim and Gmail name in a header."""
    listed = mail.header("x-failed-recipients") or ""
    return [FailedRecipient(address=address, action=action) for address in _ADDRESS.findall(listed)]


def _from_reports(reports: tuple[str, ...]) -> list[FailedRecipient]:
    """Return the recipients of the report parts (RFC 3464 section 2.3)."""
    recipients = []
    for report in reports:
        for block in _blocks(report):
            stated = block.get("final-recipient") or block.get("original-recipient")
            if stated is None and "status" not in block:
                continue
            address = _first(_ADDRESS, (stated or "").partition(";")[2] or stated or "")
            if address is None:
                address = _first(_ADDRESS, block.get("original-recipient", ""))
            if address is None:
                continue
            action = block.get("action", "failed").casefold().split() or ["failed"]
            diagnostic = block.get("diagnostic-code", "")
            diagnostic = diagnostic.partition(";")[2].strip() or diagnostic
            recipients.append(
                FailedRecipient(
                    address=address,
                    action=action[0] if action[0] in ACTIONS else "failed",
                    status=_first_group(_STATUS, block.get("status", "")),
                    diagnostic=" ".join(diagnostic.split())[:DIAGNOSTIC],
                )
            )
    return recipients


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
            if name == "final-recipient" and name in blocks[-1]:
                blocks.append({})
            blocks[-1].setdefault(name, value.strip())
    return blocks


def _from_copy(mail: ParsedMail, text: str, action: str) -> list[FailedRecipient]:
    """Return the one recipient of the message that is returned, when nothing else names any."""
    copies = (mail.text[len(text) : BODY_CHARACTERS], *mail.reports)
    copied = {address for copy in copies for address in _TO.findall(copy)}
    return (
        [FailedRecipient(address=address, action=action) for address in copied]
        if len(copied) == 1
        else []
    )


def _from_notice(text: str) -> list[FailedRecipient]:
    """Return the recipients of a notice in JSON, as services that send for others write them."""
    if not text.lstrip().startswith("{"):
        return []
    try:
        notice: Any = json.loads(text[: text.rfind("}") + 1])
        if isinstance(notice, dict) and isinstance(notice.get("Message"), str):
            notice = json.loads(notice["Message"])
    except (ValueError, RecursionError):
        return []
    bounce = notice.get("bounce") if isinstance(notice, dict) else None
    listed = bounce.get("bouncedRecipients") if isinstance(bounce, dict) else None
    recipients = []
    for item in listed if isinstance(listed, list) else []:
        if isinstance(item, dict) and isinstance(item.get("emailAddress"), str):
            recipients.append(
                FailedRecipient(
                    address=item["emailAddress"],
                    status=_first_group(_STATUS, str(item.get("status", ""))),
                    diagnostic=str(item.get("diagnosticCode", ""))[:DIAGNOSTIC],
                )
            )
    return recipients


def _first(pattern: "re2._Regexp", text: str) -> str | None:
    """Return the first match, or None."""
    match = pattern.search(text)
    return str(match.group(0)).rstrip(".") if match else None


def _first_group(pattern: "re2._Regexp", text: str) -> str | None:
    """Return the first group of the first match, or None."""
    match = pattern.search(text)
    return str(match.group(1)) if match else None
