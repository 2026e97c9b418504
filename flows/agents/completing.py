"""A chat program asks an agent: its conversation becomes a chat of its person."""

from datetime import datetime, timedelta

from data.errors import ForbiddenError, NotFoundError, UnfitError
from data.ids import new_id
from data.records.agents.agents import Agent
from data.records.agents.chats import (
    AuthorKind,
    Channel,
    Chat,
    ChatKind,
    ChatMember,
    ChatMessage,
    Listening,
    Said,
    Say,
)
from data.records.agents.completions import CompletionRequest, OfferedModel, PastMessage
from data.records.core.principals import Principal
from data.store.agents import chats
from data.store.core.database import Connection
from flows.agents.chats import say
from flows.agents.configuring import available_agent, available_to
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace

_PAUSE = timedelta(days=1)
_EARLIER = 40
"""Messages of a program's conversation that are kept; a turn is told of fewer."""


async def offered_models(house: House, principal: Principal) -> list[OfferedModel]:
    """Return the agents of all organizations that a person may talk to, as models."""
    offered: list[OfferedModel] = []
    for workspace in await _workspaces(house, principal):
        offered += [
            OfferedModel(
                id=f"{workspace.slug}/{agent.slug}",
                created=int(agent.installed_at.timestamp()),
                owned_by=workspace.slug,
            )
            for agent in await available_to(house, workspace, principal)
        ]
    return offered


async def ask_by_program(
    house: House, tools: Toolbox, wanted: CompletionRequest, principal: Principal
) -> tuple[Workspace, Said]:
    """Begin a turn for the last message of a program's conversation.

    What was said before it becomes the chat's history. What the program says as the system is
    passed over: an agent's prompt is the organization's.

    Raises:
        NotFoundError: there is no such agent for the person.
        UnfitError: the last message is not the person's, or says nothing.

    """
    said = [one for one in wanted.messages if one.role in ("user", "assistant") and one.text]
    if not said or said[-1].role != "user":
        raise UnfitError("the last message has to be the user's, with text in it")
    workspace, agent = await _chosen(house, wanted.model, principal)
    now = house.clock()
    chat = Chat(
        id=new_id(now),
        kind=ChatKind.DIRECT,
        agent=agent.slug,
        owner=principal.id,
        title="",
        channel=Channel.API,
        created_at=now,
        updated_at=now,
    )
    earlier = said[:-1][-_EARLIER:]
    await workspace.db.write(_keep_chat, chat, agent, earlier, principal, now)
    asked = Say(text=said[-1].text)
    return workspace, await say(house, workspace, tools, chat.id, asked, principal)


def _keep_chat(
    cursor: Connection,
    chat: Chat,
    agent: Agent,
    earlier: list[PastMessage],
    principal: Principal,
    now: datetime,
) -> None:
    """Write a chat with what was said in it before."""
    person = ChatMember(
        kind=AuthorKind.PERSON, member_id=principal.id, name=principal.name, joined_at=now
    )
    own = ChatMember(
        kind=AuthorKind.AGENT,
        member_id=agent.slug,
        name=agent.name,
        listening=Listening.PROACTIVE,
        joined_at=now,
    )
    chats.add_chat(cursor, chat, [person, own])
    for message in earlier:
        author = person if message.role == "user" else own
        place = chats.next_place(cursor, chat.id, now, _PAUSE)
        kept = ChatMessage(
            id=new_id(now),
            chat_id=chat.id,
            place=place.place,
            session=place.session,
            author=author.kind,
            author_id=author.member_id,
            author_name=author.name,
            text=message.text,
            turn_id="",
            said_at=now,
        )
        chats.add_message(cursor, kept, "", now)


async def _chosen(house: House, model: str, principal: Principal) -> tuple[Workspace, Agent]:
    """Return the agent that a model's name stands for, with its organization."""
    slug, _, agent = model.rpartition("/")
    workspaces = await _workspaces(house, principal)
    chosen = [one for one in workspaces if slug in ("", one.slug)]
    if len(chosen) != 1:
        raise NotFoundError(
            f"there is no model {model!r}; name it as organization/agent, GET /v1/models lists all"
        )
    return chosen[0], await available_agent(house, chosen[0], agent, principal)


async def _workspaces(house: House, principal: Principal) -> list[Workspace]:
    seen = [one for one in await house.all_workspaces() if principal.may_see(one.slug)]
    if not seen:
        raise ForbiddenError("this token opens no organization")
    return seen
