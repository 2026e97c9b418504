"""The one way in which a person decides on a case.

A decision on a case claims the version that was shown, acts, keeps the review and writes the audit
event, all in one transaction. What has no version to claim, a message, a ticket or an entry of
knowledge, is acted on by `flows.core.acting`. What takes time (to render, sign, check and compare)
comes before either, because an organization has one writing thread.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from data.errors import ConflictError
from data.ids import new_id
from data.records.core.principals import Principal
from data.records.mail.deciding import ReviewAction
from data.records.mail.snoozing import SnoozeEnd
from data.states import CaseState
from data.store.core.database import Connection
from data.store.mail import cases, snoozes
from data.store.mail.cases import CaseRow
from flows.core.acting import Act, ResultT
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.outgoing_check import LeakError
from flows.mail.line.leaks import note_leak

DECIDABLE = (CaseState.IN_REVIEW, CaseState.ESCALATED)
"""Where a case is before a person."""


class Review(NamedTuple):
    """What is kept of a decision on a draft, for figures and for learning."""

    action: ReviewAction
    reason: str | None = None
    note: str = ""
    edit_distance: float = 0.0
    """Share of the draft that was changed, 0 to 1."""
    looked_seconds: float | None = None
    """How long the letter was on the screen; None where nobody measured."""
    letter_words: int | None = None
    """Words of the letter that was decided on."""


class _Shown(NamedTuple):
    """A case as a person was shown it."""

    case: CaseRow
    put_off: bool


@dataclass
class Deciding(Act):
    """One decision while it is made, and what it is about."""

    workspace: Workspace
    case: CaseRow
    """The row of the case as it was shown."""
    detail: str = ""
    """What the audit event says besides the action."""

    @property
    def case_id(self) -> str:
        """The id of the case."""
        return str(self.case.id)

    @property
    def message_ids(self) -> list[str]:
        """The ids of the messages that it answers."""
        return list(self.case.message_ids)


async def decide(
    house: House,
    workspace: Workspace,
    case_id: str,
    version: int,
    principal: Principal,
    action: str,
    act: Callable[[Deciding], ResultT],
    *,
    states: Sequence[CaseState] | None = DECIDABLE,
    nothing_to: str = "decide",
    review: Review | None = None,
    detail: str = "",
) -> ResultT:
    """Decide on a case as it was shown; return what `act` returns.

    A case that is put off comes back by it.

    Args:
        house: the engine's house.
        workspace: the organization that the case is of.
        case_id: the case.
        version: its version as the person was shown it.
        principal: who decides.
        action: what the audit log calls it.
        act: what is done, in the open transaction.
        states: where the case must be; None where `act` looks itself.
        nothing_to: the verb of the refusal for a case that is elsewhere.
        review: what is kept of the decision on the draft, where it is one.
        detail: what the audit event says; `act` may say something else.

    Raises:
        NotFoundError: there is no such case.
        ConflictError: it has changed since it was shown, or is not in one of `states`.

    """

    def look(cursor: Connection) -> _Shown:
        case = cases.read_version(cursor, case_id, version)
        return _Shown(case, snoozes.is_put_off(cursor, case_id))

    def work(cursor: Connection, shown: _Shown) -> ResultT:
        now, case = house.clock(), shown.case
        cases.advance_versions(cursor, [case_id], now)
        if states is not None:
            must_be_in(states, case.state, nothing_to)
        if shown.put_off:
            snoozes.end(cursor, [case_id], SnoozeEnd.PERSON, now)
        deciding = Deciding(cursor, principal, now, workspace, case, detail)
        result = act(deciding)
        if review is not None:
            _keep_review(deciding, review)
        deciding.note(action, f"case:{case_id}", deciding.detail)
        return result

    return await workspace.db.write_upon(look, work)


def must_be_in(states: Sequence[CaseState], state: str, nothing_to: str = "decide") -> None:
    """Refuse a decision on a case that is somewhere else.

    Raises:
        ConflictError: it is not in one of `states`.

    """
    if state not in states:
        raise ConflictError(f"this case is {state!r} now; there is nothing to {nothing_to}")


@asynccontextmanager
async def keeping_leaks(
    house: House, workspace: Workspace, case_id: str, principal: Principal
) -> AsyncIterator[None]:
    """Keep in the audit log that what was approved within would have told private context.

    Raises:
        LeakError: it would have.

    """
    try:
        yield
    except LeakError:
        await workspace.db.write(note_leak, case_id, principal.name, house.clock())
        raise


def _keep_review(deciding: Deciding, review: Review) -> None:
    cases.add_review(
        deciding.cursor,
        {
            "id": new_id(deciding.now),
            "case_id": deciding.case_id,
            "reviewer": deciding.principal.name,
            "action": review.action,
            "reason": review.reason,
            "note": review.note,
            "edit_distance": review.edit_distance,
            "looked_seconds": review.looked_seconds,
            "letter_words": review.letter_words,
            "would_auto_send": deciding.case.would_auto_send,
            "decided_at": deciding.now,
        },
    )
