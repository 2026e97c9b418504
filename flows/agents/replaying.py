"""A turn once more with another version of its agent, to see what that would change.

What was asked is answered as it would be now: knowledge, memory and mail are those of today, and
who replays reads what they may read. Nothing is written: a call with an effect is noted as one
that would be made, nothing is picked up, and the moves are told, not kept. What a model costs is
counted.
"""

import asyncio
import difflib
from collections.abc import Collection, Sequence
from typing import NamedTuple

from data.errors import ForbiddenError, PosternError
from data.ids import new_id
from data.records.agents.chats import ChatMessage
from data.records.agents.turns import Move, MoveKind, Replay, Turn
from data.records.core.principals import Permission, Principal
from data.store.agents import chats, turns
from data.store.core import teams as team_store
from data.store.core.database import Connection
from flows.agents.available import read_version
from flows.agents.calls import TurnWaitsError
from flows.agents.chats import build_viewer
from flows.agents.journal import Journal
from flows.agents.speaking import Speaker
from flows.agents.turn import TurnStart, build_calls, read_start, work_out_answer
from flows.core.house import House
from flows.core.streams import Stream
from flows.core.tools import Calling, Toolbox
from flows.core.workspace import Workspace
from tasks.agents.permitting.binding import as_canonical_text


class _ReplayJournal(Journal):
    """The moves of a replay, which are told and not written."""

    def __init__(self, house: House, workspace: Workspace, turn: Turn) -> None:
        super().__init__(house, workspace, turn)
        self.moves: list[Move] = []

    def _note_move(self, move: Move) -> None:
        self.moves.append(move)

    def write_moves(self, _: Connection) -> None:
        """Write nothing."""


class _ReplayStart(NamedTuple):
    """A turn as it was, and what it begins with in another version."""

    turn: Turn
    moves: list[Move]
    answer: ChatMessage | None
    begun: TurnStart


async def replay_turn(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    turn_id: str,
    version: int,
    principal: Principal,
) -> Replay:
    """Return what a version of an agent does with what was asked in a turn, and what is different.

    Raises:
        NotFoundError: the person sees no such turn, or the agent has had no such version.
        ForbiddenError: the person does not manage agents here.

    """
    if not principal.may(Permission.MANAGE_USERS, workspace.slug):
        raise ForbiddenError("only who manages agents here replays a turn")
    viewer = await build_viewer(house, workspace, principal)
    teams = await house.control.read_once(team_store.list_teams_of, workspace.slug, principal.id)

    def look(cursor: Connection) -> _ReplayStart:
        turn = turns.read_turn(cursor, turn_id)
        chats.read_chat(cursor, turn.chat_id, viewer)
        begun = read_start(cursor, turn, teams)
        of_version = read_version(cursor, turn.agent, version)
        moves, answer = turns.list_moves(cursor, turn_id), chats.find_answer(cursor, turn_id)
        return _ReplayStart(turn, moves, answer, begun._replace(version=of_version))

    asked = await workspace.db.read(look)
    replayed = asked.turn.model_copy(
        update={
            "id": new_id(house.clock()),
            "agent_version": version,
            "asked_by": principal.id,
            "by_itself": False,
        }
    )
    journal = _ReplayJournal(house, workspace, replayed)
    answer, note = "", ""
    try:
        async with asyncio.timeout(house.settings.turn_seconds):
            answer = await _answer_again(Calling(house, workspace, principal), tools, journal,
                                   replayed, asked.begun, teams)  # fmt: skip
    except TimeoutError:
        note = f"It took longer than {house.settings.turn_seconds:g} seconds."
    except TurnWaitsError:
        note = "It would wait for the yes of who asked."
    except PosternError as error:
        note = str(error)
    before = asked.answer.text if asked.answer is not None else ""
    return Replay(
        turn_id=turn_id,
        version_before=asked.turn.agent_version,
        version=version,
        answer_before=before,
        answer=answer,
        note=note,
        moves=tuple(journal.moves),
        changes=_compare_moves(asked.moves, journal.moves),
    )


async def _answer_again(
    calling: Calling,
    tools: Toolbox,
    journal: Journal,
    turn: Turn,
    begun: TurnStart,
    teams: Collection[str],
) -> str:
    speaker = Speaker(Stream())
    calls = await build_calls(calling, tools, turn, begun, journal, speaker, teams)
    calls.replays = True
    asked = begun.waiting[-1]
    worked_out = await work_out_answer(
        calls, begun.agent, asked, begun.text, begun.switched_on, speaker
    )
    return worked_out.text


def _compare_moves(before: Sequence[Move], after: Sequence[Move]) -> tuple[str, ...]:
    """Return the lines of both, each with whose it is; what is picked up later is no answering."""
    both = difflib.ndiff(_lines_of_moves(before), _lines_of_moves(after))
    return tuple(line for line in both if not line.startswith("?"))


def _lines_of_moves(moves: Sequence[Move]) -> list[str]:
    return [_describe_move(move) for move in moves if move.kind is not MoveKind.EXTRACT]


def _describe_move(move: Move) -> str:
    """Return a move in a line: its kind, its name, what a tool was called with, how it ended."""
    given = as_canonical_text(move.given) if move.kind is MoveKind.ACT else ""
    return " ".join(filter(None, (move.kind, move.name, given, move.state)))
