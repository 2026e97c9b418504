"""Tools over what the organization knows: what answers a question, what there is, one entry."""

import asyncio
from collections.abc import Sequence

from pydantic import Field

from connectors.knowledge.succession import in_force, with_successors
from data.knowledge_libraries import in_libraries
from data.records.core.knowledge import KnowledgeEntry, is_valid
from data.records.core.record import Record
from data.records.core.tools import (
    OWN,
    Fact,
    Item,
    Source,
    ToolResult,
    declare_lookup,
)
from flows.core.tools import Calling, Tool
from flows.mail.knowing.all_knowledge import known_entries
from flows.mail.line.mailroom import mailroom_of
from tasks.core.answering.answer import DraftedAnswer
from tasks.core.answering.facts import fact
from tasks.core.words.questions import questions
from tasks.mail.draft.knowledge_lookups import look_up

_ENTRIES = 8
"""Entries whose sentences are weighed against each other."""
_OF_MANY = 40
"""Entries that are looked through for those of the agent's libraries, and for other words."""
_LISTED = 40
_READ = 3_000
"""Characters of an entry that one call gives."""


class KnowledgeQuestion(Record):
    """A question about what the organization knows."""

    question: str = Field(min_length=1, max_length=2000)
    titles_alone: bool = Field(default=False, description="only entries whose title says it")


async def _answer_from_knowledge(
    calling: Calling, knowledge_question: KnowledgeQuestion
) -> ToolResult:
    workspace = calling.workspace
    (hits,) = await workspace.knowledge.search(
        [knowledge_question.question],
        limit=_OF_MANY,
        today=workspace.organization.day(calling.house.clock()),
    )
    (spoken,) = await asyncio.to_thread(
        mailroom_of(calling.house).classifier.languages, [("", knowledge_question.question)]
    )
    titles_alone = knowledge_question.titles_alone
    for names in calling.libraries or ((),):
        # A colleague asks, so what is kept from customers may be told as well.
        snippets = [
            fact(entry.model_copy(update={"public": True}), score)
            for entry, score in hits
            if in_libraries(entry, names)
        ]
        answers = look_up(
            knowledge_question.question,
            snippets[:_ENTRIES],
            spoken,
            titles_alone=titles_alone,
            further=snippets[_ENTRIES:],
        )
        if answers:
            break
    items = tuple(map(_item, answers))
    return ToolResult(
        items=items, total=len(items), unanswered=_list_unanswered(knowledge_question, answers)
    )


def _list_unanswered(
    knowledge_question: KnowledgeQuestion, answers: Sequence[DraftedAnswer]
) -> tuple[str, ...]:
    """Return the questions of several that nothing was said to; none where nothing was said."""
    asked = [] if knowledge_question.titles_alone else questions(knowledge_question.question)
    answered = {drafted.question for drafted in answers}
    return tuple(each.text for each in asked if answers and each.text not in answered)


class KnowledgeList(Record):
    """Which entries to list."""

    words: str = Field(default="", max_length=200, description="words of title, text or tags")
    after: int = Field(default=0, ge=0, description="how many to pass over")


async def _list_knowledge(calling: Calling, listing: KnowledgeList) -> ToolResult:
    """Return the titles of entries: a map of what there is, read on demand."""
    words_wanted = listing.words.lower().split()
    entries = [
        entry
        for entry in await _entries(calling)
        if all(
            word in f"{entry.title} {entry.body} {' '.join(entry.tags)}".lower()
            for word in words_wanted
        )
    ]
    shown = entries[listing.after : listing.after + _LISTED]
    items = tuple(
        Item(
            title=entry.title,
            facts=(
                Fact(name="id", value=entry.id),
                Fact(name="kind", value=entry.kind),
                Fact(name="characters", value=str(len(entry.body))),
            ),
            source=_source(entry),
        )
        for entry in shown
    )
    return ToolResult(items=items, total=len(entries))


class KnowledgeRead(Record):
    """Which entry to read."""

    id: str = Field(min_length=1, max_length=200)
    begin: int = Field(default=0, ge=0, description="the character to begin with")


async def _read_entry(calling: Calling, reading: KnowledgeRead) -> ToolResult:
    for entry in await _entries(calling):
        if entry.id == reading.id:
            text = entry.body[reading.begin : reading.begin + _READ]
            end = reading.begin + len(text)
            more = f"; {len(entry.body) - end} characters follow" if end < len(entry.body) else ""
            facts = (Fact(name="characters", value=f"{reading.begin} to {end}{more}"),)
            item = Item(title=entry.title, text=text, facts=facts, source=_source(entry))
            return ToolResult(items=(item,), total=1)
    return ToolResult(sentence=f"There is no entry {reading.id[:80]!r}.", refused=True)


async def _entries(calling: Calling) -> list[KnowledgeEntry]:
    """Return what the agent may read of what is known and holds today, by title."""
    workspace = calling.workspace
    today = workspace.organization.day(calling.house.clock())
    libraries = {name for names in calling.libraries for name in names}
    entries = with_successors(await workspace.db.read(known_entries, workspace.organization.day))
    entries_held = [
        entry
        for entry in entries
        if entry.trusted
        and in_force(entry, today)
        and is_valid(entry.valid_from, entry.valid_until, today)
        and in_libraries(entry, libraries)
    ]
    return sorted(entries_held, key=lambda entry: (entry.title.lower(), entry.id))


def _source(entry: KnowledgeEntry) -> Source:
    return Source(kind="knowledge", id=entry.id, title=entry.title)


def _item(drafted: DraftedAnswer) -> Item:
    cited = drafted.citations[0]
    answer_text = " ".join(citation.sentence for citation in drafted.citations)
    return Item(
        title=drafted.question,
        text=answer_text,
        source=Source(
            kind="knowledge", id=cited.ref.partition(":")[2], title=cited.title, quote=answer_text
        ),
    )


KNOWLEDGE_TOOLS = (
    Tool(
        declare_lookup(
            "answer_from_knowledge",
            "knowledge",
            "Answers a question from what the organization knows, with the source.",
            OWN,
        ),
        KnowledgeQuestion,
        _answer_from_knowledge,
    ),
    Tool(
        declare_lookup(
            "list_knowledge",
            "knowledge",
            "Lists the titles of what the organization knows, with the id by which each is read.",
            OWN,
        ),
        KnowledgeList,
        _list_knowledge,
    ),
    Tool(
        declare_lookup(
            "read_knowledge", "knowledge", "Reads one entry of the knowledge by its id.", OWN
        ),
        KnowledgeRead,
        _read_entry,
    ),
)
