"""`postern memory …`: what agents remember, and what people decide about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from data.counting import plural
from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import make_inert, print_json_lines, print_table, say

if TYPE_CHECKING:
    from data.records.agents.memories import Memory
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="What agents remember, in the layers that you see.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
ItemArgument = Annotated[
    str, typer.Argument(help="Id of an item; `postern memory list` shows them.")
]
LayerOption = Annotated[
    str, typer.Option("--layer", help="`organization`, `team:…`; yours if left out.")
]
UserArgument = Annotated[str, typer.Argument(help="Id of a user; `postern user list` shows them.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="memory", short_help="See, word and delete what agents remember.")


@group.command("list")
def list_memories(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    layer: LayerOption = "",
    state: Annotated[str, typer.Option("--state", help="Which items.")] = "current",
    offset: Annotated[int, typer.Option("--offset", min=0, help="How many to leave out.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List what is known, the newest first, 200 at a time."""
    from data.records.agents.memories import MemoryList

    engine, root = _engine(ctx, organization)
    which = {"layer": layer, "state": state, "limit": 200, "offset": offset}
    listed = MemoryList.model_validate(engine.get(root, **which))
    if json:
        print_json_lines(listed.items)
        return
    _table(listed.items)
    end = offset + len(listed.items)
    if listed.total > end:
        say(f"{listed.total - end} more are known: postern memory list --offset {end}")


@group.command("search")
def search(
    ctx: typer.Context,
    question: Annotated[str, typer.Argument(help="What to look for.")],
    organization: OrganizationOption = None,
) -> None:
    """Show what an agent would recall of a question for you."""
    from data.records.agents.memories import Recall

    engine, root = _engine(ctx, organization)
    recall = Recall.model_validate(engine.get(f"{root}/search", q=question))
    if not recall.items:
        say("Nothing that is known fits.")
        return
    _table(tuple(item.memory for item in recall.items))


@group.command("show")
def show(ctx: typer.Context, memory: ItemArgument, organization: OrganizationOption = None) -> None:
    """Show one item, the words that it rests on, and what held before."""
    from data.records.agents.memories import MemoryView

    engine, root = _engine(ctx, organization)
    view = MemoryView.model_validate(engine.get(f"{root}/{memory}"))
    say(make_inert(view.text))
    say(f"layer {view.memory.layer}, {view.memory.state}, from {view.memory.provenance}")
    for words in view.evidence:
        say(f"  {words.said_at:%Y-%m-%d} {make_inert(words.said_by)}: {make_inert(words.words)}")
    for item in view.before:
        say(f"  before: {make_inert(item.text)}")
    for item in view.joined:
        say(f"  in other words: {make_inert(item.text)}  ({item.id})")


@group.command("remember")
def remember(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="What to remember.")],
    organization: OrganizationOption = None,
    layer: LayerOption = "organization",
) -> None:
    """Remember a statement, in your words; for the organization when no layer is named."""
    from data.records.agents.memories import NewMemory

    engine, root = _engine(ctx, organization)
    _tell(engine.post(root, NewMemory(text=text, layer=layer).model_dump(mode="json")))


@group.command("correct")
def correct(
    ctx: typer.Context,
    memory: ItemArgument,
    text: Annotated[str, typer.Argument(help="The wording that holds.")],
    organization: OrganizationOption = None,
) -> None:
    """Put another wording in the place of an item."""
    engine, root = _engine(ctx, organization)
    _tell(engine.put(f"{root}/{memory}", {"text": text}))


@group.command("restore")
def restore(
    ctx: typer.Context, memory: ItemArgument, organization: OrganizationOption = None
) -> None:
    """Let an item be known again that was retired, replaced, or said in other words."""
    _decide(ctx, organization, memory, "restore")
    say("It is known again.")


@group.command("retire")
def retire(
    ctx: typer.Context, memory: ItemArgument, organization: OrganizationOption = None
) -> None:
    """Let an item not be recalled any more; it is kept, and `restore` brings it back."""
    _decide(ctx, organization, memory, "retire")
    say("It is not recalled any more.")


@group.command("share")
def share(
    ctx: typer.Context,
    memory: ItemArgument,
    organization: OrganizationOption = None,
    layer: LayerOption = "organization",
) -> None:
    """Let a team or the organization know what is yours."""
    engine, root = _engine(ctx, organization)
    _tell(engine.post(f"{root}/{memory}/share", {"layer": layer}))


@group.command("proposed")
def proposed(ctx: typer.Context, organization: OrganizationOption = None) -> None:
    """List what waits for your yes; `accept` and `reject` decide."""
    from data.records.agents.memories import MemoryList

    engine, root = _engine(ctx, organization)
    items = MemoryList.model_validate(engine.get(f"{root}/proposed")).items
    _table(items, "Nothing waits for your yes.")


@group.command("accept")
def accept(
    ctx: typer.Context, memory: ItemArgument, organization: OrganizationOption = None
) -> None:
    """Say yes to what was proposed."""
    _decide(ctx, organization, memory, "accept")
    say("It is known from now on.")


@group.command("reject")
def reject(
    ctx: typer.Context, memory: ItemArgument, organization: OrganizationOption = None
) -> None:
    """Say no to what was proposed, for good."""
    _decide(ctx, organization, memory, "reject")
    say("It is not proposed again.")


@group.command("delete")
def delete(
    ctx: typer.Context, memory: ItemArgument, organization: OrganizationOption = None
) -> None:
    """Delete an item for good, with the words that it rests on."""
    engine, root = _engine(ctx, organization)
    engine.delete(f"{root}/{memory}")
    say("Deleted.")


@group.command("policy")
def policy(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    user: Annotated[str, typer.Option(help="For one's own: automatic, review or off.")] = "",
    team: Annotated[str, typer.Option(help="For teams.")] = "",
    whole: Annotated[str, typer.Option(help="For the organization.")] = "",
) -> None:
    """Show what becomes of what is picked up in chats, or change it."""
    from data.records.agents.memories import MemoryPolicy

    engine, root = _engine(ctx, organization)
    memory_policy = MemoryPolicy.model_validate(engine.get(f"{root}/policy"))
    policy_order = {"user": user, "team": team, "organization": whole}
    if any(policy_order.values()):
        changed = memory_policy.model_dump(mode="json") | {
            key: to for key, to in policy_order.items() if to
        }
        memory_policy = MemoryPolicy.model_validate(engine.put(f"{root}/policy", changed))
    say(
        f"user {memory_policy.user}, team {memory_policy.team}, "
        f"organization {memory_policy.organization}"
    )


@group.command("export")
def export(ctx: typer.Context, user: UserArgument, organization: OrganizationOption = None) -> None:
    """Print everything that is remembered of one person alone, as JSON; audited."""
    from data.records.agents.memories import MemoryExport

    engine, root = _engine(ctx, organization)
    exported = MemoryExport.model_validate(engine.post(f"{root}/people/{user}/export", {}))
    print(exported.model_dump_json(indent=2))  # output of the command


@group.command("erase")
def erase(
    ctx: typer.Context,
    user: UserArgument,
    organization: OrganizationOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase what is remembered of one person, and the name in what others know; audited."""
    from data.records.agents.memories import MemoryErased

    if not yes and not typer.confirm(f"Erase what is remembered of {user}? It cannot come back."):
        say("Nothing was erased.")
        return
    engine, root = _engine(ctx, organization)
    erased = MemoryErased.model_validate(engine.post(f"{root}/people/{user}/erase", {}))
    elsewhere = plural(erased.elsewhere, "other")
    counts_text = f"{plural(erased.items, 'item')} and {plural(erased.chats, 'chat')}"
    say(f"Erased {counts_text}, and the name in {elsewhere}.")


def _engine(ctx: typer.Context, organization: str | None) -> "tuple[Engine, str]":
    """Return the engine's API and where the memory of the organization is."""
    engine, slug = engine_and_slug(ctx, organization)
    return engine, f"/v1/{slug}/memories"


def _decide(ctx: typer.Context, organization: str | None, memory: str, decision: str) -> None:
    """Decide what becomes of an item, by the last word of the path that does it."""
    engine, root = _engine(ctx, organization)
    engine.post(f"{root}/{memory}/{decision}", {})


def _table(items: "Sequence[Memory]", nothing: str = "Nothing is known here yet.") -> None:
    """Print items as lines; `nothing` says that there are none."""
    if not items:
        say(nothing)
        return
    lines: list[tuple[str, ...]] = []
    for item in items:
        cells = (item.id, item.layer, item.text[:200], item.author_name, str(item.count))
        lines.append(cells)
    print_table(("id", "layer", "what", "said by", "times"), lines)


def _tell(answer: object) -> None:
    """Say what became of a statement."""
    from data.records.agents.memories import Remembered

    remembered = Remembered.model_validate(answer)
    if remembered.memory is None:
        say(f"Not remembered: {remembered.why}.")
        return
    say(f"{remembered.outcome}: {make_inert(remembered.memory.text)} ({remembered.memory.id})")
