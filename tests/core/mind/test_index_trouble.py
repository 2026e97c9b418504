"""The index while its embedding server fails, changes, or answers otherwise than before."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import date
from pathlib import Path

import pytest

from connectors.embedding import LocalEmbedder, embedder_from
from connectors.knowledge import KnowledgeIndex
from data.errors import OutsideError, OutsideTemporaryError
from data.settings import Settings
from tasks.core.language.embedding import embed
from tests.core.mind.embedding_server import EmbeddingServer, dripping_server, embedding_server
from tests.core.mind.entries import KNOWLEDGE, entry

TODAY = date(2026, 3, 4)
DOWN = [503, 503]
OLD = entry("price", "Price", "A zeppelin costs 20 euros.")
NEW = OLD.model_copy(update={"body": "A zeppelin costs 30 euros."})


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """Run a stand-in for the length of a test."""
    with embedding_server() as running:
        yield running


def served(url: str, **more: object) -> Settings:
    """Return settings with the stand-in as embedding server."""
    return Settings(embedding_provider="ollama", embedding_base_url=url, **more)  # type: ignore[arg-type]


@pytest.fixture
async def index(server: EmbeddingServer, tmp_path: Path) -> AsyncIterator[KnowledgeIndex]:
    """An index that the stand-in has made."""
    made = await KnowledgeIndex.open(tmp_path / "k", embedder_from(served(server.url), embed))
    await made.keep([*KNOWLEDGE, OLD])
    server.requests.clear()
    yield made
    await made.close()


async def found(index: KnowledgeIndex, query: str = "What does a zeppelin cost?") -> list[str]:
    """Return what a query finds, as it is written."""
    hits = await index.search([query], limit=3, today=TODAY)
    return [one.body for one, _ in hits[0]]


async def test_what_is_withdrawn_is_gone_though_the_server_fails(
    server: EmbeddingServer, index: KnowledgeIndex
) -> None:
    """A no holds at once, and an outdated text is not told while the new one waits."""
    server.script = [*DOWN]
    with pytest.raises(OutsideError):
        await index.keep([*KNOWLEDGE, entry("new", "New", "A blimp costs 9 euros.")])
    assert OLD.body not in await found(index)
    await index.keep([*KNOWLEDGE, OLD])
    server.script = [*DOWN]
    with pytest.raises(OutsideError):
        await index.keep([*KNOWLEDGE, NEW])
    assert OLD.body not in await found(index)
    await index.keep([*KNOWLEDGE, NEW])
    assert (await found(index))[0] == NEW.body


async def test_it_is_gone_too_while_the_setting_has_just_changed(
    server: EmbeddingServer, index: KnowledgeIndex, tmp_path: Path
) -> None:
    """An index of another maker, whose server fails, tells nothing that is outdated."""
    other = embedder_from(served(server.url, embedding_model="other"), embed)
    again = await KnowledgeIndex.open(tmp_path / "k", other)
    assert again.stale
    for wanted in (KNOWLEDGE, [*KNOWLEDGE, NEW]):
        server.script = [*DOWN]
        with pytest.raises(OutsideError):
            await again.keep(wanted)
        assert not {OLD.body} & set(await found(again))
        assert await again.count() == len(KNOWLEDGE)
    await again.keep([*KNOWLEDGE, NEW])
    assert not again.stale
    await again.close()


async def test_a_change_beside_the_text_asks_no_server(
    server: EmbeddingServer, index: KnowledgeIndex
) -> None:
    """Trust, validity and succession count at once, with the vectors that there are."""
    ended = OLD.model_copy(update={"valid_until": date(2026, 3, 3)})
    await index.keep([*KNOWLEDGE, ended])
    assert OLD.body not in await found(index)
    await index.keep([*KNOWLEDGE, OLD.model_copy(update={"trusted": False})])
    assert OLD.body not in await found(index)
    await index.keep([*KNOWLEDGE, OLD])
    assert (await found(index))[0] == OLD.body
    asked = {text for _, body, _ in server.requests for text in body["input"]}
    assert asked == {"What does a zeppelin cost?"}


@pytest.mark.parametrize("how", ["search", "keep"])
async def test_vectors_of_another_length_make_the_index_anew(
    server: EmbeddingServer, index: KnowledgeIndex, how: str
) -> None:
    """A server with another model under the same name costs no search and no entry."""
    server.width = 64
    if how == "search":
        assert (await found(index))[0] == OLD.body
        assert index.stale
    await index.keep([*KNOWLEDGE, NEW])
    assert not index.stale
    assert (await found(index))[0] == NEW.body
    assert await index.count() == len(KNOWLEDGE) + 1


async def test_lengths_that_differ_within_one_answer_are_refused(
    server: EmbeddingServer, index: KnowledgeIndex
) -> None:
    """Half of the batches of one length and half of another is an error, and no crash."""
    many = [entry(f"e{n}", "Boat", f"Boat {n} is blue.") for n in range(70)]
    server.script = [{"embeddings": [[1.0, 0.0]] * 64}]
    with pytest.raises(OutsideTemporaryError, match="lengths"):
        await index.keep([*KNOWLEDGE, OLD, *many])
    server.script = [{"embeddings": [[]]}]
    assert (await found(index))[0] == OLD.body


async def test_a_setting_that_changes_back_needs_nothing(
    server: EmbeddingServer, index: KnowledgeIndex, tmp_path: Path
) -> None:
    """Broken off while embedding anew, and set back: the old vectors are all there."""
    other = embedder_from(served(server.url, embedding_model="other"), embed)
    again = await KnowledgeIndex.open(tmp_path / "k", other)
    server.script = [*DOWN]
    with pytest.raises(OutsideError):
        await again.keep([*KNOWLEDGE, OLD])
    task = asyncio.create_task(again.keep([*KNOWLEDGE, OLD]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await again.close()
    back = await KnowledgeIndex.open(tmp_path / "k", embedder_from(served(server.url), embed))
    assert not back.stale
    assert await back.count() == len(KNOWLEDGE) + 1
    third = await KnowledgeIndex.open(tmp_path / "k", LocalEmbedder("third", embed))
    assert third.stale
    await third.keep([*KNOWLEDGE, OLD])
    assert (await found(third))[0] == OLD.body
    await back.close()
    await third.close()


def test_an_answer_that_drips_ends_with_its_time() -> None:
    """The limit is for the whole answer, not for each octet of it."""
    with dripping_server() as url:
        made = embedder_from(served(url, embedding_seconds=0.5), embed)
        with pytest.raises(OutsideTemporaryError, match="cannot be reached"):
            made.queries(["a kayak"])
