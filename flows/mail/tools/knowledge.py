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
from data.records.mail.briefing import Snippet
from flows.core.tools import Calling, Tool
from tasks.context.gathering import fact
from tasks.draft.answer import answer
from tasks.words.questions import AskedQuestion, questions

_ENTRIES = 8


class KnowledgeQuestion(Record):
    """A question about what the organization knows."""

    question: str = Field(min_length=1, max_length=2000)


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
    asked = questions(knowledge_question.question) or [
        AskedQuestion(text=knowledge_question.question)
    ]
    (spoken,) = await asyncio.to_thread(
        calling.house.classifier.languages, [("", knowledge_question.question)]
    )
    answers = [_answered(question, snippets, spoken) for question in asked]
    items = tuple(item for item in answers if item is not None)
    return ToolResult(items=items, total=len(items))


def _answered(question: AskedQuestion, snippets: list[Snippet], spoken: str) -> Item | None:
    """Return the sentences that answer a question; None of none.

    Those in the language of the question go before others.
    """
    languages = dict.fromkeys(snippet.language for snippet in snippets)
    answers = [
        (language, given)
        for language in languages
        if (
            given := answer(
                question,
                [in_language for in_language in snippets if in_language.language == language],
            )
        )
    ]
    if not answers:
        return None
    own = [given for language, given in answers if language == spoken]
    best = max(own or [given for _, given in answers], key=lambda item: item.score)
    cited = best.citations[0]
    answer_text = " ".join(citation.sentence for citation in best.citations)
    return Item(
        title=question.text,
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
