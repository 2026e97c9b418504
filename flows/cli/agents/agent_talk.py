"""`postern agent ask | calls | decide | replay`: talking to agents from a terminal."""

from json import loads
from typing import TYPE_CHECKING, Annotated

import typer

from data.counting import plural
from flows.cli.core.engine_reach import OrganizationOption
from flows.operating.command_context import make_inert, print_lines, say

if TYPE_CHECKING:
    from pydantic import JsonValue

    from data.records.agents.turns import WaitingCall
    from flows.operating.engine_api import Engine

AgentArgument = Annotated[
    str, typer.Argument(help="Slug of an agent; `postern agent list` shows them.")
]
_WAITS = "It needs your yes first: `postern agent calls` shows what for."


def register(group: typer.Typer) -> None:
    """Put the commands under `postern agent`."""
    group.command("ask")(ask)
    group.command("run")(run)
    group.command("calls")(list_calls)
    group.command("decide")(decide)
    group.command("replay")(replay)
    group.command("intents")(list_intents)
    group.command("switch")(switch)


def ask(
    ctx: typer.Context,
    agent: AgentArgument,
    text: Annotated[str, typer.Argument(help="What you ask, or say.")],
    about: Annotated[
        str,
        typer.Option(help="What it is about: `case:` and its id, or `contact:` and an address."),
    ] = "",
    organization: OrganizationOption = None,
) -> None:
    """Ask an agent in a new chat, and print its answer with what it rests on."""
    from data.records.agents.chats import Chat, Said
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    root = _root(engine, organization)
    chat = Chat.model_validate(engine.post(f"{root}/chats", {"agent": agent, "about": about}))
    said_view = Said.model_validate(engine.post(f"{root}/chats/{chat.id}/messages", {"text": text}))
    _tell_answer(engine, root, chat.id, said_view.turn_id)


def _tell_answer(engine: "Engine", root: str, chat_id: str, turn_id: str) -> None:
    """Print what a turn answers once it has ended, or that it waits for a yes."""
    from data.records.agents.chats import AuthorKind, ChatView
    from flows.core.services import build_window_address
    from tasks.agents.conversing import cut_escapes

    events = engine.fetch(f"{root}/turns/{turn_id}/events").decode()
    if "event: waiting" in events:
        say(_WAITS)
        return
    view = ChatView.model_validate(engine.get(f"{root}/chats/{chat_id}"))
    answers = [
        message
        for message in view.messages
        if message.turn_id == turn_id and message.author is AuthorKind.AGENT
    ]
    if not answers:
        note = engine.get(f"{root}/turns/{turn_id}")["turn"]["note"]
        say(f"No answer came: {note}")
        raise typer.Exit(1)
    for answer in answers:
        print_lines(cut_escapes(answer.text))
        for number, source in enumerate(answer.sources, start=1):
            print_lines(f"[{number}] {source.kind}: {make_inert(source.title)}")
            if source.page:
                print_lines(f"    {build_window_address(engine.settings, source.page)}")


def run(
    ctx: typer.Context,
    agent: AgentArgument,
    text: Annotated[str, typer.Argument(help="What it is to do.")],
    organization: OrganizationOption = None,
) -> None:
    """Have an agent work by itself, within the role of its manifest, and print what it says."""
    from data.records.agents.chats import Said
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    root = _root(engine, organization)
    begun = Said.model_validate(engine.post(f"{root}/agents/{agent}/run", {"text": text}))
    _tell_answer(engine, root, begun.message.chat_id, begun.turn_id)


def list_calls(ctx: typer.Context, organization: OrganizationOption = None) -> None:
    """List what agents want to do that needs your yes."""
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    calls = _waiting(engine, organization)
    if not calls:
        say("No agent waits for your yes.")
    for call in calls:
        for line in lines_of(call):
            say(line)


def lines_of(call: "WaitingCall") -> list[str]:
    """Return a call that waits as it is shown: what exactly would be called, where, and why."""
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    return [
        f"{call.approval_id}  {call.agent_name}: {make_inert(call.description)} ({call.tool})",
        *([f"  goes to {make_inert(call.goes_to)}"] if call.goes_to else []),
        *(f"  {make_inert(name)}: {make_inert(str(value))}" for name, value in arguments.items()),
        *(f"  {make_inert(reason)}" for reason in call.reasons),
    ]


def decide(
    ctx: typer.Context,
    call: Annotated[str, typer.Argument(help="Id of a call; `postern agent calls` shows them.")],
    approve: Annotated[bool, typer.Option("--yes/--no", help="Whether it may happen.")],
    note: Annotated[str, typer.Option("--note", help="Words that the agent reads.")] = "",
    arguments: Annotated[
        str, typer.Option("--arguments", help="With --yes: other ones, as an object of JSON.")
    ] = "",
    organization: OrganizationOption = None,
) -> None:
    """Say yes or no to a call that waits, and print what the agent says then."""
    from data.errors import NotFoundError
    from data.records.agents.turns import CallDecision
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    shown = [one for one in _waiting(engine, organization) if one.approval_id == call]
    if not shown:
        raise NotFoundError(f"no call {call!r} waits; `postern agent calls` shows those that do")
    decision = CallDecision(
        version=shown[0].version,
        sha256=shown[0].sha256,
        approve=approve,
        note=note,
        arguments=_arguments(arguments) if arguments else None,
    )
    root = _root(engine, organization)
    engine.post(f"{root}/calls/{call}", decision.model_dump(mode="json"))
    say("You said yes; the agent goes on." if approve else "You said no; the agent goes on.")
    _tell_answer(engine, root, shown[0].chat_id, shown[0].turn_id)


def _arguments(text: str) -> "dict[str, JsonValue]":
    """Return the arguments of a call as a person writes them.

    Raises:
        UnfitError: they are no object of JSON.

    """
    from data.errors import UnfitError

    try:
        arguments = loads(text)
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise UnfitError("write all of the arguments, as one object of JSON")
    return arguments


def replay(
    ctx: typer.Context,
    turn: Annotated[str, typer.Argument(help="Its id, as the API has it.")],
    version: Annotated[int, typer.Argument(min=1, help="Of the agent.")],
    organization: OrganizationOption = None,
) -> None:
    """Answer what was asked in a turn with another version; nothing is said or changed."""
    from data.records.agents.turns import Replay, ReplayOrder
    from flows.operating.engine_api import engine_of
    from tasks.agents.conversing import cut_escapes

    engine = engine_of(ctx)
    path = f"{_root(engine, organization)}/turns/{turn}/replay"
    order = ReplayOrder(version=version).model_dump()
    replayed = Replay.model_validate(engine.post(path, order))
    say(f"version {replayed.version_before} answered:")
    print_lines(cut_escapes(replayed.answer_before) or "nothing")
    say(f"version {replayed.version} answers:")
    print_lines(cut_escapes(replayed.answer) or replayed.note or "nothing")
    for change in replayed.changes:
        say(make_inert(change))


def list_intents(ctx: typer.Context, organization: OrganizationOption = None) -> None:
    """List the plain questions that a model answers, with what would be answered without it."""
    from data.records.agents.intents import IntentList
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    listed = engine.get(f"{_root(engine, organization)}/chat-intents")
    for kind in IntentList.model_validate(listed).items:
        how = "answered without the model" if kind.switched_on else "answered by the model"
        agreed = f"; the same in {kind.agreed} of {kind.compared}" if kind.compared else ""
        say(f"{kind.intent}: {how}; seen {plural(kind.seen, 'time')}{agreed}")
        for shadow in kind.shadows:
            say(f"  asked:   {make_inert(shadow.asked)}")
            say(f"  model:   {make_inert(shadow.said) or '(no answer)'}")
            say(f"  without: {make_inert(shadow.would_say)}")


def switch(
    ctx: typer.Context,
    intent: Annotated[str, typer.Argument(help="Name; `postern agent intents` shows them.")],
    switched_on: Annotated[bool, typer.Option("--on/--off", help="Whether without the model.")],
    organization: OrganizationOption = None,
) -> None:
    """Have a plain question answered without the model, or with it."""
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    body = {"switched_on": switched_on}
    engine.put(f"{_root(engine, organization)}/chat-intents/{intent}", body)
    how = "without the model" if switched_on else "by the model"
    say(f"{intent} is answered {how} from now on.")


def _root(engine: "Engine", organization: str | None) -> str:
    from flows.operating.organizations import organization_named

    return f"/v1/{organization_named(engine, organization).slug}"


def _waiting(engine: "Engine", organization: str | None) -> "tuple[WaitingCall, ...]":
    from data.records.agents.turns import WaitingCallList

    return WaitingCallList.model_validate(engine.get(f"{_root(engine, organization)}/calls")).items
