"""A question about one person is answered with what that person said, and nothing of others."""

from datetime import UTC, datetime

import pytest

from data.records.agents.memories import Memory, Provenance
from data.states import MemoryState
from tasks.agents.remembering.ranking import (
    ALIKE,
    ENOUGH,
    MemoryMatches,
    measure_sureness,
    query_of,
    rank_all_matches,
)

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
IDA, TOM = "Ida", "Tom"


def _matches(question: str, *said: tuple[str, str], likeness: float = 0.0) -> MemoryMatches:
    """Return what was said by whom as it comes to be weighed for a question."""
    items = tuple(
        Memory(
            id=f"item-{place}",
            layer="team:looms",
            text=text,
            size=len(text),
            language="en",
            provenance=Provenance.PERSON,
            significance=0.5,
            state=MemoryState.CURRENT,
            count=1,
            author=who,
            author_name=who,
            first_at=NOW,
            last_at=NOW,
        )
        for place, (who, text) in enumerate(said)
    )
    return MemoryMatches(
        query=query_of(question),
        items=items,
        words=dict.fromkeys((item.id for item in items), 1.0),
        likeness=dict.fromkeys((item.id for item in items), likeness),
    )


def _sureness(matches: MemoryMatches) -> float:
    return measure_sureness(matches, rank_all_matches(matches, NOW))


@pytest.mark.parametrize(("asked_of", "recalled"), [(TOM, True), (IDA, False)])
def test_what_another_did_is_no_answer(asked_of: str, recalled: bool) -> None:
    """Ida talks of the race as well; the one who ran it is Tom."""
    matches = _matches(
        f"When did {asked_of} run the charity race?",
        (TOM, "I ran a charity race on Saturday."),
        (TOM, "The race was twelve kilometres."),
        (IDA, "I never run when it rains."),
        (IDA, "The blue loom squeaks."),
    )
    assert (_sureness(matches) >= ENOUGH) is recalled


def test_what_is_said_to_somebody_is_of_who_is_spoken_to() -> None:
    """*Your race* is another's: of two it stands for Tom, and not for Ida."""
    to_him = _matches(
        f"What did {IDA} win at the charity race?",
        (IDA, "Your charity race was great! You win every race."),
        (TOM, "I had a good charity race."),
    )
    of_her = _matches(
        f"What did {IDA} win at the charity race?",
        (IDA, "My charity race was great! I win every race."),
        (TOM, "I had a good charity race."),
    )
    assert _sureness(to_him) < ENOUGH <= _sureness(of_her)


@pytest.mark.parametrize(("asked_of", "recalled"), [(TOM, True), (IDA, False)])
def test_a_question_back_tells_of_who_is_asked(asked_of: str, recalled: bool) -> None:
    """Who asks after the race has not run it, however many of the words it has."""
    matches = _matches(
        f"Which medal did {asked_of} win at the charity race?",
        (IDA, "Which medal did you win at the charity race?"),
        (TOM, "I came second at the race."),
    )
    assert (_sureness(matches) >= ENOUGH) is recalled


def test_nothing_of_a_person_fits_a_question_about_them_by_their_name_alone() -> None:
    """That the name is there is no reason to tell whatever they said."""
    matches = _matches(f"What is the shoe size of {IDA}?", (IDA, "I prefer tea."))
    assert _sureness(matches) < ENOUGH


def test_likeness_counts_where_no_words_are_shared() -> None:
    """A question in another language, or in other words altogether."""
    alike = _matches(f"Où travaille {IDA} ?", (IDA, "My desk is upstairs."), likeness=ALIKE)
    assert _sureness(alike) >= ENOUGH
    assert _sureness(alike.model_copy(update={"likeness": {}})) < ENOUGH
