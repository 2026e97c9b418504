"""Turns beside everything else: begun, taken up again, queued behind each other, stopped."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypeVar

from data.errors import ConflictError, ForbiddenError, NotFoundError
from data.records.agents.chats import Viewer
from data.records.agents.turns import Turn
from data.records.core.principals import Permission, Principal, operator_of
from data.records.core.streams import StreamEvent
from data.store.agents import agents, chats, turns
from data.store.core import teams as team_store
from data.store.core import users
from data.store.core.database import Connection
from flows.agents.ending import end_turn_early, end_turn_in_words
from flows.agents.journal import list_undecided
from flows.agents.turn import run_turn
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace

ResultT = TypeVar("ResultT")


def start_turn(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    turn: Turn,
    principal: Principal,
    *,
    again: bool = False,
) -> None:
    """Let a turn run beside everything else, and the one that waits for it afterwards.

    One that was begun before, or queued, is begun `again`: that is counted by who works on it
    alone, however many have seen that it can go on.
    """
    if _is_running(house, turn.id):
        return

    async def run() -> str:
        async with workspace.erasing:  # whose erasing ends what works by then
            begun = await _begin_turn(workspace, turn, again=again)
        outcome = ""
        if begun is not None:
            outcome = await run_turn(house, workspace, tools, begun, principal)
        # A person may have decided before this work was over, when the turn seemed to be at work
        # still. From here on it is not, so either they or this errand take it up.
        errand.set_name(f"behind turn {turn.id}")
        await resume_turns(house, workspace, tools, chat_id=turn.chat_id)
        return outcome

    errand = house.run_aside(run(), _name_errand(turn.id))


async def resume_turns(
    house: House, workspace: Workspace, tools: Toolbox, *, chat_id: str = ""
) -> bool:
    """Begin the turns that nothing works on and nobody is waited for; return whether any was.

    These are what an engine before this one left, what waited for a person who has decided, and
    what waited for the turn before. A turn goes on in the name of who asked, with what that person
    may do now.
    """
    resumed = await _end_unasked_turns(house, workspace, chat_id)
    for turn in await workspace.db.read(_list_idle, chat_id):
        if _is_running(house, turn.id):
            continue
        resumed = True
        principal, why_not = await _find_asker(house, workspace, turn)
        if principal is None:
            await workspace.db.write(end_turn_early, turn.id, why_not, "Postern", house.clock())
            continue
        start_turn(house, workspace, tools, turn, principal, again=True)
    return resumed


async def _begin_turn(workspace: Workspace, turn: Turn, *, again: bool) -> Turn | None:
    """Return a turn as it begins; None where it has ended, or waits for a person by now."""
    if again:
        return await workspace.db.write(_begin_try, turn.id)
    return turn if await workspace.db.read(turns.is_active, turn.id) else None


def _begin_try(cursor: Connection, turn_id: str) -> Turn | None:
    """Count that a turn is begun once more; None where it has ended or waits for a person by now.

    Who saw that it can go on may have seen it long before.
    """
    if not turns.is_active(cursor, turn_id) or list_undecided(
        cursor, [turns.read_turn(cursor, turn_id)]
    ):
        return None
    return turns.begin_try(cursor, turn_id)


_NOBODY = "who asked is no user any more"
_NO_CHAT, _NO_AGENT = "who asked has the chat no more", "who asked has the agent no more"


async def _end_unasked_turns(house: House, workspace: Workspace, chat_id: str) -> bool:
    """End the turns that wait for the yes of somebody for whom they go on no more."""
    ended = False
    for turn in await workspace.db.read(_list_waiting, chat_id):
        principal, why_not = await _find_asker(house, workspace, turn)
        if principal is None:
            await workspace.db.write(end_turn_early, turn.id, why_not, "Postern", house.clock())
            ended = True
    return ended


async def _find_asker(
    house: House, workspace: Workspace, turn: Turn
) -> tuple[Principal | None, str]:
    """Return who asked, with what they may do now; None, and why, where it goes on no more.

    That is so for who may see nothing here any more, has left the chat, or has the agent no more:
    what its assignments took away would hold it no longer.
    """
    if (at_machine := operator_of(turn.asked_by)) is not None:
        return at_machine, ""
    try:
        principal = await house.control.read_once(users.read_principal, turn.asked_by)
    except NotFoundError:
        return None, _NOBODY
    if not principal.may_see(workspace.slug):
        return None, _NOBODY
    teams = await house.control.read_once(team_store.list_teams_of, workspace.slug, principal.id)
    asks_any = principal.may(Permission.MANAGE_USERS, workspace.slug)
    why_not = await workspace.db.read(_describe_why_over, turn, teams, asks_any)
    return (None, why_not) if why_not else (principal, "")


def _describe_why_over(
    cursor: Connection, turn: Turn, teams: frozenset[str], asks_any: bool
) -> str:
    """Return why a turn goes on no more for who asked; empty where it does."""
    try:
        chats.read_chat(cursor, turn.chat_id, Viewer(user=turn.asked_by, teams=teams))
    except NotFoundError:
        return _NO_CHAT
    there = agents.list_available(cursor, turn.asked_by, teams)
    has_agent = asks_any or any(agent.slug == turn.agent for agent in there)
    return "" if has_agent else _NO_AGENT


def _list_waiting(cursor: Connection, chat_id: str) -> list[Turn]:
    """Return the turns in which a person has to decide."""
    active = turns.list_active(cursor, chat_id)
    waiting = list_undecided(cursor, active) if active else set()
    return [turn for turn in active if turn.id in waiting]


def _list_idle(cursor: Connection, chat_id: str) -> list[Turn]:
    """Return the turns that can go on as far as the state says, the oldest first."""
    active = turns.list_active(cursor, chat_id)
    if not active:
        return []
    waiting = list_undecided(cursor, active)
    idle = [turn for turn in active if turn.id not in waiting]
    return [
        turn
        for turn in idle
        if not turn.queued or not _is_any_at_work(cursor, turns.list_turns_before(cursor, turn))
    ]


def _is_any_at_work(cursor: Connection, earlier: Sequence[Turn]) -> bool:
    """Return whether any of these turns, which are not at their end, is being worked on.

    One that waits for a person holds nobody up.
    """
    return bool(earlier) and len(earlier) > len(
        turns.list_awaiting(cursor, [t.id for t in earlier])
    )


def place_in_line(cursor: Connection, turn: Turn, earlier: Sequence[Turn]) -> Turn:
    """Return a new turn as it begins: at once, or behind the one that is worked on.

    `earlier` are the turns that the agent works on for the same person in the same chat.
    """
    busy = _is_any_at_work(cursor, earlier)
    return turn.model_copy(update={"queued": busy, "tries": 0 if busy else 1})


def _name_errand(turn_id: str) -> str:
    return f"turn {turn_id}"


def _is_running(house: House, turn_id: str) -> bool:
    """Return whether this engine works on a turn."""
    return any(task.get_name() == _name_errand(turn_id) for task in house.errands)


async def stop_turn(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    turn_id: str,
    principal: Principal,
    viewer: Viewer,
) -> Turn:
    """End a turn in a person's name; what was said so far stays.

    Raises:
        NotFoundError: the person has no such chat.
        ForbiddenError: somebody else has asked.
        ConflictError: it is at its end.

    """
    note = f"Stopped by {principal.name}."

    def stop(act: Act) -> Turn:
        turn = turns.read_turn(act.cursor, turn_id)
        chat = chats.read_chat(act.cursor, turn.chat_id, viewer)
        if principal.id not in (turn.asked_by, chat.owner):
            raise ForbiddenError("only who asked stops an answer")
        if not _end_turn_now(house, act, turn_id, note):
            raise ConflictError("it has ended already")
        return turns.read_turn(act.cursor, turn_id)

    turn = await carry_out(house, workspace, principal, stop)
    await _let_go_of_turn(house, turn_id, note)
    await resume_turns(house, workspace, tools, chat_id=turn.chat_id)
    return turn


async def end_work(
    house: House,
    workspace: Workspace,
    slug: str,
    change: Callable[[Act], ResultT],
    became: str,
    principal: Principal,
) -> ResultT:
    """Change an agent so that it works no longer, and end what it is at; return the change.

    What it has said so far stays, and calls of it that wait for a yes are asked for no more.

    Args:
        house: of the engine.
        workspace: the organization.
        slug: of the agent.
        change: what becomes of it.
        became: the same in a word for the people whose turns end: *paused*.
        principal: who does it.

    """

    def end(act: Act) -> tuple[ResultT, list[str], str]:
        changed = change(act)
        note = f"{agents.read_agent(act.cursor, slug).name} was {became} by {principal.name}."
        at_work = [turn.id for turn in turns.list_active(act.cursor) if turn.agent == slug]
        for turn_id in at_work:
            _end_turn_now(house, act, turn_id, note)
        return changed, at_work, note

    changed, ended, note = await carry_out(house, workspace, principal, end)
    for turn_id in ended:
        await _let_go_of_turn(house, turn_id, note)
    return changed


async def end_turns_of_person(
    house: House, workspace: Workspace, user_id: str, principal: Principal
) -> None:
    """End what agents are at for a person, and wait until nothing is written of it any more.

    The caller holds `Workspace.erasing` until what is held of the person is deleted, so that
    nothing of it comes back.
    """
    note = f"What is held of who asked was erased by {principal.name}."
    await _end_turns(house, workspace, principal, note, lambda turn: turn.asked_by == user_id)


async def end_turns_at_work(house: House, workspace: Workspace, principal: Principal) -> None:
    """End what agents are at now, for whomever, and wait until nothing is written of it any more.

    What they have in their hands may be of a contact who is to be erased. A turn that waits for a
    person has nothing in its hands, and goes on from its journal. The caller holds
    `Workspace.erasing` until the contact is deleted.
    """
    note = f"What is held of a contact was erased by {principal.name}. Ask again."
    at_work = {task.get_name() for task in house.errands}
    await _end_turns(
        house, workspace, principal, note, lambda turn: _name_errand(turn.id) in at_work
    )


async def _end_turns(
    house: House,
    workspace: Workspace,
    principal: Principal,
    note: str,
    is_meant: Callable[[Turn], bool],
) -> None:
    def end(act: Act) -> list[str]:
        at_work = [turn.id for turn in turns.list_active(act.cursor) if is_meant(turn)]
        for turn_id in at_work:
            end_turn_early(act.cursor, turn_id, note, act.actor, act.now)
        return at_work

    for turn_id in await carry_out(house, workspace, principal, end):
        await _let_go_of_turn(house, turn_id, note)
    behind = [task for task in house.errands if task.get_name().startswith(("extract ", "shadow "))]
    await asyncio.gather(*behind, return_exceptions=True)


def _end_turn_now(house: House, act: Act, turn_id: str, note: str) -> bool:
    """End a turn with what it has said by now; return whether this call did it."""
    stream = house.streams.find(turn_id)
    return end_turn_in_words(
        act.cursor,
        turn_id,
        note,
        act.actor,
        act.now,
        partial_text=stream.said if stream is not None else "",
        pause=timedelta(minutes=house.settings.chat_session_minutes),
    )


async def _let_go_of_turn(house: House, turn_id: str, note: str) -> None:
    """Tell who listens that a turn has ended, and end this engine's work on it."""
    stream = house.streams.find(turn_id)
    if stream is not None and not stream.ended:
        stream.put(StreamEvent(kind="failed", text=note))
        stream.end()
    await _cancel_work(house, turn_id)


async def _cancel_work(house: House, turn_id: str) -> None:
    """End this engine's work on a turn, and wait until it has let go."""
    running = [task for task in house.errands if task.get_name() == _name_errand(turn_id)]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
