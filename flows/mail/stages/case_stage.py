"""The base of the stages whose items are cases."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from data.states import CaseState, MessageStatus
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import cases
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.core.bindings import BINDINGS
from flows.mail.leaving.approving import ask
from flows.mail.stages.stage import OutputT, Stage


class CaseStage(Stage[OutputT]):
    """Puts off and gives up cases."""

    def delay(self, cursor: Connection, ids: Sequence[str], until: datetime) -> None:
        """Put off the cases until then."""
        cases.change(cursor, [{"id": item, "due_at": until} for item in ids])

    def give_up(
        self, cursor: Connection, batch: Batch, errors: Mapping[str, str], now: datetime
    ) -> None:
        """Put the cases before a person, or show them as failed, as the table of bindings says."""
        review = BINDINGS[self.name].after == "review"
        state = CaseState.IN_REVIEW if review else CaseState.FAILED
        status = MessageStatus.DRAFT_READY if review else MessageStatus.FAILED
        case_by_id = cases.read_cases(cursor, list(errors))
        for item, error in errors.items():
            note = f"{self.name}: {error}"[:500]
            cases.change(cursor, [{"id": item, "note": note}])
            move(cursor, [item], state, actor=self.name, now=now, note=note)
            ids = case_by_id[item].message_ids
            move(cursor, ids, status, actor=self.name, now=now, note=note, of=[item])
        cases.advance_versions(cursor, list(errors), now)
        ask(cursor, batch.workspace, list(errors), self.name, now)
        notify(cursor, "case_failed", errors, now)
