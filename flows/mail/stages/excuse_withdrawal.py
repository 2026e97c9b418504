"""An allowance goes by the sender's address, and an address can be forged.

The screen runs before anybody has asked who the sender is. So when DMARC then says that the sender
is not who From says, whatever an allowance had excused counts after all.
"""

from collections.abc import Mapping
from datetime import datetime

from data.records.core.screening import Authentication, AuthResult, Verdict
from data.records.mail.stage_outputs import Screened
from data.states import MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import messages
from data.store.mail.decisions import keep_flags
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.mail.stages.unscreened import journal_results
from tasks.core.screen import security_flags, with_excused

FORGED = "an allowance for this sender was not used, for DMARC says that the sender is forged"


def withdraw_excuses(
    cursor: Connection, batch: Batch, results: Mapping[str, Authentication], now: datetime
) -> list[str]:
    """Stop messages of forged senders that only an allowance had let pass; return their ids."""
    forged = [item for item, result in results.items() if result.dmarc is AuthResult.FAIL]
    screened = {
        item: Screened.model_validate_json(text)
        for item, text in journal.read_results(cursor, "screen", forged).items()
    }
    rows = messages.read_messages(cursor, list(screened))
    stopped = {
        item: result.model_copy(update={"screening": with_excused(result.screening)})
        for item, result in screened.items()
        if result.screening.unexcused is Verdict.QUARANTINE
        and result.screening.verdict is not Verdict.QUARANTINE
        and not rows[item].released_by
    }
    ids = list(stopped)
    if not ids:
        return []
    _journal_answers(cursor, batch, stopped, now)
    changes = {"verdict": str(Verdict.QUARANTINE), "note": FORGED}
    messages.change(cursor, [{"id": item} | changes for item in ids])
    move(cursor, ids, MessageStatus.QUARANTINED, actor="screen", now=now, note=FORGED)
    keep_flags(cursor, {i: security_flags(result.screening, now) for i, result in stopped.items()})
    notify(cursor, "quarantined", dict.fromkeys(ids, FORGED), now)
    batch.take_off(ids, "quarantined")
    return ids


def _journal_answers(
    cursor: Connection, batch: Batch, stopped: Mapping[str, Screened], now: datetime
) -> None:
    """Let what the messages come to now be the answer of the screen; the one before is history."""
    journal.withdraw_steps(cursor, list(stopped), "screen")
    texts = {item: screened.model_dump_json() for item, screened in stopped.items()}
    journal_results(cursor, batch, texts, now)
