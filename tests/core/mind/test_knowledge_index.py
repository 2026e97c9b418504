import asyncio
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from connectors.embedding import LocalEmbedder
from connectors.knowledge import KnowledgeIndex
from data.errors import StoreError
from data.word_lists import word_list
from tasks.core.language.embedding import embed
from tests.core.mind.entries import KNOWLEDGE, entry

TODAY = date(2026, 3, 4)
LOCAL = LocalEmbedder("local", embed)


QUERIES: list[list[str]] = word_list(Path(__file__).with_name("knowledge_found.yaml"))["found"]


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[KnowledgeIndex]:
    """Open an index of the tiny organization in a real folder."""
    made = await KnowledgeIndex.open(tmp_path / "knowledge", LOCAL)
    await made.replace(KNOWLEDGE)
    yield made
    await made.close()


async def ids(index: KnowledgeIndex, query: str, **more: object) -> list[str]:
    """Return the ids that a query finds, best first."""
    values: dict[str, object] = {"limit": 10, "today": TODAY}
    found = await index.search([query], **(values | more))  # type: ignore[arg-type]
    return [found_entry.id for found_entry, _ in found[0]]


@pytest.mark.parametrize(("query", "best"), QUERIES)
async def test_the_best_entry_comes_first(index: KnowledgeIndex, query: str, best: str) -> None:
    """Words, word forms, typos and known concepts of other languages lead to the entry."""
    assert (await ids(index, query))[0] == best


async def test_entries_come_back_whole_with_scores(index: KnowledgeIndex) -> None:
    """A hit is the entry as it was stored, with its public flag, and scores fall from at most 1."""
    found = (await index.search(["margin on kayak rentals"], limit=3, today=TODAY))[0]
    assert found[0][0] == next(e for e in KNOWLEDGE if e.id == "margin")
    assert not found[0][0].public
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1


async def test_many_queries_keep_their_order(index: KnowledgeIndex) -> None:
    """A batch answers each query in its place, empty ones with nothing."""
    queries = ["dogs", "", "opening hours", "?!", "cancel"]
    found = await index.search(queries, limit=1, today=TODAY)
    assert [[e.id for e, _ in hits] for hits in found] == [
        ["dogs"],
        [],
        ["opening-hours"],
        [],
        ["cancel"],
    ]


async def test_the_limit_holds(index: KnowledgeIndex) -> None:
    """No more entries come back than asked for, and none for a limit of zero."""
    assert len(await ids(index, "kayak price hours booking", limit=2)) == 2
    assert await ids(index, "kayak", limit=0) == []


async def test_the_language_filter(index: KnowledgeIndex) -> None:
    """With a language only its entries are found; a code that is none filters nothing."""
    assert await ids(index, "kayak kostet", language="de") == ["preise"]
    assert "rental-price" in await ids(index, "kayak", language="x' OR 'a'='a")


async def test_validity_is_asked_for_the_day(index: KnowledgeIndex) -> None:
    """An entry is found from its first to its last day and on no other."""
    sale = entry(
        "sale",
        "Sale",
        "Spring sale of paddles.",
        valid_from=date(2026, 3, 1),
        valid_until=date(2026, 3, 4),
    )
    await index.upsert([sale])
    days = [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 4), date(2026, 3, 5)]
    hits = ["sale" in await ids(index, "spring sale", today=day) for day in days]
    assert hits == [False, True, True, False]


async def test_untrusted_entries_are_not_found(index: KnowledgeIndex) -> None:
    """What nobody vouched for stays out of every result."""
    await index.upsert([entry("rumour", "Rumour", "Submarines are free.", trusted=False)])
    assert await index.count() == len(KNOWLEDGE) + 1
    assert "rumour" not in await ids(index, "free submarines")


async def test_an_upsert_replaces_by_id(index: KnowledgeIndex) -> None:
    """A changed entry is found at once by its new words and no longer stands twice."""
    await index.upsert(
        [
            entry("dogs", "Parrots", "Parrots may ride along."),
            entry("new", "Sail", "Sails cost 9 euros."),
        ]
    )
    assert await index.count() == len(KNOWLEDGE) + 1
    assert (await ids(index, "parrots"))[0] == "dogs"
    assert (await ids(index, "sails"))[0] == "new"


async def test_removed_entries_are_gone(index: KnowledgeIndex) -> None:
    """Removing by id drops exactly these, quotes in an id included."""
    await index.upsert([entry("it's", "Odd", "An odd id.")])
    await index.remove(["it's", "dogs", "nothing", "x' OR '1'='1"])
    assert await index.count() == len(KNOWLEDGE) - 1
    assert "dogs" not in await ids(index, "dogs on board")


async def test_replacing_leaves_nothing_behind(index: KnowledgeIndex) -> None:
    """A new content takes the place of the whole old one, also an empty one."""
    await index.replace(KNOWLEDGE[:1])
    assert await ids(index, "dogs opening hours kayak") == ["rental-price"]
    await index.replace([])
    assert await index.count() == 0
    assert await ids(index, "kayak") == []
    await index.upsert(KNOWLEDGE[:2])
    assert await index.count() == 2


async def test_a_new_index_is_empty(tmp_path: Path) -> None:
    """An index without content answers with nothing and can be tidied up."""
    made = await KnowledgeIndex.open(tmp_path / "new", LOCAL)
    assert await made.search(["kayak", "dog"], limit=3, today=TODAY) == [[], []]
    assert await made.count() == 0
    await made.optimize()
    await made.remove(["x"])
    await made.upsert(KNOWLEDGE[:1])
    assert await made.count() == 1
    await made.close()


async def test_the_content_outlives_its_handle(index: KnowledgeIndex, tmp_path: Path) -> None:
    """Another handle on the folder finds what was stored, and what is stored after it opened."""
    other = await KnowledgeIndex.open(tmp_path / "knowledge", LOCAL)
    assert (await ids(other, "dogs"))[0] == "dogs"
    await index.upsert([entry("late", "Late", "Zeppelins depart at noon.")])
    assert (await ids(other, "zeppelins"))[0] == "late"
    await other.close()


@pytest.mark.parametrize(
    "query",
    [
        "' OR 1=1 --",
        '"unbalanced',
        "a AND OR NOT (",
        "title:* ^9 ~2 +x -y",
        "\\ / [ ] { }",
        "x" * 20_000,
        "\x00\ud7ff\u202e",
        "語 текст ü",
    ],
)
async def test_no_query_is_syntax(index: KnowledgeIndex, query: str) -> None:
    """Operators, quotes and odd letters of a query are just text."""
    assert len(await ids(index, query)) <= len(KNOWLEDGE)


async def test_tidying_up_changes_no_answer(index: KnowledgeIndex) -> None:
    """After many small writes and maintenance at the same time everything is still found."""
    added = [entry(f"n{n}", f"Boat {n}", f"Boat number {n} is called Heron{n}.") for n in range(20)]
    await asyncio.gather(*(index.upsert([one]) for one in added), index.optimize())
    await index.optimize()
    assert await index.count() == len(KNOWLEDGE) + 20
    assert (await ids(index, "Heron13"))[0] == "n13"


async def test_a_folder_that_cannot_be_used_is_our_error(tmp_path: Path) -> None:
    """A file where the folder should be is reported with what to do."""
    (tmp_path / "knowledge").write_text("not a folder")
    with pytest.raises(StoreError, match="cannot be opened"):
        await KnowledgeIndex.open(tmp_path / "knowledge", LOCAL)


async def test_a_search_while_the_index_is_written_anew_is_answered(index: KnowledgeIndex) -> None:
    """Erasing a contact removes the files that a search is reading; it reads the new ones then."""
    before = await ids(index, "When is the workshop open?")
    assert before != []

    async def search_on() -> list[list[str]]:
        return [await ids(index, "When is the workshop open?") for _ in range(12)]

    async def renew() -> None:
        for _ in range(8):
            await index.renew()

    *searched, _ = await asyncio.gather(*(search_on() for _ in range(4)), renew())
    assert all(answer == before for answers in searched for answer in answers)
