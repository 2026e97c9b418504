"""The journal of a turn: its moves, each written down before it begins and committed at its end.

So a turn that was killed goes on behind its last committed move: what was found out is not asked
for again, and a call with an effect is never made twice (docs/agents.md#turns).
"""

from collections.abc import Awaitable, Callable

from pydantic import JsonValue

from data.errors import PosternError
from data.records.agents.turns import Move, MoveKind
from data.records.core.tools import Effect
from data.states import MoveState
from data.store.agents import turns
from flows.core.house import House
from flows.core.workspace import Workspace


class UnknownOutcomeError(PosternError):
    """A call with an effect was cut off; nobody knows whether it had it."""


class Journal:
    """The moves of one turn: what was done before is given back, what is new is written down."""

    def __init__(self, house: House, workspace: Workspace, turn_id: str) -> None:
        self._house, self._workspace, self._turn_id = house, workspace, turn_id
        self._earlier: dict[int, Move] = {}
        self._ordinal = 0

    async def load(self) -> None:
        """Read what an earlier try has written."""
        earlier = await self._workspace.db.read(turns.moves, self._turn_id)
        self._earlier = {move.ordinal: move for move in earlier}

    async def move(
        self,
        kind: MoveKind,
        work: Callable[[], Awaitable[JsonValue]],
        *,
        name: str = "",
        given: JsonValue = None,
        effect: Effect = Effect.NONE,
    ) -> JsonValue:
        """Do a move, or give back what it ended with when it is done already.

        Raises:
            UnknownOutcomeError: an earlier try was cut off in it, and it may have had its effect.
            PosternError: it did not work; an earlier failure is raised again.

        """
        self._ordinal += 1
        ordinal, earlier = self._ordinal, self._earlier.get(self._ordinal)
        if earlier is None:
            await self._workspace.db.write(
                turns.begin_move, self._turn_id, ordinal, kind, name, given, self._house.clock()
            )
        elif earlier.state is MoveState.DONE:
            return earlier.result
        elif earlier.state is not MoveState.RUNNING:
            raise PosternError(str(earlier.result))
        elif effect is not Effect.NONE:
            await self._end(ordinal, MoveState.UNKNOWN, "it was cut off")
            raise UnknownOutcomeError(f"nobody knows whether {name!r} had its effect")
        try:
            result = await work()
        except PosternError as error:
            await self._end(ordinal, MoveState.FAILED, str(error))
            raise
        await self._end(ordinal, MoveState.DONE, result)
        return result

    async def _end(self, ordinal: int, state: MoveState, result: JsonValue) -> None:
        await self._workspace.db.write(
            turns.end_move, self._turn_id, ordinal, state, result, self._house.clock()
        )
