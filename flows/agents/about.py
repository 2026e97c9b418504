"""The matter of a chat: the agent that can tell of it, and its text as a model is told it."""

from collections.abc import Collection

from data.errors import ConflictError, NotFoundError
from data.portable import read_portable
from data.records.agents.agents import Agent
from data.records.agents.chats import NewChat
from data.records.agents.turns import CallFailure
from data.records.core.principals import Permission, Principal
from data.records.core.tools import Source
from data.store.agents import agents
from data.store.core.database import Connection
from flows.agents.available import list_available, read_available_agent, read_version
from flows.agents.calls import Calls
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace
from tasks.agents.default_agent import choose_default_agent
from tasks.agents.thinking import build_result_text, sources_of


async def choose_agent(
    house: House, workspace: Workspace, tools: Toolbox, new_chat: NewChat, principal: Principal
) -> tuple[NewChat, str]:
    """Return a chat to begin with its agent, and why that one, where nobody named one.

    That is the first by name that can tell of what the chat is about, else the general one, else
    the first by name; only such as work now are chosen.

    Raises:
        NotFoundError: there is no such agent, or none that can tell of it.
        ConflictError: the one that is named has no tool for it.

    """
    if new_chat.agent and not new_chat.about:
        return new_chat, ""
    kind = new_chat.about.partition(":")[0]
    declarations = [declaration for declaration in tools.declarations if declaration.about == kind]
    names = {name for text in declarations for name in (text.name, text.group)}
    if new_chat.agent:
        agent = await read_available_agent(house, workspace, new_chat.agent, principal)
        if not await workspace.db.read(_choose_able, [agent], names):
            raise ConflictError(
                f"{agent.name} has no tool to look into a {kind}; ask another agent"
            )
        return new_chat, ""
    there = await list_available(house, workspace, principal)
    if not there and principal.may(Permission.MANAGE_USERS, workspace.slug):
        there = await workspace.db.read(agents.list_agents)
    able = None
    if new_chat.about:
        able = {agent.slug for agent in await workspace.db.read(_choose_able, there, names)}
    chosen = choose_default_agent(there, able)
    if chosen is None:
        for_it = f" has a tool to look into a {kind}" if kind else " works"
        raise NotFoundError(f"no agent that you can ask now{for_it}")
    agent, why = chosen
    return new_chat.model_copy(update={"agent": agent.slug}), why


def _choose_able(
    cursor: Connection, wanted_agents: list[Agent], names: Collection[str]
) -> list[Agent]:
    """Return those that have a tool of one of these names or groups."""
    return [
        agent
        for agent in wanted_agents
        if set(names)
        & set(read_portable(read_version(cursor, agent.slug, agent.version).manifest).agent.tools)
    ]


async def describe_matter(calls: Calls) -> tuple[str, list[Source]]:
    """Return what a chat is about as a model is told it, with its sources by their numbers.

    It is looked up by the tool for it, so it passes the gates, brings its labels into the turn and
    is in the journal; nothing where the chat is about nothing in particular.
    """
    name = next(
        (declaration.name for declaration in calls.tools.declarations if declaration.about), ""
    )
    if not name:
        return "", []
    (outcome,) = await calls.make_calls([(name, {})])
    if isinstance(outcome, CallFailure):
        return outcome.sentence, []
    return build_result_text(outcome, 1), sources_of(outcome)
