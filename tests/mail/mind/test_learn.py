"""What a reply that a person approved could teach, and what it must not."""

from pathlib import Path
from typing import Any

import pytest

from data.records.core.briefing import Briefing
from data.records.core.citations import Citation
from data.records.core.learning import LearnedOrigin, Proposed
from data.records.mail.drafting import Draft
from data.word_lists import word_list
from tasks.mail.check.sources import Sources
from tasks.mail.learning.lessons import MOST, learn
from tests.mail.mind.examples import ORGANIZATION, POLICY, SENDER, briefing

LESSONS: dict[str, list[Any]] = word_list(Path(__file__).with_name("lessons.yaml"))
ASKED = "How long is the red kayak? And may I bring a tent?"
LENGTH = "The red kayak measures four metres and a half."


def taught(
    text: str, *, asked: str = ASKED, language: str = "en", given: Briefing | None = None,
    citations: tuple[Citation, ...] = (), known: tuple[str, ...] = (),
) -> list[Proposed]:  # fmt: skip
    """Return what a reply teaches that says `text` between greeting and closing."""
    body = f"Hello Wim,\n\n{text}\n\nKind regards\nLantern Kayaks\nQuay 7, Ghent"
    draft = Draft(subject="Re: Tour", body=body, language=language, citations=citations)
    sources = Sources(draft, given or briefing(), ORGANIZATION, POLICY, SENDER, ())
    return list(learn(draft, asked, SENDER, sources, known))


def test_question_and_answer_become_one_proposal() -> None:
    """The question is the title, the sentences that share its topic are the text."""
    (made,) = taught(f"{LENGTH} The red kayak weighs thirty kilos.")
    assert made.title == "How long is the red kayak?"
    assert made.body == f"{LENGTH} The red kayak weighs thirty kilos."
    assert (made.origin, made.kind) == (LearnedOrigin.REPLY, "faq")


@pytest.mark.parametrize(("language", "asked", "said"), LESSONS["taught"])
def test_other_languages_teach_too(language: str, asked: str, said: str) -> None:
    """The entry has the reply's language."""
    (made,) = taught(said, asked=asked, language=language)
    assert (made.title, made.body, made.language) == (asked, said, language)


def test_a_fact_that_nobody_asked_for_is_a_fact() -> None:
    """Without a question it shares words with, its beginning is the title."""
    (made,) = taught("Lockers with a padlock stand beside the slipway.")
    assert made.title == "Lockers with a padlock stand beside the slipway"
    assert (made.origin, made.kind) == (LearnedOrigin.EDIT, "fact")


@pytest.mark.parametrize("said", LESSONS["of one person"])
def test_what_is_about_one_person_or_day_teaches_nothing(said: str) -> None:
    """Names, addresses, long numbers, `your` and `tomorrow` stay with this contact."""
    assert taught(said) == []


@pytest.mark.parametrize(("language", "said"), LESSONS["of one letter"])
def test_what_its_writer_does_or_grants_once_is_no_knowledge(language: str, said: str) -> None:
    """A promise, whatever its words, and a favour hold for one letter alone."""
    assert taught(said, language=language, asked="When?") == []


def test_what_rests_on_knowledge_is_not_learned_again() -> None:
    """A cited sentence, and one that is known already, make no proposal."""
    given = briefing()
    ref = next(s.ref for s in given.snippets if s.ref.startswith("knowledge:"))
    assert taught(LENGTH, given=given, citations=(Citation(sentence=LENGTH, ref=ref),)) == []
    assert taught(LENGTH, known=(f"Boats. {LENGTH}",)) == []


def test_a_title_never_holds_what_belongs_to_the_asker() -> None:
    """A question with a name, a link or an address lends no title."""
    for asked in (
        "Is the red kayak of Wim Tulip long?",
        "Is the red kayak like https://hole.example/kayak?",
        "May red kayak facts go to eve@hole.example?",
    ):
        (made,) = taught(LENGTH, asked=asked)
        assert made.title == "The red kayak measures four metres and a"
        assert made.origin is LearnedOrigin.EDIT


def test_one_reply_proposes_little() -> None:
    """A long reply makes five proposals at most."""
    stated = [f"The {word} boat has {word} seats." for word in ("oak", "elm", "ash", "fir", "yew")]
    many = " ".join([*stated, "The pine boat has pine seats.", "The larch boat has larch seats."])
    assert len(taught(many, asked="")) == MOST
