"""Tools over what agents remember: to remember, to recall, to forget.

Which layers they reach follows from the occasion on which they are called, never from arguments: a
layer that is named can only be one that is there.
"""

from pydantic import Field

from data.records.agents.memories import (
    LONGEST_MEMORY,
    ORGANIZATION_LAYER,
    STRANGERS,
    Candidate,
    Evidence,
    Layer,
    LayerKind,
    Memory,
    Provenance,
    Recalled,
    layer_of,
)
from data.records.core.occasions import Occasion
from data.records.core.record import Record
from data.records.core.tools import (
    OWN,
    ChangeKind,
    Fact,
    Item,
    Label,
    ToolResult,
    declare_lookup,
    declare_note,
)
from data.states import MemoryState
from data.store.agents import memories as store
from flows.agents.changes import change_of, standing_of
from flows.agents.memory import build_memories
from flows.agents.memory_layers import list_readable_layers, may_change_layer
from flows.agents.memory_results import build_memory_source, build_remembered_result
from flows.core.tools import Calling, Tool, ToolCallError
from tasks.agents.remembering.layer_choice import place_sentence

GROUP = "memory"
_SHOWN = 10
_SURE = 1.25
"""How much better than the second the best item has to fit to be what is meant."""


class ToRemember(Record):
    """What to remember."""

    text: str = Field(min_length=1, max_length=LONGEST_MEMORY)
    layer: str = Field(default="", description="`user`, `team`, `organization`, `agent`, or empty")


class ToRecall(Record):
    """What is asked for; nothing asks for whatever is known of the person."""

    question: str = Field(default="", max_length=2000)


class ToForget(Record):
    """What to forget; nothing means what was remembered last in this chat."""

    what: str = Field(default="", max_length=2000)
    id: str = Field(default="", max_length=40)


def occasion_of_call(calling: Calling) -> Occasion:
    """Return the occasion of a call.

    Raises:
        ToolCallError: there is none, so nobody knows whose memory it would be.

    """
    if calling.occasion is None:
        raise ToolCallError("nothing is remembered or recalled outside of a chat")
    return calling.occasion


async def _remember(calling: Calling, to_remember: ToRemember) -> ToolResult:
    occasion = occasion_of_call(calling)
    text = to_remember.text[:1].upper() + to_remember.text[1:]
    placed = place_sentence(text)
    kind = (
        LayerKind(to_remember.layer)
        if to_remember.layer in tuple(LayerKind)
        else placed.place.layer
    )
    layer = _choose_layer(calling, occasion, kind)
    meant = kind if kind is not None and layer.kind is LayerKind.USER is not kind else None
    memories = build_memories(calling.house, calling.workspace)
    evidence = Evidence(
        words=_choose_words(layer, occasion) or text,
        said_by=calling.principal.name,
        provenance=Provenance.PERSON,
        chat_id=occasion.chat_id,
        turn_id=occasion.turn_id,
        message_id=occasion.message_id,
        said_at=memories.clock(),
    )
    remembered = await memories.remember(
        Candidate(
            layer=layer,
            text=text,
            significance=0.8,
            meant_for=meant,
            explicit=True,
            needs_yes=not may_change_layer(calling.workspace, calling.principal, layer),
            agent=occasion.agent,
            author=calling.principal.id,
            author_name=calling.principal.name,
            evidence=(evidence,),
        )
    )
    return build_remembered_result(remembered, text)


def _choose_words(layer: Layer, occasion: Occasion) -> str:
    """Return the words that an item rests on; empty where its own text has to do.

    What was said stands whole behind what stays among those to whom it was said. What others know
    as well takes nothing else of the message along.
    """
    stays = layer.kind is LayerKind.USER or str(layer.kind) == occasion.kind
    return occasion.words if stays else ""


def _choose_layer(calling: Calling, occasion: Occasion, kind: LayerKind | None) -> Layer:
    """Return the layer that something is remembered in: of those that are there, or the own one.

    What is said to an agent alone stays with who says it, whatever layer a model names: only the
    person shares it. Of an agent's own is what was said before everybody who may ask it.
    """
    own = Layer(kind=LayerKind.USER, owner=calling.principal.id)
    if occasion.kind == "direct":
        return own
    if kind is None:
        kind = LayerKind(occasion.kind) if occasion.kind in ("team", "organization") else None
    if kind is LayerKind.TEAM and len(occasion.teams) == 1:
        return Layer(kind=LayerKind.TEAM, owner=occasion.teams[0])
    if kind is LayerKind.ORGANIZATION:
        return ORGANIZATION_LAYER
    wide = occasion.kind == "organization"
    if kind is LayerKind.AGENT and wide and occasion.agent:
        return Layer(kind=LayerKind.AGENT, owner=occasion.agent)
    return own


async def _recall(calling: Calling, to_recall: ToRecall) -> ToolResult:
    occasion = occasion_of_call(calling)
    layers = list_readable_layers(occasion)
    memories = build_memories(calling.house, calling.workspace)
    if to_recall.question:
        recall = await memories.recall(layers, to_recall.question, _SHOWN)
        memories_known = [recalled_item.memory for recalled_item in recall.items]
        total = len(memories_known)
    else:
        own = [layer for layer in layers if layer.kind is LayerKind.USER] or list(layers)
        memories_known, total = await calling.workspace.db.read(
            store.list_page, own, states=(MemoryState.CURRENT,), limit=_SHOWN
        )
    strange = any(item.provenance in STRANGERS for item in memories_known)
    return ToolResult(
        items=tuple(_build_item(calling, item) for item in memories_known),
        total=total,
        labels=frozenset({Label.UNTRUSTED}) if strange else frozenset(),
    )


async def _forget(calling: Calling, to_forget: ToForget) -> ToolResult:
    """Retire one item; where several may be meant, none."""
    occasion = occasion_of_call(calling)
    layers = list_readable_layers(occasion)
    meant = await _find_memories_meant(calling, occasion, layers, to_forget)
    if len(meant) != 1:
        items = tuple(_build_item(calling, item) for item in meant)
        return ToolResult(note="several" if meant else "nothing", items=items)
    (item,) = meant
    if not may_change_layer(calling.workspace, calling.principal, layer_of(item.layer)):
        return ToolResult(note="not_yours")
    retired = await calling.workspace.db.write(
        store.set_state, item, MemoryState.RETIRED, calling.house.clock(), calling.principal.name
    )
    change = change_of(ChangeKind.FORGOTTEN, retired, standing_of(item), standing_of(retired))
    items = (_build_item(calling, retired),)
    return ToolResult(note="forgotten", items=items, total=1, changes=(change,))


async def _find_memories_meant(
    calling: Calling, occasion: Occasion, layers: tuple[Layer, ...], to_forget: ToForget
) -> list[Memory]:
    """Return the items that may be meant; one where that is sure."""
    db = calling.workspace.db
    own = Layer(kind=LayerKind.USER, owner=calling.principal.id)
    if to_forget.id:
        return [await db.read(store.read_memory, layers, to_forget.id)]
    if not to_forget.what:
        return await db.read(
            store.list_last_of_chat, {*layers, own}, occasion.chat_id, calling.principal.id
        )
    memories = build_memories(calling.house, calling.workspace)
    best = (await memories.recall(layers, to_forget.what, 5)).items
    return [recalled_item.memory for recalled_item in _choose_sure(best)]


def _choose_sure(best: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Return the best item alone where it fits clearly better than the second."""
    if len(best) > 1 and best[0].score >= _SURE * best[1].score:
        return best[:1]
    return best


def _build_item(calling: Calling, item: Memory) -> Item:
    facts = (
        Fact(name="layer", value=layer_of(item.layer).kind),
        Fact(name="by", value=item.author_name),
        Fact(name="on", value=calling.workspace.organization.day(item.last_at).isoformat()),
        Fact(name="times", value=str(item.count)),
        Fact(name="provenance", value=item.provenance),
    )
    return Item(title=item.text, facts=facts, source=build_memory_source(item))


MEMORY_TOOLS = (
    Tool(
        declare_note(
            "remember",
            GROUP,
            "Remembers a statement for the person, the team or the organization.",
            OWN,
        ),
        ToRemember,
        _remember,
    ),
    Tool(
        declare_lookup(
            "recall", GROUP, "Recalls what was said before and is known of a question.", OWN
        ),
        ToRecall,
        _recall,
    ),
    Tool(
        declare_note(
            "forget",
            GROUP,
            "Forgets one thing that is known; it is kept, and never recalled again.",
            OWN,
        ),
        ToForget,
        _forget,
    ),
)
"""The tools of the group `memory`."""
