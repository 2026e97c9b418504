"""Chains of entries that supersede each other: what holds on a day, and that it is found."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from connectors.embedding import LocalEmbedder
from connectors.knowledge import KnowledgeIndex
from connectors.knowledge.succession import in_force, with_successors
from data.records.core.knowledge import KnowledgeEntry, is_valid
from tasks.core.language.embedding import embed
from tests.core.mind.entries import entry

TODAY = date(2026, 3, 4)
YESTERDAY, TOMORROW = TODAY - timedelta(days=1), TODAY + timedelta(days=1)


def chain(**changes: dict[str, object]) -> list[KnowledgeEntry]:
    """Return three entries, each superseding the one before."""
    made = [
        entry("a", "Price", "A kayak costs 20 euros."),
        entry("b", "Price", "A kayak costs 25 euros.", supersedes=("a",)),
        entry("c", "Price", "A kayak costs 30 euros.", supersedes=("b",)),
    ]
    return [one.model_copy(update=changes.get(one.id, {})) for one in made]


def holding(entries: list[KnowledgeEntry], day: date = TODAY) -> set[str]:
    """Return the entries that count on a day."""
    return {
        one.id
        for one in with_successors(entries)
        if one.trusted and in_force(one, day) and is_valid(one.valid_from, one.valid_until, day)
    }


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_the_last_of_a_chain_holds(order: tuple[int, ...]) -> None:
    """In whichever order they are loaded, only the newest price holds."""
    entries = chain()
    assert holding([entries[place] for place in order]) == {"c"}


def test_what_was_replaced_does_not_come_back_when_its_successor_ends() -> None:
    """The middle one ended yesterday; the last one stands in the place of both."""
    assert "a" not in holding(chain(b={"valid_until": YESTERDAY}))
    assert holding(chain(b={"valid_until": YESTERDAY}, c={"valid_until": YESTERDAY})) == {"a"}


def test_a_successor_that_begins_tomorrow_replaces_nothing_today() -> None:
    """An announced price that is changed before it begins leaves today's price alone."""
    entries = chain(b={"valid_from": TOMORROW})
    assert holding(entries, TODAY) == {"a", "c"}
    assert holding(entries, TOMORROW) == {"c"}
    entries = chain(c={"valid_from": TOMORROW})
    assert (holding(entries, TODAY), holding(entries, TOMORROW)) == ({"b"}, {"c"})


def test_a_no_to_the_middle_one_breaks_the_chain() -> None:
    """What a person does not vouch for replaces nothing, and carries nothing on."""
    assert holding(chain(b={"trusted": False})) == {"a", "c"}
    assert holding(chain(c={"trusted": False})) == {"b"}
    assert holding([one for one in chain() if one.id != "b"]) == {"a", "c"}


def test_a_circle_inside_a_chain_hides_nobody() -> None:
    """Two that name each other replace nothing; the one that names them both replaces both."""
    made = [*chain(a={"supersedes": ("b",)}), entry("d", "Price", "40.", supersedes=("a",))]
    assert holding(made) == {"c", "d"}
    assert holding(chain(a={"supersedes": ("c",)})) == {"a", "b", "c"}


days = some.one_of(some.none(), some.integers(0, 6).map(lambda n: TODAY + timedelta(days=n - 3)))


@given(
    some.lists(
        some.builds(
            KnowledgeEntry,
            id=some.sampled_from("abcdef"),
            title=some.just("T"),
            body=some.just("b"),
            trusted=some.booleans(),
            valid_from=days,
            valid_until=days,
            supersedes=some.lists(some.sampled_from("abcdef"), max_size=3).map(tuple),
        ),
        max_size=6,
        unique_by=lambda e: e.id,
    )
)
def test_nothing_is_hidden_but_by_what_holds(entries: list[KnowledgeEntry]) -> None:
    """Whoever stands in another's place today is trusted, valid today, and reaches it."""
    by_id = {one.id: one for one in entries}
    made = with_successors(entries)
    assert with_successors(made) == made
    for one in made:
        for other in one.superseded:
            assert by_id[other.by].trusted
            if other.holds(TODAY):
                successor = by_id[other.by]
                assert successor.valid_until is None or successor.valid_until >= TODAY
                assert successor.valid_from is None or successor.valid_from <= TODAY


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[KnowledgeIndex]:
    """An empty index in a real folder."""
    made = await KnowledgeIndex.open(tmp_path / "knowledge", LocalEmbedder("local", embed))
    yield made
    await made.close()


async def test_forty_replaced_prices_do_not_crowd_out_the_one_that_holds(
    index: KnowledgeIndex,
) -> None:
    """However many like it were superseded, the entry in force is found first."""
    old = [
        entry(
            f"p{n}",
            "Price of a kayak",
            f"What does a kayak cost? It costs {20 + n} euros a day.",
            supersedes=(f"p{n - 1}",) if n else (),
        )
        for n in range(40)
    ]
    last = entry(
        "now",
        "Rental",
        "Boats, paddles and jackets are let by the day at a charge of seventy euros.",
        supersedes=("p39",),
    )
    await index.keep([*old, last])
    hits = await index.search(["What does a kayak cost?"], limit=5, today=TODAY)
    assert [one.id for one, _ in hits[0]] == ["now"]
