"""Bringing back what people have put off: when its time has come, or when somebody wrote."""

from collections.abc import Sequence
from datetime import datetime

from data.records.mail.snoozing import SnoozeEnd
from data.store.core import audit
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import cases, snoozes

SENTENCES = {
    SnoozeEnd.TIME: "the time has come that you put it off until",
    SnoozeEnd.MESSAGE: "somebody wrote again",
}


def wake_cases(
    cursor: Connection, case_ids: Sequence[str], because: SnoozeEnd, actor: str, now: datetime
) -> None:
    """Put these cases among what waits again, and tell who put them off why."""
    ended = snoozes.end(cursor, case_ids, because, now)
    back = cases.read_cases(cursor, [row.case_id for row in ended])
    cases.advance_versions(cursor, list(back), now)
    for row in ended:
        subject = f"case:{row.case_id}"
        audit.append(
            cursor, actor=actor, action="wake", subject=subject, detail=str(because), now=now
        )
        sentence = f"{back[row.case_id].subject or '(no subject)'}: {SENTENCES[because]}"
        notify(cursor, "back", {row.case_id: sentence}, now, {row.case_id: row.addressee})


def wake_by_mail(cursor: Connection, message_ids: Sequence[str], actor: str, now: datetime) -> None:
    """Bring back what is put off in the conversations of new messages."""
    wake_cases(
        cursor, snoozes.list_in_threads_of(cursor, message_ids), SnoozeEnd.MESSAGE, actor, now
    )
