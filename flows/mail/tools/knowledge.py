"""A tool over what the organization knows: the sentences that answer a question, with sources."""

import asyncio

from pydantic import Field

from data.records.core.record import Record
from data.records.core.tools import (
    OWN,
    Item,
    Source,
    ToolResult,
    declare_lookup,
)
from flows.core.tools import Calling, Tool
from tasks.context.gathering import fact
from tasks.draft.answer import DraftedAnswer
from tasks.draft.looking_up import look_up

_ENTRIES = 8


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
        limit=_ENTRIES,
        today=workspace.organization.day(calling.house.clock()),
    )
    # A colleague asks, so what is kept from customers may be told as well.
    snippets = [fact(entry.model_copy(update={"public": True}), score) for entry, score in hits]
    (spoken,) = await asyncio.to_thread(
        calling.house.classifier.languages, [("", knowledge_question.question)]
    )
    titles_alone = knowledge_question.titles_alone
    answers = look_up(knowledge_question.question, snippets, spoken, titles_alone=titles_alone)
    items = tuple(map(_item, answers))
    return ToolResult(items=items, total=len(items))


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
)
