"""Knowledge that is learned: proposed by the line, and accepted, changed or rejected by people.

`propose` is the one door for whoever has learned something, an owner's answer included: it writes
what nobody trusts until a person has accepted it, and makes nothing of mail that was not clean.
"""

import json
from datetime import date, datetime

from data.errors import ConflictError
from data.records.core.learning import EditProposal, LearnedState
from data.records.core.principals import Principal
from data.store.core import learned
from data.store.core.database import Connection
from data.store.core.learned import LearnedRow
from data.store.core.moves import note_events
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.all_knowledge import known_ids, refresh

_UNDONE = (
    "title", "body", "kind", "public", "significance", "valid_until", "half_life_days",
    "supersedes", "trusted", "confirmed_by", "confirmed_at", "rejected_by", "rejected_at",
)  # fmt: skip
"""What a decision changes."""
_UNDECIDED = {
    "trusted": False, "confirmed_by": "", "confirmed_at": None,
    "rejected_by": "", "rejected_at": None,
}  # fmt: skip
"""What a proposal says of decisions on it."""


async def accept(
    house: House, workspace: Workspace, entry_id: str, principal: Principal, was: str = ""
) -> None:
    """Say yes to what was learned: from now on drafts may rest on it.

    Raises:
        ConflictError: it is not proposed any more, or says something else than with the mark `was`.

    """

    def work(act: Act) -> None:
        row = _of_state(act.cursor, entry_id, LearnedState.PROPOSED)
        if was and was != row.mark:
            raise ConflictError("somebody has changed what it says meanwhile; look at it again")
        fields = {"trusted": True, "confirmed_by": principal.name, "confirmed_at": act.now}
        _decide(act, row, "accept-knowledge", **fields)

    await carry_out(house, workspace, principal, work)
    await refresh(workspace)


async def reject(house: House, workspace: Workspace, entry_id: str, principal: Principal) -> None:
    """Say no, or no longer: nothing rests on it, and it is not proposed again.

    Raises:
        ConflictError: it is rejected already.

    """

    def work(act: Act) -> None:
        row = _of_state(act.cursor, entry_id, LearnedState.PROPOSED, LearnedState.ACCEPTED)
        fields = {"trusted": False, "rejected_by": principal.name, "rejected_at": act.now}
        _decide(act, row, "reject-knowledge", **fields)

    await carry_out(house, workspace, principal, work)
    await refresh(workspace)


async def edit(
    house: House, workspace: Workspace, entry_id: str, order: EditProposal, principal: Principal
) -> None:
    """Change what was learned; what was accepted or rejected is a proposal again.

    Raises:
        ConflictError: it is to supersede what there is none of, or itself.

    """

    def work(act: Act) -> None:
        row = learned.read_row(act.cursor, entry_id)
        ids = known_ids(act.cursor) - {entry_id}
        if unknown := [other for other in order.supersedes if other not in ids]:
            raise ConflictError(f"there is no other entry {unknown[0]!r} that it could supersede")
        content = order.model_dump() | {
            "kind": str(order.kind),
            "supersedes": list(order.supersedes),
        }
        _decide(act, row, "edit-knowledge", **content, **_UNDECIDED)

    await carry_out(house, workspace, principal, work)
    await refresh(workspace)


async def undo(house: House, workspace: Workspace, entry_id: str, principal: Principal) -> None:
    """Take the newest decision on a learned entry back.

    Raises:
        ConflictError: there is none to take back.

    """

    def work(act: Act) -> None:
        row = learned.read_row(act.cursor, entry_id)
        if not row.before:
            raise ConflictError("no decision on this entry is left to take back")
        before = json.loads(row.before)
        for name in ("confirmed_at", "rejected_at"):
            before[name] = datetime.fromisoformat(before[name]) if before[name] else None
        if before["valid_until"]:
            before["valid_until"] = date.fromisoformat(before["valid_until"])
        learned.change(act.cursor, entry_id, **before, before="")
        _note(act, "undo-knowledge", entry_id, row.title)

    await carry_out(house, workspace, principal, work)
    await refresh(workspace)


def _of_state(cursor: Connection, entry_id: str, *states: LearnedState) -> LearnedRow:
    row = learned.read_row(cursor, entry_id)
    if row.state not in states:
        raise ConflictError(f"this entry is {row.state!r}; take that decision back first")
    return row


def _decide(act: Act, row: LearnedRow, action: str, **fields: object) -> None:
    """Change an entry, with the way back and an event."""
    before = json.dumps({name: getattr(row, name) for name in _UNDONE}, default=_text)
    learned.change(act.cursor, row.id, **fields, before=before)
    _note(act, action, row.id, row.title)


def _note(act: Act, action: str, entry_id: str, title: str) -> None:
    state = LearnedState(learned.read_row(act.cursor, entry_id).state)
    note_events(act.cursor, "knowledge", [entry_id], state, actor=act.actor, now=act.now)
    act.note(action, f"knowledge:{entry_id}", title[:200])


def _text(moment: object) -> str:
    if isinstance(moment, date):  # a datetime is one too
        return moment.isoformat()
    raise TypeError(f"{type(moment).__name__} has no place in a decision")
