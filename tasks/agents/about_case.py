"""Questions about a case or a contact of a chat, recognized without a model (docs/agents.md).

*Who is this?* means the case's contact there, and nothing that can be looked up anywhere else.
What is not recognized as a whole is left to whoever thinks.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.records.core.tools import ToolDeclaration
from data.word_lists import word_list
from tasks.agents.calling import OrderedCall
from tasks.agents.orders import list_said_words
from tasks.core.wording import PLAIN

_FILE = Path(lexicon.__file__).with_name("about_case.yaml")
_TOOL, _CONTACT_TOOL = "this_case", "this_contact"
_PARTS = ("summary", "sender", "draft", "open", "promises")
_OF_CONTACT = {"summary": "all", "sender": "sender", "promises": "promises"}
"""Parts that can be asked of a contact, and what its tool calls them."""
_FILLED = ("it", "them")
_Words = tuple[str, ...]


class CaseQuestion(Record):
    """A question about the case, or the contact, that a chat is about."""

    part: str
    """What is asked of it, as the tool takes it."""
    language: str
    """In which language it was recognized."""
    tool: str = _TOOL

    @property
    def call(self) -> OrderedCall:
        """The call that answers it."""
        return OrderedCall(name=self.tool, arguments={"part": self.part})


def find_case_question(text: str, offered: Sequence[ToolDeclaration]) -> CaseQuestion | None:
    """Return what is asked of the case or contact that a chat is about; None for nothing."""
    names = {declaration.name for declaration in offered}
    question = _read_questions().get(list_said_words(text))
    if question is None or _TOOL in names:
        return question
    if _CONTACT_TOOL in names and question.part in _OF_CONTACT:
        of_contact = {"tool": _CONTACT_TOOL, "part": _OF_CONTACT[question.part]}
        return question.model_copy(update=of_contact)
    return None


def list_matter_suggestions(kind: str, language: str) -> tuple[str, ...]:
    """Return what can be asked about a `case` or a `contact`, in a language, or else in English."""
    table = _read_table()
    every = tuple(map(str, table.get(language, table[PLAIN])["suggestions"]))
    if kind == "case":
        return every
    questions = _read_questions()
    of_contact = set(_OF_CONTACT) - {"summary"}  # whose words are of a conversation
    return tuple(each for each in every if questions[list_said_words(each)].part in of_contact)


def _read_table() -> Mapping[str, Mapping[str, Sequence[str]]]:
    table: Mapping[str, Mapping[str, Sequence[str]]] = word_list(_FILE)
    return table


@lru_cache(maxsize=1)
def _read_questions() -> dict[_Words, CaseQuestion]:
    """Return every way to ask by its words; of two languages that ask alike, the first."""
    questions: dict[_Words, CaseQuestion] = {}
    for language, lists in _read_table().items():
        for part in _PARTS:
            question = CaseQuestion(part=part, language=language)
            for phrase in lists[part]:
                for phrase_filled in _fill_phrase(str(phrase), lists):
                    questions.setdefault(list_said_words(phrase_filled), question)
    return questions


def _fill_phrase(phrase: str, lists: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a phrase with each of the words that may stand in it."""
    for name in _FILLED:
        if f"<{name}>" in phrase:
            for word in lists[name]:
                yield phrase.replace(f"<{name}>", str(word))
            return
    yield phrase
