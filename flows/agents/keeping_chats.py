"""Keeping chats: people name, let in, rate, export and remove."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from data.errors import ConflictError, ForbiddenError, NotFoundError
from data.records.agents.chats import (
    AuthorKind,
    ChangedChat,
    Chat,
    ChatKind,
    ChatMember,
    ChatMessage,
    NewMember,
    Rating,
)
from data.records.agents.turn_work import TurnWork
from data.records.core.principals import Permission, Principal, operator_of
from data.records.core.tools import Source
from data.settings import Settings
from data.store.agents import chats, turns
from data.store.core import teams as team_store
from data.store.core import users
from data.store.core.database import Connection
from flows.agents.available import read_available_agent, read_manifest
from flows.agents.chats import build_agent_member, build_person_member, build_viewer, must_fit_chat
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.services import build_window_address
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace
from tasks.agents.conversing import cut_needless_escapes, escape_words

_ALL = 2**31 - 1


async def change_chat(
    house: House, workspace: Workspace, chat_id: str, order: ChangedChat, principal: Principal
) -> Chat:
    """Call a chat something else, or end it; nothing but its people ends one, and no time.

    Raises:
        NotFoundError: the person has no such chat.
        ForbiddenError: another person began it.
        ConflictError: it is to be ended, and an agent is at work in it.

    """
    viewer = await build_viewer(house, workspace, principal)
    here = await list_people_here(house, workspace)

    def work(cursor: Connection) -> Chat:
        chat = chats.read_chat(cursor, chat_id, viewer)
        _must_manage_chat(cursor, workspace, chat, here, principal)
        if order.title is not None:
            chats.rename(cursor, chat_id, order.title)
        if order.completed and turns.list_active(cursor, chat_id):
            raise ConflictError("an agent is at work in this chat; wait for it, or stop it first")
        if order.completed:
            chats.complete(cursor, chat_id, house.clock())
        elif order.completed is not None:
            chats.reopen(cursor, chat_id)
        return chats.read_chat(cursor, chat_id, viewer)

    return await workspace.db.write(work)


async def remove_chat(
    house: House, workspace: Workspace, chat_id: str, principal: Principal
) -> None:
    """Remove a chat with all that was said in it; the audit log keeps that it was.

    Raises:
        NotFoundError: the person has no such chat.
        ForbiddenError: another person began it.
        ConflictError: an agent is at work in it.

    """
    viewer = await build_viewer(house, workspace, principal)
    here = await list_people_here(house, workspace)

    def work(act: Act) -> None:
        chat = chats.read_chat(act.cursor, chat_id, viewer)
        _must_manage_chat(act.cursor, workspace, chat, here, principal)
        if turns.list_active(act.cursor, chat_id):
            raise ConflictError("an agent is at work in this chat; wait for it, or stop it first")
        chats.remove(act.cursor, chat_id)
        act.note("remove chat", f"chat:{chat_id}")

    await carry_out(house, workspace, principal, work)


async def admit_member(
    house: House, workspace: Workspace, chat_id: str, new_member: NewMember, principal: Principal
) -> tuple[ChatMember, ...]:
    """Let somebody into a chat, or have an agent listen in another way; return all members.

    Raises:
        NotFoundError: the person has no such chat, or there is no such agent or user.
        ConflictError: the chat is another kind's, in which people come by themselves, or the agent
            is tested.

    """
    viewer = await build_viewer(house, workspace, principal)
    now = house.clock()
    if new_member.kind is AuthorKind.AGENT:
        agent = await read_available_agent(house, workspace, new_member.member_id, principal)
        chat = await workspace.db.read(chats.read_chat, chat_id, viewer)
        must_fit_chat(chat.kind, agent)
        manifest = (await workspace.db.read(read_manifest, agent)).agent
        listening = new_member.listening or manifest.listening.in_a(chat.kind)
        member = build_agent_member(agent, listening, now)
    else:
        member = await house.control.read(
            build_person_member, workspace.slug, new_member.member_id, principal, now
        )

    def work(cursor: Connection) -> tuple[ChatMember, ...]:
        chat = chats.read_chat(cursor, chat_id, viewer)
        if member.kind is AuthorKind.PERSON and chat.kind is not ChatKind.GROUP:
            raise ConflictError("people are let into chats of a group; begin one")
        chats.set_member(cursor, chat_id, member)
        return chats.list_members(cursor, chat_id)

    return await workspace.db.write(work)


async def dismiss_member(
    house: House,
    workspace: Workspace,
    chat_id: str,
    kind: AuthorKind,
    member_id: str,
    principal: Principal,
) -> None:
    """Let somebody take part no longer: oneself, an agent, or as its owner another person.

    Raises:
        NotFoundError: the person has no such chat, or it no such member.
        ForbiddenError: only who began the chat may dismiss another person.
        ConflictError: nobody would be left, so that the chat would be there for nobody.

    """
    viewer = await build_viewer(house, workspace, principal)
    here = await list_people_here(house, workspace)

    def work(cursor: Connection) -> None:
        chat = chats.read_chat(cursor, chat_id, viewer)
        is_person = kind is AuthorKind.PERSON
        if is_person and member_id != principal.id:
            _must_manage_chat(cursor, workspace, chat, here, principal)
        left = {
            person
            for person in _list_people_in_chat(cursor, chat, here.users)
            if person != member_id
        }
        if is_person and chat.kind is ChatKind.GROUP and not left:
            raise ConflictError("nobody would be left in this chat; remove it instead")
        if not chats.end_membership(cursor, chat_id, kind, member_id, house.clock()):
            raise NotFoundError(f"nobody takes part in this chat as {member_id!r}")

    await workspace.db.write(work)


async def rate_answer(
    house: House,
    workspace: Workspace,
    message_id: str,
    rating: Rating | None,
    principal: Principal,
) -> None:
    """Keep what a person thinks of an agent's answer; None takes it back.

    Raises:
        NotFoundError: the person sees no such answer.

    """
    viewer = await build_viewer(house, workspace, principal)

    def work(cursor: Connection) -> None:
        message = chats.read_message(cursor, message_id)
        try:
            chats.read_chat(cursor, message.chat_id, viewer)
        except NotFoundError as error:
            raise NotFoundError(f"there is no message {message_id!r}") from error
        if message.author is not AuthorKind.AGENT:
            raise ConflictError("only what an agent says is rated")
        chats.keep_rating(cursor, message_id, principal.id, rating, house.clock())

    await workspace.db.write(work)


def read_transcript(cursor: Connection, chat_id: str) -> tuple[ChatMessage, ...]:
    """Return all that was said in a chat, oldest first."""
    return tuple(chats.list_messages(cursor, chat_id, before=_ALL, limit=_ALL).listed)


def as_markdown(chat: Chat, chat_messages: tuple[ChatMessage, ...], settings: Settings) -> str:
    """Return a chat as a Markdown document, with the sources of each answer below it.

    Where a source has a page in the window, its address stands beside it. What is said is quoted,
    so that no text looks as if another had said a part of it.
    """
    pieces = [f"# {chat.title or 'Chat'}"]
    for message in chat_messages:
        when = message.said_at.isoformat(" ", "minutes")
        pieces.append(f"**{message.author_name}**, {when}")
        pieces.append("\n".join(f"> {line}".rstrip() for line in message.text.splitlines()))
        pieces += [f"- {name_source(source, settings)}" for source in message.sources]
    return "\n\n".join(pieces) + "\n"


def name_source(source: Source, settings: Settings) -> str:
    """Return what a source is called, with the address of its page where it has one.

    A stranger may have written its title, which becomes no link and no picture where it is read.
    """
    page = f" {build_window_address(settings, source.page)}" if source.page else ""
    return f"{source.kind}: {cut_needless_escapes(escape_words(source.title))}{page}"


class PeopleHere(NamedTuple):
    """Who may see an organization now."""

    users: frozenset[str]
    """Their ids."""
    teams: Mapping[str, tuple[str, ...]]
    """By the id of a team, the ids of its members, who is here longest first."""


async def list_people_here(house: House, workspace: Workspace) -> PeopleHere:
    """Return who may see the organization now, and its teams."""
    return await house.control.read_once(_read_people_here, workspace.slug)


def _read_people_here(cursor: Connection, slug: str) -> PeopleHere:
    present = frozenset(
        user.id
        for user in users.list_users(cursor)
        if user.ended_at is None
        and any(grant.organization in (None, slug) for grant in user.grants)
    )
    members = {team.id: team.members for team in team_store.list_teams(cursor, slug)}
    return PeopleHere(present, MappingProxyType(members))


def may_manage_chat(
    cursor: Connection, workspace: Workspace, chat: Chat, here: PeopleHere, principal: Principal
) -> bool:
    """Return whether a person may name, end and remove a chat.

    That is who began it, and in a chat of a team or of the organization who manages users. Where
    who began it has left a group or a team, it is who came first of the others.
    """
    shared = chat.kind in (ChatKind.TEAM, ChatKind.ORGANIZATION)
    if shared and principal.may(Permission.MANAGE_USERS, workspace.slug):
        return True
    people: Sequence[str] = ()
    if chat.kind is ChatKind.GROUP:
        people = _list_people_in_chat(cursor, chat, here.users)
    elif chat.kind is ChatKind.TEAM:
        people = here.teams.get(chat.team, ())
    owner = chat.owner if chat.owner in people or not people else people[0]
    return owner == principal.id


def _list_people_in_chat(cursor: Connection, chat: Chat, present: Collection[str]) -> list[str]:
    """Return the people who take part in a chat and are still here, in the order of their coming.

    Who works at this machine is no user, and always is.
    """
    members = chats.list_members(cursor, chat.id)
    people = [member.member_id for member in members if member.kind is AuthorKind.PERSON]
    return [person for person in people if person in present or operator_of(person) is not None]


def _must_manage_chat(
    cursor: Connection, workspace: Workspace, chat: Chat, here: PeopleHere, principal: Principal
) -> None:
    """Refuse what only who answers for a chat may do.

    Raises:
        ForbiddenError: the person does not.

    """
    if not may_manage_chat(cursor, workspace, chat, here, principal):
        raise ForbiddenError("only who began this chat may do that")


def add_descriptions(work: Mapping[str, TurnWork], tools: Toolbox) -> dict[str, TurnWork]:
    """Return what turns did, each call with what its tool does, where there is such a tool."""
    words = {declaration.name: declaration.description for declaration in tools.declarations}
    return {
        turn_id: done.model_copy(
            update={
                "calls": tuple(
                    call.model_copy(update={"description": words.get(call.tool, "")})
                    for call in done.calls
                )
            }
        )
        for turn_id, done in work.items()
    }
