"""The result of remembering, as a tool says it."""

from data.records.agents.memories import Memory, Remembered, layer_of
from data.records.core.tools import Fact, Item, Source, ToolResult
from flows.agents.changes import list_remembered_changes


def build_remembered_result(remembered: Remembered, text: str = "") -> ToolResult:
    """Return what became of something to remember; `text` is what a call was to remember."""
    if remembered.memory is None:
        return ToolResult(note=remembered.outcome, items=(Item(title=remembered.why),))
    facts = [Fact(name="layer", value=layer_of(remembered.memory.layer).kind)]
    if remembered.before is not None:
        facts.append(Fact(name="before", value=remembered.before.text))
    if remembered.memory.meant_for is not None:
        facts.append(Fact(name="meant for", value=remembered.memory.meant_for))
    item = Item(
        title=remembered.memory.text,
        facts=tuple(facts),
        source=build_memory_source(remembered.memory),
    )
    changes = list_remembered_changes(remembered, text)
    return ToolResult(note=remembered.outcome, items=(item,), total=1, changes=changes)


def build_memory_source(item: Memory) -> Source:
    """Return a memory as what an answer rests on."""
    return Source(kind="memory", id=item.id, title=item.text[:200], quote=item.text[:500])
