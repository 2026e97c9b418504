"""Tools by which an agent is put right: a lesson of its own, a correction, and what it has cost."""

from datetime import datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field, StringConstraints

from data.records.agents.memories import Candidate, Evidence, Layer, LayerKind, Provenance
from data.records.core.principals import Permission
from data.records.core.record import Record
from data.records.core.tools import (
    OWN,
    Effect,
    Fact,
    Item,
    ToolDeclaration,
    ToolResult,
    Trust,
    declare_lookup,
    declare_note,
)
from data.store.agents import agents, memories
from data.store.core.database import Connection
from flows.agents.memory import build_memories
from flows.agents.memory_desk import PersonsMemory
from flows.agents.memory_layers import list_readable_layers, may_change_layer
from flows.agents.memory_results import build_remembered_result
from flows.agents.tools.memory import occasion_of_call
from flows.core.tools import Calling, Tool

GROUP = "context"
_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


class Lesson(Record):
    """What an agent is to heed from now on, whoever asks it."""

    text: _Words


class Correction(Record):
    """What is right in the place of something that is known."""

    id: str = Field(min_length=1, max_length=40, description="of the item, as `recall` gives it")
    text: _Words


class UsageQuery(Record):
    """Of how many days, up to today."""

    days: int = Field(default=30, ge=1, le=366)


async def _note_lesson(calling: Calling, lesson: Lesson) -> ToolResult:
    occasion = occasion_of_call(calling)
    house_memories = build_memories(calling.house, calling.workspace)
    evidence = Evidence(
        words=lesson.text,
        said_by=calling.principal.name,
        provenance=Provenance.PERSON,
        chat_id=occasion.chat_id,
        turn_id=occasion.turn_id,
        message_id=occasion.message_id,
        said_at=house_memories.clock(),
    )
    candidate = Candidate(
        layer=Layer(kind=LayerKind.AGENT, owner=occasion.agent),
        text=lesson.text,
        kind="lesson",
        significance=0.9,
        explicit=True,
        agent=occasion.agent,
        author=calling.principal.id,
        author_name=calling.principal.name,
        evidence=(evidence,),
    )
    return build_remembered_result(await house_memories.remember(candidate), lesson.text)


async def _correct_memory(calling: Calling, correction: Correction) -> ToolResult:
    """Correct an item of the layers that the chat opens, as the person on the page Memory does."""
    workspace, layers = calling.workspace, list_readable_layers(occasion_of_call(calling))
    item = await workspace.db.read(memories.read_memory, layers, correction.id)
    layer = next(layer for layer in layers if layer.key == item.layer)
    if not may_change_layer(workspace, calling.principal, layer):
        return ToolResult(note="not_yours", sentence="Who may teach here corrects that.",
                          refused=True)  # fmt: skip
    desk = PersonsMemory(calling.house, workspace, calling.principal)
    return build_remembered_result(
        await desk.correct(correction.id, correction.text), correction.text
    )


async def _list_usage(calling: Calling, query: UsageQuery) -> ToolResult:
    zone = ZoneInfo(calling.workspace.organization.timezone)
    today = calling.house.clock().astimezone(zone).date()
    begin = datetime.combine(today - timedelta(days=query.days - 1), time(), tzinfo=zone)
    items = await calling.workspace.db.read(_list_usage_since, begin)
    return ToolResult(items=tuple(items), total=len(items))


def _list_usage_since(cursor: Connection, begin: datetime) -> list[Item]:
    """Return what each agent did and cost since a moment, the busiest first."""
    used = [
        (agent.name, agents.count_by_period(cursor, agent.slug, [begin])[0])
        for agent in agents.list_agents(cursor)
    ]
    return [
        Item(
            title=name,
            facts=(
                Fact(name="answers asked", value=str(figures.turns)),
                Fact(name="requests to a model", value=str(figures.calls)),
                Fact(name="tokens", value=str(figures.tokens)),
                Fact(name="US dollars", value=f"{figures.cost:.4f}"),
            ),
        )
        for name, figures in sorted(used, key=lambda row: -row[1].turns)
    ]


CONTEXT_TOOLS = (
    Tool(
        ToolDeclaration(
            name="note_lesson",
            group=GROUP,
            description="Notes a lesson that the agent heeds from now on, whoever asks it.",
            effect=Effect.REVERSIBLE,
            labels=OWN,
            trust=Trust.STANDARD,
            permission=Permission.TEACH,
            approval=True,
        ),
        Lesson,
        _note_lesson,
    ),
    Tool(
        declare_note(
            "correct_memory", GROUP, "Puts a person's wording in the place of what is known.", OWN
        ),
        Correction,
        _correct_memory,
    ),
    Tool(
        declare_lookup(
            "usage_stats", GROUP, "Tells what each agent did and cost in the last days.", OWN
        ),
        UsageQuery,
        _list_usage,
    ),
)
"""The tools of the group `context`."""
