"""Asking again what an agent has failed to answer."""

from data.errors import ConflictError, ForbiddenError
from data.records.agents.turns import PersonCaller, Turn, TurnEvent
from data.records.core.principals import Permission, Principal
from data.store.agents import chats, turns
from data.store.core.database import Connection
from flows.agents.available import read_agent_for
from flows.agents.chats import build_viewer, must_work
from flows.agents.running import start_turn
from flows.agents.turn_triggers import begin_turn
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace


async def ask_again(
    house: House, workspace: Workspace, tools: Toolbox, turn_id: str, principal: Principal
) -> Turn:
    """Have an agent answer the same message in another turn; nothing is said a second time.

    Raises:
        NotFoundError: the person has no such chat, or no such agent any more.
        ForbiddenError: somebody else has asked.
        ConflictError: it did not fail, was asked again already, or the agent begins no turn now or
            is another one by its slug.

    """
    viewer = await build_viewer(house, workspace, principal)
    manages = principal.may(Permission.MANAGE_USERS, workspace.slug)

    def begin(cursor: Connection) -> Turn:
        before = turns.read_turn(cursor, turn_id)
        chats.read_chat(cursor, before.chat_id, viewer)
        if before.asked_by != principal.id:
            raise ForbiddenError("only who asked asks again")
        agent = read_agent_for(cursor, before.agent, viewer, manages=manages)
        must_work(agent)
        if before.agent_version < agent.since:
            raise ConflictError(f"{agent.name} is another agent than the one that was asked")
        if before not in turns.list_failed(cursor, [before.asked]):
            raise ConflictError("it did not fail, or was asked again already")
        now = house.clock()
        event = TurnEvent(
            caller=PersonCaller(user=principal.id),
            on_behalf_of=principal.id,
            agent=agent.slug,
            agent_version=agent.version,
            chat_id=before.chat_id,
            message_id=before.asked,
            also=before.also,
            by_itself=before.by_itself,
            again=True,
        )
        return begin_turn(cursor, event, now)

    again = await workspace.db.write(begin)
    if not again.queued:
        start_turn(house, workspace, tools, again, principal)
    return again
