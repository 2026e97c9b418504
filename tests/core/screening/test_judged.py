"""Letters and what the screen says of them: the tables of `judged/`, each file a theme."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from data.records.core.organization import Policy
from data.records.core.screening import Screening, Verdict
from data.word_lists import word_list
from tests.core.screening.letters import (
    classified,
    judged_raw,
    orders_in,
    raw_letter,
    rules_hit,
    screened,
)

FOLDER = Path(__file__).parent / "judged"
Letter = str | dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Table:
    """Letters of which the same has to be said; what is left out is not asked."""

    shows: str
    """What the letters have in common, in a sentence."""
    letters: list[Letter] | dict[str, Any]
    """Texts, or fields of a message; by a name, or by a language that has one or several."""
    asked: str = "screen"
    """Who says it: the `screen`, its `rules` for orders alone, the `classifier` with them, or the
    screen of the `raw` message, once it is sent and read."""
    rule: str = ""
    """The one rule whose hits count, instead of all."""
    around: str | list[str] = "{}"
    """The letters in which each text is said, `{}` for its place."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Fields that each message has besides, and `policy` with what the policy says."""
    clean: bool | None = None
    least: float | None = None
    below: float | None = None
    most: float | None = None
    """What the score is at least, is less than, or is at most; a letter is flagged from 0.35 on."""
    hit: frozenset[str] = frozenset()
    """Rules of which one has to find something."""
    missed: frozenset[str] = frozenset()
    """Rules that find nothing."""
    techniques: list[str] | None = None
    """The technique of each hit."""

    def cases(self) -> Iterator[tuple[str, Letter]]:
        """Yield each letter with its name or number."""
        rows: Iterable[tuple[object, Any]] = (
            enumerate(self.letters) if isinstance(self.letters, list) else self.letters.items()
        )
        for name, letter in rows:
            if isinstance(letter, list):
                yield from ((f"{name} {number}", each) for number, each in enumerate(letter))
            else:
                yield str(name), letter

    def judge(self, letter: Letter, around: str) -> tuple[Screening, float]:
        """Return what is said of a letter, and the score that is asked for."""
        message = self.fields | (letter if isinstance(letter, dict) else {"text": letter})
        message["text"] = around.format(message["text"])
        if "policy" in message:
            message["policy"] = Policy.model_validate(message["policy"])
        if self.asked == "raw":
            screening = judged_raw(raw_letter(message["text"]))
        else:
            screening = (classified if self.asked == "classifier" else screened)(**message)
        if self.rule:
            hits = tuple(hit for hit in screening.hits if hit.rule == self.rule)
            screening = screening.model_copy(update={"hits": hits})
            return screening, max((hit.score for hit in hits), default=0.0)
        return screening, orders_in(screening) if self.asked == "rules" else screening.score


def tables() -> dict[str, Table]:
    """Return the tables of all files by their names, each of which stands once."""
    rows = [row for path in sorted(FOLDER.glob("*.yaml")) for row in word_list(path).items()]
    assert len(dict(rows)) == len(rows)
    return {
        name: Table(**{k: frozenset(v) if k in ("hit", "missed") else v for k, v in own.items()})
        for name, own in rows
    }


TABLES = tables()


@pytest.mark.parametrize(
    ("table", "letter"),
    [
        pytest.param(table, letter, id=f"{name}: {number}")
        for name, table in TABLES.items()
        for number, letter in table.cases()
    ],
)
def test_a_letter_is_judged_as_its_table_says(table: Table, letter: Letter) -> None:
    """Wherever the table puts it; no rule fails on it."""
    for around in [table.around] if isinstance(table.around, str) else table.around:
        screening, score = table.judge(letter, around)
        about = (table.shows, letter, score, screening.hits)
        assert screening.errors == (), about
        assert table.clean is None or (screening.verdict is Verdict.CLEAN) is table.clean, about
        assert table.least is None or score >= table.least, about
        assert table.below is None or score < table.below, about
        assert table.most is None or score <= table.most, about
        assert not table.hit or rules_hit(screening) & table.hit, about
        assert not rules_hit(screening) & table.missed, about
        assert table.techniques in (None, [hit.technique for hit in screening.hits]), about


def test_each_table_asks_something() -> None:
    """A table whose expectation was forgotten would let everything pass."""
    for name, own in TABLES.items():
        bounds = (own.clean, own.least, own.below, own.most, own.techniques)
        assert own.asked in ("screen", "rules", "classifier", "raw"), name
        assert own.hit or own.missed or bounds != (None,) * len(bounds), name
        assert list(own.cases()), name
