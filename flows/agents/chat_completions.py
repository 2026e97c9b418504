"""A chat program asks an agent: its conversation becomes a chat of its person."""

from datetime import datetime, timedelta

from data.errors import ForbiddenError, NotFoundError, UnfitError
from data.records.agents.chats import AuthorKind, Chat, ChatChannel, NewChat, Said, Say
from data.records.agents.completions import (
    CompletionRequest,
    CompletionUsage,
    OfferedModel,
    PastMessage,
)
from data.records.core.principals import Principal
from data.store.agents import agents, chats
from data.store.core import usage
from data.store.core.database import Connection
from flows.agents.available import list_available, read_manifest
from flows.agents.chats import begin_chat, say_in_chat
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace

_PAUSE = timedelta(days=1)
_EARLIER = 40
"""Messages of a program's conversation that are kept; a turn is told of fewer."""


async def list_offered_models(house: House, principal: Principal) -> list[OfferedModel]:
    """Return the agents of all organizations that a person may talk to, as models."""
    offered: list[OfferedModel] = []
    for workspace in await _list_workspaces(house, principal):
        offered += [
            OfferedModel(
                id=f"{workspace.slug}/{agent.slug}",
                created=int(agent.installed_at.timestamp()),
                owned_by=workspace.slug,
            )
            for agent in await list_available(house, workspace, principal)
            if (await workspace.db.read(read_manifest, agent)).agent.is_reached_by("api")
        ]
    return offered


async def begin_program_turn(
    house: House, tools: Toolbox, completion_request: CompletionRequest, principal: Principal
) -> tuple[Workspace, Said]:
    """Begin a turn for the last message of a program's conversation.

    What was said before it becomes the chat's history. What the program says as the system is
    passed over: an agent's prompt is the organization's.

    Raises:
        NotFoundError: there is no such agent for the person.
        UnfitError: the last message is not the person's, or says nothing.

    """
    messages = [
        message
        for message in completion_request.messages
        if message.role in ("user", "assistant") and message.text
    ]
    if not messages or messages[-1].role != "user":
        raise UnfitError("the last message has to be the user's, with text in it")
    workspace, slug = await _choose_agent(house, completion_request.model, principal)
    chat = await begin_chat(house, workspace, NewChat(agent=slug), principal, ChatChannel.API)
    earlier = messages[:-1][-_EARLIER:]
    await workspace.db.write(_keep_earlier_messages, chat, earlier, principal, house.clock())
    asked = Say(text=messages[-1].text)
    return workspace, await say_in_chat(house, workspace, tools, chat.id, asked, principal)


async def read_usage(workspace: Workspace, turn_id: str) -> CompletionUsage:
    """Return the tokens that a turn has taken so far."""
    asked = await workspace.db.read(usage.read_of_turn, turn_id)
    read = asked.tokens_in + asked.cache_read + asked.cache_write
    return CompletionUsage(
        prompt_tokens=read,
        completion_tokens=asked.tokens_out,
        total_tokens=read + asked.tokens_out,
    )


def _keep_earlier_messages(
    cursor: Connection,
    chat: Chat,
    earlier: list[PastMessage],
    principal: Principal,
    now: datetime,
) -> None:
    """Write what was said in a program's conversation before."""
    person = chats.Author(AuthorKind.PERSON, principal.id, principal.name)
    agent = chats.Author(AuthorKind.AGENT, chat.agent, agents.read_agent(cursor, chat.agent).name)
    for message in earlier:
        author = person if message.role == "user" else agent
        chats.add_message(cursor, chat.id, author, message.text, now=now, pause=_PAUSE)


async def _choose_agent(house: House, model: str, principal: Principal) -> tuple[Workspace, str]:
    """Return the agent that a model's name stands for, as its organization and its slug."""
    slug, _, agent = model.rpartition("/")
    workspaces = await _list_workspaces(house, principal)
    chosen = [workspace for workspace in workspaces if slug in ("", workspace.slug)]
    if len(chosen) != 1 or not agent:
        raise NotFoundError(
            f"there is no model {model!r}; name it as organization/agent, GET /v1/models lists all"
        )
    return chosen[0], agent


async def _list_workspaces(house: House, principal: Principal) -> list[Workspace]:
    workspaces = [
        workspace
        for workspace in await house.list_workspaces()
        if principal.may_see(workspace.slug)
    ]
    if not workspaces:
        raise ForbiddenError("this token opens no organization")
    return workspaces
