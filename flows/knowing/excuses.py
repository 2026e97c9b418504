"""An allowance goes by the sender's address, and an address can be forged.

The screen runs before anybody has asked who the sender is. So when DMARC then says that the sender
is not who From says, whatever an allowance had excused counts after all.
"""

from collections.abc import Mapping
from datetime import datetime

from data.records.screening import Authentication, AuthResult, Verdict
from data.states import MessageStatus
from data.store import journal, messages
from data.store.database import Connection
from data.store.decisions import keep_flags
from data.store.moves import move
from flows.stages.message_stage import notify
from flows.stages.screen import Screened
from flows.stages.stage import Batch
from tasks.screen import security_flags

FORGED = "an allowance for this sender was not used, for DMARC says that the sender is forged"


def withdraw_excuses(
    cursor: Connection, batch: Batch, results: Mapping[str, Authentication], now: datetime
) -> None:
    """Stop messages of forged senders that only an allowance had let pass."""
    forged = [item for item, found in results.items() if found.dmarc is AuthResult.FAIL]
    screened = {
        item: Screened.model_validate_json(text).screening
        for item, text in journal.results(cursor, "screen", forged).items()
    }
    rows = messages.many(cursor, list(screened))
    stopped = {
        item: screening
        for item, screening in screened.items()
        if screening.unexcused is Verdict.QUARANTINE
        and screening.verdict is not Verdict.QUARANTINE
        and not rows[item]["released_by"]
    }
    if not stopped:
        return
    move(cursor, list(stopped), MessageStatus.QUARANTINED, actor="screen", now=now, note=FORGED)
    excused = {
        item: screening.model_copy(update={"hits": (*screening.excused, *screening.hits)})
        for item, screening in stopped.items()
    }
    keep_flags(cursor, {item: security_flags(found, now) for item, found in excused.items()})
    notify(cursor, "quarantined", dict.fromkeys(stopped, FORGED), now)
    batch.leave(list(stopped), "quarantined")
