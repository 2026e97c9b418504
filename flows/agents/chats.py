"""Chats as people use them: begin one, say something, and have an agent work on it."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from data.errors import ConflictError, ForbiddenError, NotFoundError
from data.ids import new_id
from data.records.agents.agents import Agent
from data.records.agents.chats import (
    AuthorKind,
    Chat,
    ChatChannel,
    ChatKind,
    ChatMember,
    NewChat,
    Said,
    Say,
    Viewer,
)
from data.records.agents.turns import PersonCaller, Turn, TurnEvent
from data.records.core.manifest_format import Listening
from data.records.core.principals import Permission, Principal
from data.states import AgentState
from data.store.agents import agents, chats
from data.store.core import teams as team_store
from data.store.core import users
from data.store.core.database import Connection
from flows.agents.available import read_available_agent, read_manifest
from flows.agents.running import start_turn
from flows.agents.turn_triggers import begin_turn
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace
from tasks.agents.addressing import is_overheard, list_absent_names, list_answering_agents
from tasks.core.words.sentences import single_spaced

_TITLE = 80
REACHED_BY = {ChatChannel.WINDOW: "chat", ChatChannel.API: "api"}
"""What a manifest calls each channel."""


async def begin_chat(
    house: House,
    workspace: Workspace,
    new_chat: NewChat,
    principal: Principal,
    channel: ChatChannel = ChatChannel.WINDOW,
    why: str = "",
) -> Chat:
    """Begin a chat with an agent: of a person alone, of a team, a group, or the organization.

    `why` says why it is this agent, where the person named none.

    Raises:
        NotFoundError: there is no such agent, team or user.
        ForbiddenError: the person is not in the team.
        ConflictError: the agent is tested, and the chat is not the person's alone; or the agent is
            not reached there, or begins no turn now.

    """
    agent = await read_available_agent(house, workspace, new_chat.agent, principal)
    must_fit_chat(new_chat.kind, agent)
    manifest = (await workspace.db.read(read_manifest, agent)).agent
    if not manifest.is_reached_by(REACHED_BY[channel]):
        raise ConflictError(f"{agent.name} is not reached here; its manifest names other channels")
    now = house.clock()
    invited = await house.control.read(_list_invited, workspace.slug, new_chat, principal, now)
    listening = manifest.listening.in_a(new_chat.kind)
    chat = Chat(
        id=new_id(now),
        kind=new_chat.kind,
        agent=agent.slug,
        agent_why=why,
        team=new_chat.team,
        owner=principal.id,
        title=single_spaced(new_chat.title),
        channel=channel,
        about=new_chat.about,
        created_at=now,
        updated_at=now,
    )
    first = build_agent_member(agent, listening, now)

    def add(cursor: Connection) -> None:
        must_work(agents.read_agent(cursor, agent.slug))
        chats.add_chat(cursor, chat, [*invited, first])

    await workspace.db.write(add)
    return chat


def _list_invited(
    cursor: Connection, slug: str, new_chat: NewChat, principal: Principal, now: datetime
) -> list[ChatMember]:
    """Return the people of a new chat; a team's and an organization's people come by themselves."""
    if new_chat.kind is ChatKind.TEAM:
        team = team_store.read_team(cursor, slug, new_chat.team)
        if principal.id not in team.members:
            raise ForbiddenError(f"you are not in the team {team.name!r}")
    ids = [principal.id, *new_chat.people] if new_chat.kind is ChatKind.GROUP else [principal.id]
    return [
        build_person_member(cursor, slug, user_id, principal, now) for user_id in dict.fromkeys(ids)
    ]


def must_fit_chat(kind: ChatKind, agent: Agent) -> None:
    """Refuse an agent that is tested in a chat of several.

    Raises:
        ConflictError: it is.

    """
    if agent.state is AgentState.TESTING and kind is not ChatKind.DIRECT:
        raise ConflictError(f"{agent.name} is tested; others meet it once it is active")


def build_agent_member(agent: Agent, listening: Listening, now: datetime) -> ChatMember:
    """Return an agent as a member of a chat."""
    return ChatMember(
        kind=AuthorKind.AGENT,
        member_id=agent.slug,
        name=agent.name,
        listening=listening,
        joined_at=now,
    )


def build_person_member(
    cursor: Connection, slug: str, user_id: str, principal: Principal, now: datetime
) -> ChatMember:
    """Return a user as a member of a chat, from the control state.

    Raises:
        NotFoundError: there is no such user in the organization.

    """
    invited = principal if user_id == principal.id else users.read_principal(cursor, user_id)
    if not invited.may_see(slug):
        raise NotFoundError(f"there is no user {user_id!r} in this organization")
    return ChatMember(
        kind=AuthorKind.PERSON, member_id=invited.id, name=invited.name, joined_at=now
    )


async def build_viewer(house: House, workspace: Workspace, principal: Principal) -> Viewer:
    """Return a person as one who looks at chats of an organization."""
    teams = await house.control.read_once(team_store.list_teams_of, workspace.slug, principal.id)
    return Viewer(user=principal.id, teams=teams)


async def say_in_chat(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    chat_id: str,
    order: Say,
    principal: Principal,
    *,
    by_itself: bool = False,
) -> Said:
    """Keep what a person says together with the turns that it begins, and start them.

    With `by_itself` the agents work with what their own roles permit.

    Raises:
        NotFoundError: the person has no such chat.
        ConflictError: an agent that is to answer is paused.

    """
    viewer = await build_viewer(house, workspace, principal)
    pause = timedelta(minutes=house.settings.chat_session_minutes)
    asks_any = principal.may(Permission.MANAGE_USERS, workspace.slug)
    message_kept, begun = await workspace.db.write(
        _keep_message,
        chat_id,
        order,
        principal,
        viewer,
        pause,
        house.clock(),
        asks_any=asks_any,
        by_itself=by_itself,
    )
    for turn in begun:
        if not turn.queued:
            start_turn(house, workspace, tools, turn, principal)
    return message_kept


def _keep_message(
    cursor: Connection,
    chat_id: str,
    order: Say,
    principal: Principal,
    viewer: Viewer,
    pause: timedelta,
    now: datetime,
    *,
    asks_any: bool,
    by_itself: bool,
) -> tuple[Said, list[Turn]]:
    """Return what became of it, and the turns that answer it; one that waits may answer more."""
    chat = chats.read_chat(cursor, chat_id, viewer)
    there = (
        agents.list_agents(cursor)
        if asks_any
        else agents.list_available(cursor, viewer.user, viewer.teams)
    )
    open_to = {agent.slug for agent in there}
    members = chats.list_members(cursor, chat.id)
    asked = _list_answering_agents(cursor, chat, members, order.text, open_to)
    absent = list_absent_names(order.text, chat.kind, members, open_to)
    if order.reply_to and chats.read_message(cursor, order.reply_to).chat_id != chat_id:
        raise NotFoundError(f"there is no message {order.reply_to!r}")
    if chat.completed_at is not None:
        chats.reopen(cursor, chat_id)
    message = chats.add_message(
        cursor,
        chat_id,
        chats.Author(AuthorKind.PERSON, principal.id, principal.name),
        order.text,
        now=now,
        pause=pause,
        title=single_spaced(order.text)[:_TITLE],
        reply_to=order.reply_to,
    )
    begun = [
        begin_turn(
            cursor,
            TurnEvent(
                caller=PersonCaller(user=principal.id),
                on_behalf_of=principal.id,
                agent=agent.slug,
                agent_version=agent.version,
                chat_id=chat_id,
                message_id=message.id,
                by_itself=by_itself,
            ),
            now,
        )
        for agent in asked
    ]
    turn_ids = tuple(turn.id for turn in begun)
    if turn_ids:
        message = chats.note_turn(cursor, message, turn_ids[0])
    outcome = Said(message=message, turn_id=message.turn_id, turns=turn_ids, absent=absent)
    return outcome, begun


def _list_answering_agents(
    cursor: Connection,
    chat: Chat,
    members: Sequence[ChatMember],
    text: str,
    open_to: Collection[str],
) -> list[Agent]:
    """Return the agents that answer what a person says.

    One that merely listens, and is paused, gone or not there for this person, stays silent: nobody
    has asked it.

    Raises:
        ConflictError: one of those that are asked is none that the person may ask now, or the one
            that the chat was with is there no more.

    """
    in_chat = [member for member in members if member.kind is AuthorKind.AGENT]
    if chat.kind is ChatKind.DIRECT and not in_chat:
        agent = agents.read_agent(cursor, chat.agent)
        must_work(agent)
        raise ConflictError(
            f"{agent.name} is in this chat no more; let an agent in, or begin another chat"
        )
    if chat.channel is ChatChannel.API:  # it was asked by the name of a model, whomever words name
        return [_must_answer(agents.read_agent(cursor, chat.agent), open_to)]
    meant = [
        agents.read_agent(cursor, slug) for slug in list_answering_agents(text, chat.kind, members)
    ]
    if is_overheard(text, chat.kind, members):
        return [agent for agent in meant if agent.works and agent.slug in open_to]
    return [_must_answer(agent, open_to) for agent in meant]


def _must_answer(agent: Agent, open_to: Collection[str]) -> Agent:
    """Return an agent that is to answer.

    Raises:
        ConflictError: it is paused, gone, or none of those that the person may ask.

    """
    must_work(agent)
    if agent.slug not in open_to:
        raise ConflictError(f"{agent.name} is not assigned to you; ask who manages agents")
    return agent


def must_work(agent: Agent) -> None:
    """Refuse an agent that begins no turn now.

    Raises:
        ConflictError: it is paused or gone, or has to be set up first.

    """
    if not agent.works:
        how = f"who manages agents resumes it on its page or by `postern agent resume {agent.slug}`"
        is_gone = agent.state is AgentState.DELETED
        if agent.unanswered and agent.state in (AgentState.ACTIVE, AgentState.TESTING):
            raise ConflictError(
                f"{agent.name} has to be set up first: {agent.unanswered[0]!r} is not answered; "
                "who manages agents does it on its page or by "
                f"`postern agent settings {agent.slug}`"
            )
        raise ConflictError(
            f"{agent.name} is gone" if is_gone else f"{agent.name} is paused; {how}"
        )
