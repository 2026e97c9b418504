"""Sentences of letters: what each is, and what of it is left open, by the tables of a file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from data.lexicons.drafting import phrases
from data.records.mail.drafting import Checked, Draft
from data.word_lists import word_list
from tasks.core.words.clauses import clauses
from tasks.core.words.grievances import complains
from tasks.core.words.sentence_signs import asks_status, is_good_news, is_order
from tests.mail.mind.accounts import HOURS, REPLY, TICKET, answering, left, looked_at
from tests.mail.mind.examples import intent


def orders(text: str, language: str) -> bool:
    """Whether the first clause that is no courtesy is an order."""
    del language
    return is_order(next(clause for clause in clauses(text) if not clause.polite).text)


SIGNS: dict[str, Callable[[str, str], bool]] = {
    "order": orders,
    "status": lambda text, _: asks_status(text),
    "good news": lambda text, _: is_good_news(text),
    "complaint": complains,
}


@dataclass(frozen=True, kw_only=True)
class Table:
    """Sentences of which the same holds; what is left out is not asked."""

    shows: str
    """What they have in common, in a sentence."""
    texts: list[str | tuple[str, str]] | dict[str, str]
    """Sentences, by language where that matters; or subjects, each with a letter of its own."""
    letters: dict[str, str] = field(default_factory=lambda: {"alone": "{}"})
    """Where each stands: `{}` is its place, and in a letter without one it is the subject."""
    sign: str = ""
    no_sign: str = ""
    """What a sentence is by itself, or is not: a key of `SIGNS`."""
    left: str = ""
    """What is left open: `nothing`, `something`, `it` and nothing else, parts `of it`, `not it`."""
    findings: frozenset[str] = frozenset()
    """Checks of which at least one has a finding, and no other has."""
    draft: str = HOURS
    """The one sentence of the draft, or the name of our own line that stands for it."""
    wished: bool = False
    """Whether it was taken for a suggestion, for which the plan has a ticket."""
    least: float | None = None
    most: float | None = None
    below: float | None = None
    """What the draft's quality is at least, at most, or less than."""

    def cases(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield a name, language, sentence and letter for each sentence in each letter."""
        if isinstance(self.texts, dict):
            rows: list[tuple[str, str, str | tuple[str, str]]] = [
                (language, language, text) for language, text in self.texts.items()
            ]
        else:
            rows = [(str(number), "en", text) for number, text in enumerate(self.texts)]
        for name, language, text in rows:
            if isinstance(text, str):
                for place, letter in self.letters.items():
                    yield f"{name} {place}", language, text, letter
            else:
                yield name, language, *text

    def build_draft(self) -> Draft:
        """Return the draft that the letters get."""
        if self.draft in ("acknowledgment", "feature"):
            return answering(getattr(phrases("en"), self.draft), citations=())
        return answering(self.draft)

    def looked_at(self, text: str, letter: str) -> Checked:
        """Return what the check says of the draft to a letter with the sentence."""
        wishes = (intent(text, "request", "feature_request"),) if self.wished else ()
        return looked_at(
            letter.replace("{}", text),
            self.build_draft(),
            *wishes,
            plan=TICKET if self.wished else REPLY,
            subject="" if "{}" in letter else text,
        )


TABLES = {
    name: Table(**own | {"findings": frozenset(own.get("findings", ()))})
    for name, own in word_list(Path(__file__).with_name("sentences_of_letters.yaml")).items()
}
LEFT: dict[str, Callable[[list[str], str], bool]] = {
    "": lambda _, __: True,
    "nothing": lambda rest, _: rest == [],
    "something": lambda rest, _: "".join(rest) != "",
    "it": lambda rest, text: rest == [text],
    "of it": lambda rest, text: rest != [] and all(one.rstrip(".") in text for one in rest),
    "not it": lambda rest, text: text not in rest,
}


@pytest.mark.parametrize(
    ("table", "language", "text", "letter"),
    [
        pytest.param(table, *rest, id=f"{name}: {number}")
        for name, table in TABLES.items()
        for number, *rest in table.cases()
    ],
)
def test_a_sentence_is_what_its_table_says(
    table: Table, language: str, text: str, letter: str
) -> None:
    """By itself, and in each letter of the table."""
    assert not table.sign or SIGNS[table.sign](text, language), table.shows
    assert not table.no_sign or not SIGNS[table.no_sign](text, language), table.shows
    if not (table.left or table.wished):
        return
    checked = table.looked_at(text, letter)
    about = (table.shows, left(checked), checked.findings, checked.quality)
    assert LEFT[table.left](left(checked), text), about
    checks = {finding.check for finding in checked.findings}
    assert not table.findings or (checks and checks <= table.findings), about
    assert table.least is None or checked.quality >= table.least, about
    assert table.most is None or checked.quality <= table.most, about
    assert table.below is None or checked.quality < table.below, about


def test_each_table_asks_something() -> None:
    """A table whose expectation was forgotten would let everything pass."""
    for name, own in TABLES.items():
        bounds = (own.least, own.most, own.below)
        assert own.sign or own.no_sign or own.left or bounds != (None,) * 3, name
        assert list(own.cases()), name
