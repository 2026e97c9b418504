"""Cases whose reply would reveal private context: held back, quarantined, audited."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from data.records.mail.deciding import Outcome
from data.records.mail.stage_outputs import Examined, Screened
from data.states import CaseState, MessageStatus
from data.store.core import audit, journal
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import cases, messages
from data.store.mail.cases import CaseRow
from data.store.mail.decisions import keep_flags
from data.store.mail.moves import move
from tasks.core.screen import security_flags
from tasks.mail.check.finding import CANARY

ACTOR = "check"
LEAK = "leak"
"""The reason that is kept with a message which was quarantined because of its reply."""
LEAKED = "the reply repeats a mark of private context"


def hold_case_back(cursor: Connection, row: CaseRow, fault: str, now: datetime) -> None:
    """Give a case to a person because its rendered reply must not leave, and say why (`fault`)."""
    note = f"Not sent: {fault.rstrip('.')}."
    cases.change(cursor, [{"id": row.id, "outcome": str(Outcome.REVIEW), "note": note}])
    move(cursor, [row.id], CaseState.IN_REVIEW, actor=ACTOR, now=now, note=note)
    ids, of = row.message_ids, [row.id]
    move(cursor, ids, MessageStatus.DRAFT_READY, actor=ACTOR, now=now, note=note, of=of)
    if fault.rstrip(".") == LEAKED:
        _quarantine_case(cursor, row, now)


def quarantine_leaks(cursor: Connection, case_by_id: Mapping[str, CaseRow], now: datetime) -> None:
    """Quarantine the messages of cases whose draft repeats a mark of private context."""
    for case, output in journal.read_results(cursor, "check", list(case_by_id)).items():
        if CANARY not in output:  # as nearly always; reading all of them takes longer
            continue
        checked = Examined.model_validate_json(output)
        if any(finding.check == CANARY for finding in checked.findings):
            _quarantine_case(cursor, case_by_id[case], now)


def _quarantine_case(cursor: Connection, row: CaseRow, now: datetime) -> None:
    """Move a case's messages to the quarantine, and the case to a person, with the reason."""
    move(cursor, [row.id], CaseState.IN_REVIEW, actor=ACTOR, now=now)
    ids: list[str] = []
    # A message goes to the quarantine from a finished draft alone, so the first move makes it one.
    for status in (MessageStatus.DRAFT_READY, MessageStatus.QUARANTINED):
        ids = move(cursor, row.message_ids, status, actor=ACTOR, now=now, note=LEAKED)
    cases.change(cursor, [{"id": row.id, "note": f"Quarantined: {LEAKED}."}])
    messages.change(cursor, [{"id": item, "note": LEAKED} for item in ids])
    _keep_leak_reason(cursor, ids, now)
    note_leak(cursor, row.id, ACTOR, now)
    notify(cursor, "quarantined", dict.fromkeys(ids, f"{LEAK}: {row.subject}"), now)


def _keep_leak_reason(cursor: Connection, ids: Sequence[str], now: datetime) -> None:
    """Keep with each message what the screen had found in it, and that a leak is why it stopped."""
    why = {"reason": LEAK, "reason_content": LEAKED}
    screened = {
        item: Screened.model_validate_json(text).screening
        for item, text in journal.read_results(cursor, "screen", ids).items()
    }
    flags = {item: security_flags(screening, now) for item, screening in screened.items()}
    keep_flags(
        cursor, {item: screening.model_copy(update=why) for item, screening in flags.items()}
    )


def note_leak(cursor: Connection, case_id: str, actor: str, now: datetime) -> None:
    """Keep in the audit log that private context was about to leave, and that nothing was sent."""
    audit.append(
        cursor,
        actor=actor,
        action="quarantine",
        subject=f"case:{case_id}",
        detail=f"{LEAKED}; nothing was sent",
        now=now,
    )
