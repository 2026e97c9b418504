"""What is asked in a chat about a case, recognized without a model (docs/agents.md).

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
from tasks.agents.orders import said_words
from tasks.agents.wording import PLAIN

_FILE = Path(lexicon.__file__).with_name("about_case.yaml")
_TOOL = "this_case"
_PARTS = ("summary", "sender", "draft", "open", "promises")
_FILLED = ("it", "them")
_Words = tuple[str, ...]


class CaseQuestion(Record):
    """A question about the case that a chat is about."""

    part: str
    """What is asked of it, as the tool takes it."""
    language: str
    """In which language it was recognized."""

    @property
    def call(self) -> OrderedCall:
        """The call that answers it."""
        return OrderedCall(name=_TOOL, arguments={"part": self.part})


def case_question(text: str, offered: Sequence[ToolDeclaration]) -> CaseQuestion | None:
    """Return what is asked of the case; None where nothing is, or the chat is about no case."""
    if all(declaration.name != _TOOL for declaration in offered):
        return None
    return _questions().get(said_words(text))


def case_suggestions(language: str) -> tuple[str, ...]:
    """Return what can be asked about a case, in a language, or else in English."""
    table = _table()
    return tuple(table.get(language, table[PLAIN])["suggestions"])


def _table() -> Mapping[str, Mapping[str, Sequence[str]]]:
    table: Mapping[str, Mapping[str, Sequence[str]]] = word_list(_FILE)
    return table


@lru_cache(maxsize=1)
def _questions() -> dict[_Words, CaseQuestion]:
    """Return every way to ask by its words; of two languages that ask alike, the first."""
    questions: dict[_Words, CaseQuestion] = {}
    for language, lists in _table().items():
        for part in _PARTS:
            question = CaseQuestion(part=part, language=language)
            for phrase in lists[part]:
                for phrase_filled in _filled(str(phrase), lists):
                    questions.setdefault(said_words(phrase_filled), question)
    return questions


def _filled(phrase: str, lists: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a phrase with each of the words that may stand in it."""
    for name in _FILLED:
        if f"<{name}>" in phrase:
            for word in lists[name]:
                yield phrase.replace(f"<{name}>", str(word))
            return
    yield phrase
