"""The journal of a turn: its moves, each written down before it begins and committed at its end.

So a turn that was killed goes on behind its last committed move: what was found out is not asked
for again, and a call with an effect is never made twice (docs/agents.md#turns).
"""

from collections.abc import Awaitable, Callable, Sequence

from pydantic import JsonValue

from data.errors import PosternError
from data.records.agents.approval_kinds import TOOL_CALL
from data.records.agents.turns import (
    CallFailure,
    FailureCode,
    GateAnswer,
    Move,
    MoveKind,
    Turn,
)
from data.records.core.approvals import Approval, ApprovalRequest
from data.states import MoveState
from data.store.agents import agents, turns
from data.store.core import approvals
from data.store.core.database import Connection
from data.store.core.notifications import notify
from flows.core.house import House
from flows.core.workspace import Workspace

CALL_WAITS = "call"
"""The kind of notification that a call waits for a person."""


def subject_of(turn_id: str, ordinal: int) -> str:
    """Return what an approval of a call is about: its move."""
    return f"{turn_id}.{ordinal}"


def undecided(cursor: Connection, active: Sequence[Turn]) -> set[str]:
    """Return those turns that cannot go on because a person has not decided on a call."""
    held = turns.awaiting(cursor, [turn.id for turn in active])
    subjects = {
        subject_of(turn_id, move.ordinal): turn_id
        for turn_id in held
        for move in turns.moves(cursor, turn_id)
    }
    return {subjects[subject] for subject in approvals.pending(cursor, TOOL_CALL, subjects)}


class Journal:
    """The moves of one turn: what was done before is given back, what is new is written down."""

    def __init__(self, house: House, workspace: Workspace, turn: Turn) -> None:
        self._house, self._workspace, self._turn = house, workspace, turn
        self._earlier: dict[int, Move] = {}
        self._ordinal = 0

    async def load(self) -> None:
        """Read what an earlier try has written."""
        earlier = await self._workspace.db.read(turns.moves, self._turn.id)
        self._earlier = {move.ordinal: move for move in earlier}

    def take_place(self) -> tuple[int, Move | None]:
        """Return the number of the next move, and the move itself if an earlier try began it."""
        self._ordinal += 1
        return self._ordinal, self._earlier.get(self._ordinal)

    async def move(
        self, kind: MoveKind, work: Callable[[], Awaitable[JsonValue]], *, name: str = ""
    ) -> JsonValue:
        """Do a move that changes nothing, or give back what it ended with when it is done already.

        Raises:
            PosternError: it did not work; an earlier failure is raised again.

        """
        ordinal, earlier = self.take_place()
        if earlier is None:
            await self.begin(ordinal, kind, name)
        elif earlier.state is MoveState.DONE:
            return earlier.result
        elif earlier.state is not MoveState.RUNNING:
            raise PosternError(str(earlier.result))
        try:
            result = await work()
        except Exception as error:
            expected = isinstance(error, PosternError)
            await self.end(ordinal, MoveState.FAILED, str(error) if expected else "a mistake")
            raise
        await self.end(ordinal, MoveState.DONE, result)
        return result

    async def begin(
        self,
        ordinal: int,
        kind: MoveKind,
        name: str,
        given: JsonValue = None,
        gates: tuple[GateAnswer, ...] = (),
    ) -> None:
        """Write down that a move begins."""
        await self._workspace.db.write(
            turns.begin_move,
            self._turn.id,
            ordinal,
            kind,
            name,
            given,
            self._house.clock(),
            gates=gates,
        )

    async def end(self, ordinal: int, state: MoveState, result: JsonValue) -> None:
        """Write down how a move ended."""
        await self._workspace.db.write(
            turns.end_move, self._turn.id, ordinal, state, result, self._house.clock()
        )

    async def refuse(
        self,
        ordinal: int,
        name: str,
        given: JsonValue,
        gates: tuple[GateAnswer, ...],
        failure: CallFailure,
    ) -> None:
        """Write down a call that does not happen, with what each gate said of it."""
        turn_id, now = self._turn.id, self._house.clock()
        result = failure.model_dump(mode="json")

        def keep(cursor: Connection) -> None:
            turns.begin_move(cursor, turn_id, ordinal, MoveKind.ACT, name, given, now, gates=gates)
            turns.end_move(cursor, turn_id, ordinal, MoveState.FAILED, result, now)

        await self._workspace.db.write(keep)

    async def ask_person(
        self,
        ordinal: int,
        name: str,
        given: JsonValue,
        gates: tuple[GateAnswer, ...],
        request: ApprovalRequest,
    ) -> None:
        """Write down a call that waits for a person's yes, with the approval, at once."""
        turn, now = self._turn, self._house.clock()

        def keep(cursor: Connection) -> None:
            turns.begin_move(
                cursor,
                turn.id,
                ordinal,
                MoveKind.ACT,
                name,
                given,
                now,
                gates=gates,
                state=MoveState.AWAITING_APPROVAL,
            )
            approvals.open_many(
                cursor, TOOL_CALL, [request], opened_by=f"agent:{turn.agent}", now=now
            )
            asks = f"{agents.agent(cursor, turn.agent).name} asks for your yes: {request.summary}"
            asked = {turn.chat_id: f"user:{turn.asked_by}"}
            notify(cursor, CALL_WAITS, {turn.chat_id: asks}, now, asked)

        await self._workspace.db.write(keep)

    async def approval(self, ordinal: int) -> Approval | None:
        """Return what became of the question whether a call may happen."""
        subject = subject_of(self._turn.id, ordinal)
        return await self._workspace.db.read(approvals.newest, TOOL_CALL, subject)

    async def resume(self, ordinal: int) -> None:
        """Write down that a call begins to which a person has said yes."""
        await self._workspace.db.write(turns.resume_move, self._turn.id, ordinal)


def unknown_outcome(name: str) -> CallFailure:
    """Return what is said of a call that was cut off and may have had its effect."""
    sentence = f"Nobody knows whether {name!r} had its effect, so it is not done again."
    return CallFailure(code=FailureCode.INTERNAL_ERROR, sentence=sentence)
