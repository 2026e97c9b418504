"""The journal of a turn: its moves; one with an effect is written down before it begins.

So a turn that was killed goes on behind its last committed move: no model is asked again for what
it has answered, and a call with an effect is never made twice (docs/agents.md#turns).
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import TypedDict

from pydantic import JsonValue

from data.errors import ConflictError, PosternError
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
from data.store.core.notifications import notify, settle
from flows.core.house import House
from flows.core.workspace import Workspace

CALL_WAITS = "call"
"""The kind of notification that a call waits for a person."""
_TOLD = 300
"""Characters of a call that such a notification has in any case."""


def subject_of(turn_id: str, ordinal: int) -> str:
    """Return what an approval of a call is about: its move."""
    return f"{turn_id}.{ordinal}"


def list_undecided(cursor: Connection, active: Sequence[Turn]) -> set[str]:
    """Return those turns that cannot go on because a person has not decided on a call."""
    awaiting_ids = turns.list_awaiting(cursor, [turn.id for turn in active])
    subjects = {
        subject_of(turn_id, move.ordinal): turn_id
        for turn_id in awaiting_ids
        for move in turns.list_moves(cursor, turn_id)
    }
    return {subjects[subject] for subject in approvals.list_pending(cursor, TOOL_CALL, subjects)}


def mark_calls_seen(cursor: Connection, turn: Turn, now: datetime) -> None:
    """Mark as seen what who asked was told of calls in the chat that wait no longer."""
    waiting = approvals.list_waiting_for(cursor, TOOL_CALL, turn.asked_by)
    still = [approval.summary[:_TOLD] for approval in waiting]
    settle(cursor, CALL_WAITS, [turn.chat_id], now, addressee=_addressee_of(turn), but=still)


def _addressee_of(turn: Turn) -> str:
    """Return whom a notification about a turn's call is for: who asked, and nobody else."""
    return f"user:{turn.asked_by}"


class _MoveHead(TypedDict):
    """What is known of a move before it is done."""

    ordinal: int
    kind: MoveKind
    name: str
    began_at: datetime


class Journal:
    """The moves of one turn: what was done before is given back, what is new is written down.

    A move that changes nothing is written with the next one that counts: after a kill it is done
    again. What a model has answered, a call with an effect, and a question to a person each wait
    until they are on the disk.
    """

    def __init__(self, house: House, workspace: Workspace, turn: Turn) -> None:
        self._house, self._workspace, self._turn = house, workspace, turn
        self._earlier: dict[int, Move] = {}
        self._ordinal = 0
        self._unwritten: list[Move] = []
        self.only_reads = True
        """Whether no model was asked and nothing was changed."""

    def load_moves(self, earlier: Iterable[Move]) -> None:
        """Take over what an earlier try has written.

        Raises:
            PosternError: what was meant, or thought, was erased meanwhile with somebody's data. Of
                a call that was it is enough to know what became of it.

        """
        self._earlier = {move.ordinal: move for move in earlier}
        if any(move.is_erased and move.kind is not MoveKind.ACT for move in self._earlier.values()):
            raise PosternError("What was said here was erased meanwhile. Ask again.")
        self.only_reads = not self._earlier

    @property
    def is_resumed(self) -> bool:
        """Whether an earlier try of the turn has written anything."""
        return bool(self._earlier)

    def take_place(self, kind: MoveKind, name: str) -> tuple[int, Move | None]:
        """Return the number of the next move, and the move itself if an earlier try began it.

        Raises:
            ConflictError: another move stands there. What the agent has, or whether a model is
                there, has changed meanwhile; what one move gave is not what another gives.

        """
        self._ordinal += 1
        earlier = self._earlier.get(self._ordinal)
        if earlier is not None and (earlier.kind, earlier.name) != (kind, name):
            raise ConflictError("The agent works otherwise by now than when this began. Ask again.")
        return self._ordinal, earlier

    async def do_move(
        self,
        kind: MoveKind,
        work: Callable[[], Awaitable[JsonValue]],
        *,
        name: str = "",
        durable: bool = False,
    ) -> JsonValue:
        """Do a move that changes nothing, or give back what it ended with when it is done already.

        Args:
            kind: of the move.
            work: what is done.
            name: of the move, where its kind does not say it.
            durable: whether it is on the disk before this returns.

        Raises:
            PosternError: it did not work; an earlier failure is raised again.
            ConflictError: an earlier try did something else in its place.

        """
        ordinal, earlier = self.take_place(kind, name)
        if earlier is not None and earlier.state is MoveState.DONE:
            return earlier.result
        if earlier is not None and earlier.state is not MoveState.RUNNING:
            raise PosternError(str(earlier.result))
        self.only_reads &= kind is not MoveKind.THINK
        begun: _MoveHead = {
            "ordinal": ordinal,
            "kind": kind,
            "name": name,
            "began_at": self._house.clock(),
        }
        try:
            result = await work()
        except Exception as error:
            why = str(error) if isinstance(error, PosternError) else "a mistake"
            self._note_move(Move(**begun, state=MoveState.FAILED, result=why))
            raise
        self._note_move(Move(**begun, state=MoveState.DONE, result=result))
        if durable:
            await self._workspace.db.write(self.write_moves)
        return result

    def _note_move(self, move: Move) -> None:
        """Keep a move that is at its end for the next time that something is written down."""
        self._unwritten.append(move.model_copy(update={"ended_at": self._house.clock()}))

    def note_call(
        self,
        ordinal: int,
        name: str,
        arguments: JsonValue,
        gates: tuple[GateAnswer, ...],
        state: MoveState,
        result: JsonValue,
    ) -> None:
        """Keep a call that changed nothing, with what each gate said of it."""
        call = self._build_call(ordinal, name, arguments, gates, state)
        self._note_move(call.model_copy(update={"result": result}))

    def _build_call(
        self,
        ordinal: int,
        name: str,
        arguments: JsonValue,
        gates: tuple[GateAnswer, ...],
        state: MoveState,
    ) -> Move:
        """Return a call as it is written down now."""
        return Move(
            ordinal=ordinal,
            kind=MoveKind.ACT,
            name=name,
            state=state,
            given=arguments,
            gates=gates,
            began_at=self._house.clock(),
        )

    def write_moves(self, cursor: Connection) -> None:
        """Write what is not yet written, in the transaction of whatever comes next.

        A turn that has ended is written to no more: what it has in its hands may be of somebody
        whose data was erased meanwhile.
        """
        if not turns.is_active(cursor, self._turn.id):
            self._unwritten = []
        again = [move.ordinal for move in self._unwritten if move.ordinal in self._earlier]
        turns.add_moves(cursor, self._turn.id, self._unwritten, instead_of=again)
        self._unwritten = []

    def _write_going_on(self, cursor: Connection) -> None:
        """Write what is not yet written, for a turn that goes on.

        Who stops a turn ends it in the state first, and whoever works on it a moment later: in
        between nothing begins that has an effect.

        Raises:
            ConflictError: it was ended meanwhile.

        """
        if not turns.is_active(cursor, self._turn.id):
            raise ConflictError("it was ended meanwhile")
        self.write_moves(cursor)

    async def begin_call(
        self, ordinal: int, name: str, arguments: JsonValue, gates: tuple[GateAnswer, ...]
    ) -> None:
        """Write down that a call with an effect begins.

        Raises:
            ConflictError: the turn was ended meanwhile.

        """
        self.only_reads = False
        call = self._build_call(ordinal, name, arguments, gates, MoveState.RUNNING)
        self._unwritten.append(call)
        try:
            await self._workspace.db.write(self._write_going_on)
        except ConflictError:
            self._unwritten.remove(call)  # it has not begun
            raise

    async def end_move(self, ordinal: int, state: MoveState, result: JsonValue) -> None:
        """Write down how a move ended that was written down before."""
        turn_id, now = self._turn.id, self._house.clock()

        def keep(cursor: Connection) -> None:
            self.write_moves(cursor)
            turns.end_move(cursor, turn_id, ordinal, state, result, now)

        await self._workspace.db.write(keep)

    async def ask_person(
        self,
        ordinal: int,
        name: str,
        arguments: JsonValue,
        gates: tuple[GateAnswer, ...],
        request: ApprovalRequest,
    ) -> None:
        """Write down a call that waits for a person's yes, with the approval, at once.

        Raises:
            ConflictError: the turn was ended meanwhile.

        """
        turn, now = self._turn, self._house.clock()
        waiting = self._build_call(ordinal, name, arguments, gates, MoveState.AWAITING_APPROVAL)
        self._unwritten.append(waiting)

        def keep(cursor: Connection) -> None:
            self._write_going_on(cursor)
            approvals.open_many(
                cursor, TOOL_CALL, [request], opened_by=f"agent:{turn.agent}", now=now
            )
            asks = (
                f"{agents.read_agent(cursor, turn.agent).name} asks for your yes: {request.summary}"
            )
            asked = {turn.chat_id: _addressee_of(turn)}
            notify(cursor, CALL_WAITS, {turn.chat_id: asks}, now, asked)

        try:
            await self._workspace.db.write(keep)
        except ConflictError:
            self._unwritten.remove(waiting)
            raise

    async def find_approval(self, ordinal: int) -> Approval | None:
        """Return what became of the question whether a call may happen."""
        subject = subject_of(self._turn.id, ordinal)
        return await self._workspace.db.read(approvals.find_newest, TOOL_CALL, subject)

    async def resume_call(self, ordinal: int) -> None:
        """Write down that a call begins to which a person has said yes.

        Raises:
            ConflictError: the turn was ended meanwhile.

        """

        def keep(cursor: Connection) -> None:
            self._write_going_on(cursor)
            turns.resume_move(cursor, self._turn.id, ordinal)

        await self._workspace.db.write(keep)


def build_unknown_outcome(name: str) -> CallFailure:
    """Return what is said of a call that was cut off and may have had its effect."""
    sentence = f"Nobody knows whether {name!r} had its effect, so it is not done again."
    return CallFailure(code=FailureCode.INTERNAL_ERROR, sentence=sentence)
