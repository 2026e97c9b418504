"""Letters with a fault put into them: another number, or a promise that nobody made."""

import pytest

from data.lexicons.drafting.phrases import LANGUAGES
from data.lexicons.drafting.planted_promises import planted_promise
from data.records.core.citations import Citation
from data.records.mail.drafting import Draft
from data.records.mail.vigilance import FaultKind, most_at_once
from tasks.mail.check.faulty import make_faulty

CITED = "A repair takes 12 working days."
DRAFT = Draft(
    subject="Re: Loom",
    body=f"Dear Mara Heron,\n\n{CITED}\n\nKind regards\nTeasel Looms",
    language="en",
    citations=(Citation(sentence=CITED, ref="knowledge:loom-repair"),),
)


def test_a_number_is_another_than_the_source_has() -> None:
    """Body and citation say the same wrong thing, and what is correct is known."""
    faulty = make_faulty(DRAFT, 0)
    assert faulty is not None
    assert (faulty.kind, faulty.correct) == (FaultKind.NUMBER, CITED)
    assert faulty.wrong == "A repair takes 18 working days."
    assert faulty.draft.body == DRAFT.body.replace(CITED, faulty.wrong)
    assert faulty.draft.citations[0].sentence == faulty.wrong


def test_a_promise_stands_behind_a_cited_sentence() -> None:
    """It is in the letter's language, and nothing else changes."""
    faulty = make_faulty(DRAFT, 1)
    assert faulty is not None
    assert faulty.kind is FaultKind.PROMISE
    assert faulty.draft.body.replace(f" {faulty.wrong}", "") == DRAFT.body


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_promise(language: str) -> None:
    """A draft in any language can be shown with one."""
    assert planted_promise(language)


def test_a_letter_without_sources_gets_no_fault() -> None:
    """There is nothing that a reader could compare it with."""
    assert make_faulty(DRAFT.model_copy(update={"citations": ()}), 0) is None


@pytest.mark.parametrize(
    ("seen", "missed", "most"), [(0, 3, 50), (4, 0, 50), (3, 1, 15), (1, 3, 5), (4, 1, 50)]
)
def test_the_fewer_are_seen_the_fewer_are_approved_at_once(
    seen: int, missed: int, most: int
) -> None:
    """Nothing is concluded from fewer than four."""
    assert most_at_once(seen, missed, 50) == most
