"""A tool over the business profile: what the organization says of itself, with its source."""

from pydantic import Field

from data.records.agents.business import ToldProfile
from data.records.core.knowledge import KnowledgeEntry
from data.records.core.record import Record
from data.records.core.tools import OWN, Item, Source, ToolResult, declare_lookup
from flows.agents.business import labels_of_profile, read_told_profile
from flows.core.tools import Calling, Tool
from tasks.core.answering.answer import answer
from tasks.core.answering.facts import fact
from tasks.core.words.questions import AskedQuestion, questions

_KIND = "profile"


class QuestionAboutUs(Record):
    """A question about the organization itself."""

    question: str = Field(min_length=1, max_length=2000)


async def _answer_from_profile(calling: Calling, about_us: QuestionAboutUs) -> ToolResult:
    profile_text = await read_told_profile(calling.workspace)
    if not profile_text.text:
        return ToolResult()
    snippet = fact(_build_entry(profile_text, calling.workspace.organization.language), 1.0)
    asked = questions(about_us.question) or [AskedQuestion(text=about_us.question)]
    items = []
    for question in asked:
        if (answered := answer(question, [snippet])) is not None:
            text = " ".join(citation.sentence for citation in answered.citations)
            source = Source(kind=_KIND, id=_KIND, title=snippet.title, quote=text)
            items.append(Item(title=question.text, text=text, source=source))
    return ToolResult(items=tuple(items), total=len(items), labels=labels_of_profile(profile_text))


def _build_entry(profile: ToldProfile, language: str) -> KnowledgeEntry:
    """Return the profile as something that the organization knows."""
    return KnowledgeEntry(id=_KIND, title="Business profile", language=language, body=profile.text)


PROFILE_TOOLS = (
    Tool(
        declare_lookup(
            "answer_from_profile",
            "knowledge",
            "Answers a question from what the organization says of itself.",
            OWN,
        ),
        QuestionAboutUs,
        _answer_from_profile,
    ),
)
