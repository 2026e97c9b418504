"""The chats that people have with each other and with agents (docs/agents.md#chats)."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from data.errors import NotFoundError, UnfitError
from data.ids import time_of
from data.languages import ISO_LANGUAGES
from data.records.agents.agents import NewAnswers, OwnAnswers
from data.records.agents.chats import (
    AuthorKind,
    ChangedChat,
    Chat,
    ChatList,
    ChatMatter,
    ChatMessage,
    ChatPreferences,
    ChatView,
    FailedTurn,
    MemberList,
    NewChat,
    NewMember,
    Rating,
    Said,
    Say,
    Viewer,
)
from data.records.core.record import Line
from data.records.core.tools import Change
from data.states import TurnState
from data.store.agents import agents, chats, turn_work, turns
from data.store.agents.turns import TurnLine
from data.store.core.database import Connection
from data.store.mail import cases, contact_cards
from data.window_pages import with_pages
from flows.agents import keeping_chats
from flows.agents.about import choose_agent
from flows.agents.available import read_manifest
from flows.agents.chats import begin_chat, build_viewer, say_in_chat
from flows.agents.onboarding import keep_own_answers, read_own_answers
from flows.agents.services import add_services
from flows.agents.undoing import list_stored
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.core.workspace import Workspace
from flows.running.agents import TOOLS
from tasks.agents.about_case import list_matter_suggestions
from tasks.core.wording import languages

router = APIRouter(prefix="/v1/{org}/chats", tags=["chats"])
_NEWEST = 2**31 - 1
_PAGE = 40


@router.get("")
async def list_chats(
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    words: str = Query("", max_length=200),
    about: str = Query("", max_length=300),
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> ChatList:
    """Return one page of the chats that who asks can see, the newest first.

    `words` leaves those in which they stand, `about` those about one thing: `case:` and an id, or
    `contact:` and an address. A day as words, `2026-03-02`, leaves those in which something was
    said on it.
    """
    viewer = await build_viewer(house, workspace, principal)
    day = _day(words)
    items, total = await workspace.db.read(
        chats.list_page,
        viewer,
        words="" if day else words.strip(),
        day=day,
        zone=workspace.organization.timezone,
        about=about,
        limit=limit,
        offset=offset,
    )
    matters = await workspace.db.read(_list_matters, items)
    states = await workspace.db.read(turns.read_chat_states, items)
    return ChatList(items=items, total=total, about=matters, states=states)


def _day(words: str) -> date | None:
    """Return the day that is searched for; None for words."""
    try:
        day = date.fromisoformat(words.strip())
    except ValueError:
        return None
    return day if words.strip() == f"{day}" else None  # eight digits alone are a number


@router.post("")
async def new_chat(
    order: NewChat, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Chat:
    """Begin a chat with an agent: one's own, of a team, a group, or the organization.

    Where no agent is named, one is taken that can look into what the chat is about, else the
    general one, else the first by name; `agent_why` says which it was.
    """
    if order.about:
        await workspace.db.read(_must_be_there, order.about)
    order, why = await choose_agent(house, workspace, TOOLS, order, principal)
    return await begin_chat(house, workspace, order, principal, why=why)


@router.get("/preferences")
async def show_preferences(workspace: WorkspaceOf, principal: PrincipalOf) -> ChatPreferences:
    """Return how who asks likes answers."""
    return await workspace.db.read(chats.read_preferences, principal.id)


@router.put("/preferences")
async def set_preferences(
    order: ChatPreferences, workspace: WorkspaceOf, principal: PrincipalOf
) -> ChatPreferences:
    """Say how one likes answers: their length, and their language, by its code of two letters.

    Without a model agents answer in English, German, French or Spanish, and in English for another.
    """
    if order.language and order.language not in ISO_LANGUAGES:
        raise UnfitError(
            f"there is no language {order.language!r}; agents answer in {', '.join(languages())} "
            "without a model, and with one in any of ISO 639-1, such as nl or pl"
        )
    await workspace.db.write(chats.set_preferences, principal.id, order)
    return order


@router.get(
    "/{chat_id}",
    response_model=ChatView,
    responses={304: {"description": "Nothing was written since the mark that was seen"}},
)
async def show_chat(
    chat_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    before: int = Query(_NEWEST, ge=1),
    limit: int = Query(_PAGE, ge=1, le=200),
    seen_mark: str = Query("", max_length=100, alias="seen"),
) -> ChatView | Response:
    """Return a chat with its newest messages, or those before a place; 304 for the mark `seen`.

    It is the `mark` of what was returned before, and nothing is read while it is the newest.
    """
    mark = f"{workspace.db.mark}-{house.control.mark}"  # before it is read: what comes then counts
    if seen_mark == mark:
        return Response(status_code=304)
    viewer = await build_viewer(house, workspace, principal)
    here = await keeping_chats.list_people_here(house, workspace)

    def read(cursor: Connection) -> tuple[ChatView, dict[str, tuple[Change, ...]]]:
        view, own_stored = _chat_view(cursor, chat_id, viewer, before=before, limit=limit)
        own = keeping_chats.may_manage_chat(cursor, workspace, view.chat, here, principal)
        work = keeping_chats.add_descriptions(view.work, add_services(TOOLS, workspace))
        update = {"mark": mark, "answers_for": own, "work": work}
        return view.model_copy(update=update), own_stored

    view, own_stored = await workspace.db.read(read)
    if own_stored:
        stored = await list_stored(house, workspace, principal, own_stored)
        view = view.model_copy(update={"stored": stored})
    suggestions = await workspace.db.read(_suggestions, view, workspace, viewer)
    return view.model_copy(update={"suggestions": suggestions})


def _suggestions(
    cursor: Connection, view: ChatView, workspace: Workspace, viewer: Viewer
) -> tuple[str, ...]:
    """Return what can be asked in a chat, in the language that its person has chosen, or ours."""
    preferred = chats.read_preferences(cursor, viewer.user)
    language = preferred.language or workspace.organization.language
    if view.about is not None:
        return list_matter_suggestions(view.about.kind, language)
    if view.messages or view.earlier:
        return ()
    agent = agents.read_agent(cursor, view.chat.agent)
    return read_manifest(cursor, agent).agent.suggestions_for(language)


@router.patch("/{chat_id}")
async def change_chat(
    chat_id: str, order: ChangedChat, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Chat:
    """Call a chat something else, say that its people are done with it, or take that back."""
    return await keeping_chats.change_chat(house, workspace, chat_id, order, principal)


@router.delete("/{chat_id}")
async def remove_chat(
    chat_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> None:
    """Remove a chat with all that was said in it."""
    await keeping_chats.remove_chat(house, workspace, chat_id, principal)


@router.get("/answers/{agent}")
async def show_own_answers(
    agent: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> OwnAnswers:
    """Return what an agent asks of who asks, and what has been answered."""
    return await read_own_answers(house, workspace, agent, principal)


@router.put("/answers/{agent}")
async def give_own_answers(
    agent: str,
    order: NewAnswers,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> OwnAnswers:
    """Answer what an agent asks of each person; null takes an answer away."""
    return await keep_own_answers(house, workspace, agent, order, principal)


@router.post("/{chat_id}/messages")
async def new_message(
    chat_id: str, order: Say, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Said:
    """Say something; the agents that are asked work on it, and their turns can be listened to."""
    return await say_in_chat(house, workspace, TOOLS, chat_id, order, principal)


@router.put("/{chat_id}/members")
async def admit(
    chat_id: str, order: NewMember, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MemberList:
    """Let somebody into a chat, or have an agent listen in another way."""
    items = await keeping_chats.admit_member(house, workspace, chat_id, order, principal)
    return MemberList(items=items)


@router.delete("/{chat_id}/members/{kind}/{member_id}")
async def dismiss(
    chat_id: str,
    kind: AuthorKind,
    member_id: Line,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> None:
    """Let somebody take part no longer; oneself, to leave."""
    await keeping_chats.dismiss_member(house, workspace, chat_id, kind, member_id, principal)


@router.put("/ratings/{message_id}")
async def rate(
    message_id: Line,
    order: Rating,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> Rating:
    """Say what one thinks of an agent's answer."""
    await keeping_chats.rate_answer(house, workspace, message_id, order, principal)
    return order


@router.delete("/ratings/{message_id}")
async def take_back_rating(
    message_id: Line, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> None:
    """Take back what one thought of an agent's answer."""
    await keeping_chats.rate_answer(house, workspace, message_id, None, principal)


@router.get("/{chat_id}/export", response_class=Response)
async def export_chat(
    chat_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    format: Literal["markdown", "json"] = "markdown",
) -> Response:
    """Return all that was said in a chat, as a Markdown document or as JSON."""
    viewer = await build_viewer(house, workspace, principal)

    def read(cursor: Connection) -> ChatView:
        chat = chats.read_chat(cursor, chat_id, viewer)
        state = turns.read_chat_states(cursor, [chat])[chat.id]
        messages_said = _with_window_pages(keeping_chats.read_transcript(cursor, chat_id))
        return ChatView(chat=chat, state=state, messages=messages_said, earlier=0)

    whole = await workspace.db.read(read)
    if format == "json":
        return Response(whole.model_dump_json(indent=2), media_type="application/json")
    document = keeping_chats.as_markdown(whole.chat, whole.messages, house.settings)
    return Response(document, media_type="text/markdown")


def _chat_view(
    cursor: Connection, chat_id: str, viewer: Viewer, *, before: int, limit: int
) -> tuple[ChatView, dict[str, tuple[Change, ...]]]:
    """Return a chat as a person sees it, and by turn what agents changed at the person's word."""
    chat = chats.read_chat(cursor, chat_id, viewer)
    messages, earlier = chats.list_messages(cursor, chat_id, before=before, limit=limit)
    ids = [message.id for message in messages]
    answering = [message.turn_id for message in messages if message.author is AuthorKind.AGENT]
    lines = turns.list_lines(cursor, chat_id, since=time_of(min(ids, default="")))
    shown = turn_work.list_shown_work(cursor, answering)
    own_turns = {turn.id for turn in lines if turn.asked_by == viewer.user}
    view = ChatView(
        chat=chat,
        state=turns.read_chat_states(cursor, [chat])[chat.id],
        about=_list_matters(cursor, [chat]).get(chat.id),
        members=chats.list_members(cursor, chat_id),
        messages=_with_window_pages(messages),
        earlier=earlier,
        active=tuple(turn.id for turn in lines if turn.state == TurnState.ACTIVE),
        failed=_list_failed(cursor, lines, set(ids), viewer),
        ratings=chats.list_ratings(cursor, ids, viewer.user),
        charts={turn_id: below.bars for turn_id, below in shown.items() if below.bars},
        work={turn_id: below.work for turn_id, below in shown.items()},
    )
    return view, {
        turn_id: below.changes
        for turn_id, below in shown.items()
        if below.changes and turn_id in own_turns
    }


def _with_window_pages(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return messages as they are handed out: each source with its page in the window."""
    return tuple(
        message.model_copy(update={"sources": with_pages(message.sources)})
        if message.sources
        else message
        for message in messages
    )


def _must_be_there(cursor: Connection, about: str) -> None:
    """Refuse what nobody can talk about.

    Raises:
        NotFoundError: there is no such case or contact.

    """
    kind, _, id = about.partition(":")
    if kind == "case":
        cases.read_row(cursor, id)
    elif contact_cards.find_by_address(cursor, id) is None:
        raise NotFoundError(f"there is no contact {id!r}")


def _list_matters(cursor: Connection, listed: Sequence[Chat]) -> dict[str, ChatMatter]:
    """Return what chats are about, as it is now, by their ids."""
    about = {chat.id: chat.about.partition(":") for chat in listed if chat.about}
    ids = [id for kind, _, id in about.values() if kind == "case"]
    there = cases.read_cases(cursor, ids) if ids else {}
    titles = {("case", id): row.subject or "(no subject)" for id, row in there.items()}
    for kind, _, id in about.values():
        if kind == "contact" and (card := contact_cards.find_by_address(cursor, id)) is not None:
            titles[kind, id] = card.name or card.email
    return {
        chat_id: ChatMatter(
            kind=kind, id=id, title=titles.get((kind, id), ""), gone=(kind, id) not in titles
        )
        for chat_id, (kind, _, id) in about.items()
    }


def _list_failed(
    cursor: Connection, lines: Sequence[TurnLine], message_ids: Collection[str], viewer: Viewer
) -> tuple[FailedTurn, ...]:
    """Return which of these messages an agent failed at in the end, as a person sees it."""
    newest = {(turn.asked, turn.agent): turn for turn in lines if turn.asked in message_ids}
    failed = [turn for turn in newest.values() if turn.state == TurnState.FAILED]
    if not failed:
        return ()
    unknown = turns.list_with_unknown_outcome(cursor, [turn.id for turn in failed])
    names = {agent.slug: agent.name for agent in agents.list_ever_installed(cursor)}
    return tuple(
        FailedTurn(
            turn_id=turn.id,
            asked=turn.asked,
            agent=names.get(turn.agent, turn.agent),
            note=turn.note,
            unknown=turn.id in unknown,
            may_ask_again=turn.asked_by == viewer.user,
        )
        for turn in failed
    )
