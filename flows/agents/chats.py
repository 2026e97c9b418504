"""What people do in chats: begin one, say something, and have an agent work on it."""

from datetime import datetime

from data.errors import ConflictError, NotFoundError
from data.ids import new_id
from data.records.agents.chats import AuthorKind, Chat, ChatKind, ChatMessage, Said
from data.records.agents.turns import Turn
from data.records.core.principals import Principal
from data.states import AgentState, TurnState
from data.store.agents import agents, chats, turns
from data.store.core import users
from data.store.core.database import Connection
from flows.agents.turn import run_turn
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace
from tasks.words.sentences import single_spaced

_TITLE = 80


async def begin_chat(
    house: House, workspace: Workspace, agent_slug: str, principal: Principal
) -> Chat:
    """Begin a chat of a person with an agent.

    Raises:
        NotFoundError: the organization has no such agent.

    """
    await workspace.db.read(agents.agent, agent_slug)
    now = house.clock()
    chat = Chat(
        id=new_id(now),
        kind=ChatKind.DIRECT,
        agent=agent_slug,
        owner=principal.id,
        title="",
        created_at=now,
        updated_at=now,
    )
    await workspace.db.write(chats.add_chat, chat)
    return chat


async def say(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    chat_id: str,
    text: str,
    principal: Principal,
) -> Said:
    """Keep what a person says together with the turn that it begins, and start the turn.

    Raises:
        NotFoundError: the person has no such chat.
        ConflictError: its agent is paused.

    """
    said = await workspace.db.write(_keep, chat_id, text, principal, house.clock())
    turn = await workspace.db.read(turns.turn, said.turn_id)
    start_turn(house, workspace, tools, turn, principal)
    return said


def start_turn(
    house: House, workspace: Workspace, tools: Toolbox, turn: Turn, principal: Principal
) -> None:
    """Let a turn run beside everything else."""
    house.run_aside(run_turn(house, workspace, tools, turn, principal), f"turn {turn.id}")


async def resume_turns(house: House, workspace: Workspace, tools: Toolbox) -> bool:
    """Go on with turns that an engine before this one left; return whether there were any.

    A turn goes on in the name of who asked, with what that person may do now.
    """
    resumed = False
    for turn in await workspace.db.read(turns.active):
        if house.streams.get(turn.id) is not None:
            continue
        resumed = True
        try:
            principal = await house.control.read(users.principal, turn.asked_by)
        except NotFoundError:
            note = "who asked is no user any more"
            await workspace.db.write(turns.end, turn.id, TurnState.FAILED, note, house.clock())
            continue
        start_turn(house, workspace, tools, turn, principal)
    return resumed


def _keep(cursor: Connection, chat_id: str, text: str, principal: Principal, now: datetime) -> Said:
    chat = chats.chat_of(cursor, chat_id, principal.id)
    agent = agents.agent(cursor, chat.agent)
    if agent.state is not AgentState.ACTIVE:
        raise ConflictError(f"{agent.name} is paused; `postern agent resume {agent.slug}`")
    turn_id = new_id(now)
    message = ChatMessage(
        id=new_id(now),
        chat_id=chat_id,
        place=chats.next_place(cursor, chat_id),
        author=AuthorKind.PERSON,
        author_id=principal.id,
        author_name=principal.name,
        text=text,
        turn_id=turn_id,
        said_at=now,
    )
    chats.add_message(cursor, message, single_spaced(text)[:_TITLE], now)
    turn = Turn(
        id=turn_id,
        chat_id=chat_id,
        agent=agent.slug,
        agent_version=agent.version,
        asked=message.id,
        asked_by=principal.id,
        state=TurnState.ACTIVE,
        started_at=now,
    )
    turns.begin(cursor, turn)
    return Said(message=message, turn_id=turn_id)
