"""How entries stand to each other: succession, weight by age and use, contradiction."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from connectors.embedding import LocalEmbedder
from connectors.knowledge import KnowledgeIndex
from connectors.knowledge.succession import in_force, with_successors
from connectors.knowledge.weighing import HEAVIEST, weight
from data.records.core.knowledge import KnowledgeEntry, Usage
from data.word_lists import word_list
from flows.mail.knowing.all_knowledge import list_misfits
from tasks.core.language.embedding import embed
from tasks.mail.context.conflicts import conflicts
from tests.core.mind.entries import KNOWLEDGE, entry

TODAY = date(2026, 3, 4)
OLD = entry("hours", "Opening hours", "The boathouse is open from 9:00 to 17:00.")
NEW = entry(
    "winter-hours",
    "Opening hours in winter",
    "In winter the boathouse is open from 10:00 to 15:00.",
    supersedes=("hours",),
    valid_from=date(2026, 1, 1),
    valid_until=date(2026, 3, 31),
)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[KnowledgeIndex]:
    """An empty index in a real folder."""
    made = await KnowledgeIndex.open(tmp_path / "knowledge", LocalEmbedder("local", embed))
    yield made
    await made.close()


async def found(index: KnowledgeIndex, query: str, day: date, **used: Usage) -> list[str]:
    """Return the ids that a query finds, best first."""
    hits = await index.search([query], limit=5, today=day, used=used)
    return [entry.id for entry, _ in hits[0]]


async def test_a_superseded_entry_is_not_found_while_its_successor_is_valid(
    index: KnowledgeIndex,
) -> None:
    """In winter only the winter's entry is found; before and afterwards the other one is."""
    await index.keep([OLD, NEW])
    query = "When is the boathouse open?"
    assert await found(index, query, TODAY) == ["winter-hours"]
    assert await found(index, query, date(2026, 4, 1)) == ["hours"]
    assert await found(index, query, date(2025, 12, 31)) == ["hours"]
    await index.keep([OLD])
    assert await found(index, query, TODAY) == ["hours"]


async def test_use_significance_and_age_decide_between_equals(index: KnowledgeIndex) -> None:
    """Of two entries with the same words the significant and used, or the fresh one comes first."""
    one, other = (entry(name, "Parking", "Park behind the boathouse.") for name in ("a", "b"))
    await index.keep([one, other])
    assert await found(index, "parking", TODAY) == ["a", "b"]
    await index.keep([one, other.model_copy(update={"significance": 1.0})])
    assert await found(index, "parking", TODAY, b=Usage(used=50)) == ["b", "a"]
    aged = one.model_copy(update={"half_life_days": 30, "checked_on": date(2025, 1, 1)})
    await index.keep([aged, other])
    assert await found(index, "parking", TODAY) == ["b", "a"]


async def test_no_use_brings_up_what_does_not_fit(index: KnowledgeIndex) -> None:
    """An entry about something else stays behind, however often it is cited."""
    await index.keep(KNOWLEDGE)
    query = "What does a single kayak cost?"
    best = (await found(index, query, TODAY))[0]
    others = {e.id: Usage(used=1000) for e in KNOWLEDGE if e.id != best}
    assert (await found(index, query, TODAY, **others))[0] == best


def test_entries_in_a_circle_supersede_nothing_and_the_sync_says_so() -> None:
    """Two that name each other are both in force; both names are in a warning."""
    one, other = (
        entry("a", "One", "It is one.", supersedes=("b",)),
        entry("b", "Two", "It is two.", supersedes=("a", "gone")),
    )
    assert all(in_force(e, TODAY) for e in with_successors([one, other]))
    said = [sentence for sentence, _ in list_misfits([one, other], TODAY)]
    assert sum("supersede each other" in sentence for sentence in said) == 2
    assert any("'gone'" in sentence for sentence in said)


def test_what_nobody_vouches_for_supersedes_nothing() -> None:
    """An untrusted entry does not hide one of the organization's own."""
    new = NEW.model_copy(update={"trusted": False})
    assert all(in_force(e, TODAY) for e in with_successors([OLD, new]))


@given(
    some.floats(0, 1),
    some.one_of(some.none(), some.integers(1, 36_500)),
    some.one_of(some.none(), some.dates()),
    some.integers(0, 10**9),
    some.dates(),
)
def test_the_weight_is_gentle(
    significance: float, half: int | None, checked: date | None, used: int, day: date
) -> None:
    """It is at least 0.63, never falls with use, and is 1 where nothing is said."""
    one = entry("x", "X", "x", significance=significance, half_life_days=half, checked_on=checked)
    made = weight(one, Usage(used=used), day)
    assert 0.63 < made <= HEAVIEST + 1e-9
    assert weight(one, Usage(used=used + 1), day) >= made
    assert weight(entry("y", "Y", "y"), None, day) == 1


def test_an_entry_ages_by_its_half_life() -> None:
    """After two half-lives it counts less than after one; checking it makes it fresh."""
    one = entry("x", "X", "x", half_life_days=100, valid_from=TODAY)
    later = [weight(one, None, TODAY + timedelta(days=days)) for days in (0, 100, 200)]
    assert later == [1, pytest.approx(0.875), pytest.approx(0.8125)]
    checked = one.model_copy(update={"checked_on": TODAY + timedelta(days=200)})
    assert weight(checked, None, TODAY + timedelta(days=200)) == 1


PAIRS: dict[str, list[list[str]]] = word_list(Path(__file__).with_name("knowledge_found.yaml"))


@pytest.mark.parametrize(("one", "other"), PAIRS["clashing"])
def test_two_numbers_for_one_thing_are_a_conflict(one: str, other: str) -> None:
    """The two sentences are named, whichever entry comes first."""
    entries = [entry("a", "Inspection", one), entry("b", "Inspection", other)]
    (clash,) = conflicts(entries, TODAY)
    assert (clash.one, clash.other, clash.said, clash.against) == ("a", "b", one, other)
    assert conflicts(entries[::-1], TODAY) == [clash]


@pytest.mark.parametrize(("one", "other"), PAIRS["agreeing"])
def test_other_things_and_equal_numbers_are_none(one: str, other: str) -> None:
    """Express delivery is no delivery, and 35 euros are 35.00 €."""
    entries = [entry("a", "Prices of it", one), entry("b", "Prices of it", other)]
    assert conflicts(entries, TODAY) == []


@pytest.mark.parametrize(
    "change",
    [
        {"valid_until": date(2026, 3, 3)},
        {"trusted": False},
        {"supersedes": ("a",)},
        {"language": "de"},
    ],
)
def test_what_does_not_hold_beside_the_other_is_no_conflict(change: dict[str, object]) -> None:
    """Expired, untrusted, superseding and foreign entries contradict nothing."""
    one, other = PAIRS["clashing"][0]
    second = entry("b", "Inspection", other).model_copy(update=change)
    entries = with_successors([entry("a", "Inspection", one), second])
    assert conflicts(entries, TODAY) == []


@given(
    some.lists(
        some.builds(
            KnowledgeEntry,
            id=some.sampled_from("abcdef"),
            title=some.just("T"),
            body=some.just("b"),
            supersedes=some.lists(some.sampled_from("abcdef"), max_size=3).map(tuple),
        ),
        max_size=6,
        unique_by=lambda e: e.id,
    )
)
def test_however_entries_supersede_each_other_one_of_them_is_found(
    entries: list[KnowledgeEntry],
) -> None:
    """Successions never hide everything."""
    if entries:
        assert any(in_force(e, TODAY) for e in with_successors(entries))
