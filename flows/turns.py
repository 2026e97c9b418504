"""Flow *turns*: what agents have done, shown on the page of a flow run (docs/agents.md#prefect).

The journal is the truth and a turn waits for no flow run: it is shown once it has ended. A line in
the run's log says how each turn went, and a table has its moves; neither holds what was said.
"""

from collections.abc import Sequence

from prefect import flow

from data.counting import plural
from data.records.agents.turns import FailureCode, Move, MoveKind, Turn
from data.states import MoveState
from data.store.agents import turns as turn_rows
from data.store.core import usage
from data.store.core.database import Connection
from flows.core.current import get_current_house
from flows.core.house import House
from flows.core.services import build_chat_address
from flows.core.workspace import Workspace
from flows.mail.stages.stage_tasks import UNKEPT, get_run_id, log_line, publish_outcomes

BATCH = 50
"""Most turns that one run shows."""
_ASKED = "ask"
"""Name of the move in which a model is asked."""


@flow(
    name="turns",
    flow_run_name="turns {organization} {which}",
    persist_result=False,
    result_storage=UNKEPT,
)
async def turns(organization: str = "", which: str = "") -> dict[str, int]:
    """Show the turns that have ended since the last run.

    Args:
        organization: slug; empty shows those of every organization.
        which: the agent of a turn alone, or how many there are, for the run's name.

    Returns:
        How many turns were shown per organization.

    """
    del which  # Prefect names a run by what it was called with
    house = get_current_house()
    return {
        workspace.slug: await show_turns(house, workspace)
        for workspace in await house.choose_workspaces(organization)
    }


def which_of(due: Sequence[Turn]) -> str:
    """Return what names a run: its agent where it shows one turn, else how many it shows."""
    return due[0].agent if len(due) == 1 else f"× {len(due)}"


async def show_turns(house: House, workspace: Workspace) -> int:
    """Show one batch of the turns of one organization; return its size."""
    shown = await workspace.db.read(_to_show)
    if not shown:
        return 0
    for turn, moves, cost in shown:
        log_line(turn_line(turn, moves, cost))
    await publish_outcomes(
        "turns",
        workspace.slug,
        [row for turn, moves, _ in shown for row in _rows(house, turn, moves)],
        f"{plural(len(shown), 'turn')} of agents of {workspace.organization.name}",
        {turn.id: build_chat_address(house.settings, turn.chat_id) for turn, _, _ in shown},
    )
    ids = [turn.id for turn, _, _ in shown]
    await workspace.db.write(turn_rows.note_shown, ids, get_run_id())
    return len(shown)


def turn_line(turn: Turn, moves: Sequence[Move], cost: float) -> str:
    """Return how a turn went: `desk: completed in 2.31 s; 2 requests, 3 calls; US$ 0.0042`."""
    seconds = (turn.ended_at - turn.started_at).total_seconds() if turn.ended_at else 0.0
    asked = sum(move.kind is MoveKind.THINK and move.name == _ASKED for move in moves)
    calls = [move for move in moves if move.kind is MoveKind.ACT]
    parts = [f"{turn.agent}: {turn.state} in {seconds:.2f} s"]
    parts.append(f"{plural(asked, 'request')}, {plural(len(calls), 'call')}")
    parts += [
        f"{count} {state}"
        for state in (MoveState.FAILED, MoveState.UNKNOWN)
        if (count := sum(move.state is state for move in calls))
    ]
    if cost:
        parts.append(f"US$ {cost:.4f}")
    return "; ".join(parts)


def _to_show(cursor: Connection) -> list[tuple[Turn, list[Move], float]]:
    """Return the turns that are to be shown, each with its moves and its cost."""
    return [
        (turn, turn_rows.list_moves(cursor, turn.id), usage.read_spent_in_turn(cursor, turn.id))
        for turn in turn_rows.list_to_show(cursor, BATCH)
    ]


def _rows(house: House, turn: Turn, moves: Sequence[Move]) -> list[dict[str, object]]:
    """Return the moves of a turn, or the turn alone where it came to none."""
    of_turn = {
        "turn": turn.id,
        "agent": turn.agent,
        "version": turn.agent_version,
        "ended": turn.state,
    }
    link = build_chat_address(house.settings, turn.chat_id)
    return [of_turn | _cells(move) | {"link": link} for move in moves] or [of_turn | {"link": link}]


def _cells(move: Move) -> dict[str, object]:
    """Return what is shown of a move.

    A tool that there is none of is left without its name, because whoever thinks has made that up.
    """
    result = move.result if isinstance(move.result, dict) else {}
    made_up = move.kind is MoveKind.ACT and result.get("code") == FailureCode.NOT_FOUND
    ended = move.ended_at or move.began_at
    return {
        "move": move.kind,
        "name": "" if made_up else move.name,
        "state": move.state,
        "gates": ", ".join(gate.gate for gate in move.gates if gate.permit.rank),
        "milliseconds": round((ended - move.began_at).total_seconds() * 1000),
    }
