"""Embedders by setting, and an index that outlives a change of them."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from connectors.embedding import LocalEmbedder, embedder_from
from connectors.knowledge import KnowledgeIndex
from data.errors import OutsidePermanentError, OutsideTemporaryError, SettingsError
from data.settings import Settings
from tasks.core.language.embedding import embed
from tasks.core.words.letters import embed_letters
from tests.core.mind.embedding_server import EmbeddingServer, embedding_server
from tests.core.mind.entries import KNOWLEDGE, entry

TODAY = date(2026, 3, 4)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """Run a stand-in for the length of a test."""
    with embedding_server() as running:
        yield running


def settings(provider: str, **more: object) -> Settings:
    """Return settings with an embedding provider."""
    return Settings(embedding_provider=provider, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("provider", "path"),
    [("openai", "/embeddings"), ("voyage", "/embeddings"), ("ollama", "/api/embed")],
)
def test_each_server_is_spoken_to_in_its_form(
    server: EmbeddingServer, provider: str, path: str
) -> None:
    """Texts come back as unit vectors in their order; the key goes in the header only."""
    made = embedder_from(
        settings(provider, embedding_base_url=server.url, embedding_api_key="k-123"), embed
    )
    texts = [f"text number {n}" for n in range(70)]
    found = made.documents(texts)
    assert np.allclose(found, embed_letters(texts), atol=1e-5)
    assert [(asked[0], len(asked[1]["input"])) for asked in server.requests] == [
        (path, 64),
        (path, 6),
    ]
    assert all(
        asked[2] == "Bearer k-123" and "k-123" not in str(asked[1]) for asked in server.requests
    )
    made.queries(["?"])
    assert server.requests[-1][1].get("input_type") == ("query" if provider == "voyage" else None)
    assert "k-123" not in made.name


def test_a_busy_server_is_asked_twice(server: EmbeddingServer) -> None:
    """429 and 503 get one more attempt; a second failure is temporary, a refusal is not."""
    made = embedder_from(settings("ollama", embedding_base_url=server.url), embed)
    server.script = [429]
    assert made.queries(["a kayak"]).shape == (1, 256)
    server.script = [429, 503]
    with pytest.raises(OutsideTemporaryError, match="503 twice"):
        made.queries(["a kayak"])
    server.script = [404]
    with pytest.raises(OutsidePermanentError, match="embedding_model"):
        made.queries(["a kayak"])
    assert len(server.requests) == 5


def test_a_wait_that_is_no_number_is_a_short_one(server: EmbeddingServer) -> None:
    """A digit of other letters is one to Python, and nothing that it can compute with."""
    made = embedder_from(settings("ollama", embedding_base_url=server.url), embed)
    server.script, server.headers = [429], {"retry-after": "\u00b2"}
    assert made.queries(["a kayak"]).shape == (1, 256)


def test_an_answer_that_cannot_be_unpacked_is_an_error(server: EmbeddingServer) -> None:
    """It says that it is compressed, and is not."""
    made = embedder_from(settings("ollama", embedding_base_url=server.url), embed)
    server.headers = {"content-encoding": "gzip"}
    with pytest.raises(OutsideTemporaryError, match="ollama at"):
        made.queries(["a kayak"])


def test_a_key_of_any_letters_is_sent(server: EmbeddingServer) -> None:
    """It is the server that refuses it."""
    given = settings("openai", embedding_base_url=server.url, embedding_api_key="schlüssel")
    embedder_from(given, embed).queries(["a kayak"])
    assert server.requests[0][2].encode("latin-1") == "Bearer schlüssel".encode()


@pytest.mark.parametrize(
    "answer",
    [
        *({}, [], {"embeddings": [[1.0], [2.0]]}, {"embeddings": [["x"]]}, "no", None),
        {"embeddings": [[10**400]]},
        b"[" * 200_000,
    ],
    ids=str,
)
def test_an_answer_without_vectors_is_an_error(server: EmbeddingServer, answer: object) -> None:
    """What is no list of as many vectors is refused with a sentence."""
    made = embedder_from(settings("ollama", embedding_base_url=server.url), embed)
    server.script = [answer]
    with pytest.raises(OutsideTemporaryError, match="ollama at"):
        made.queries(["a kayak"])


def test_what_is_missing_is_named() -> None:
    """A provider without its key or its package says so before anything is asked."""
    with pytest.raises(SettingsError, match="POSTERN_EMBEDDING_API_KEY"):
        embedder_from(settings("openai"), embed)
    with pytest.raises(SettingsError, match="sentence-transformers"):
        embedder_from(settings("sentence-transformers"), embed)


@pytest.mark.parametrize(
    ("address", "given", "said"),
    [
        ("http://vectors.example/v1", {}, "in the clear"),
        ("http://10.0.0.7:8000/v1", {}, "embedding_plain_http"),
        ("https://anna:pass-word@vectors.example/v1", {}, "user name"),
        ("vectors.example", {}, "whole address"),
        ("http://10.0.0.7:8000/v1", {"embedding_plain_http": True}, ""),
        ("https://vectors.example/v1", {}, ""),
    ],
)
def test_no_text_goes_to_another_machine_in_the_clear(
    address: str, given: dict[str, bool], said: str
) -> None:
    """Plain HTTP leaves this machine only if somebody says so; no error repeats a password."""
    own = settings("openai", embedding_base_url=address, embedding_api_key="k", **given)
    if not said:
        assert embedder_from(own, embed).name
        return
    with pytest.raises(SettingsError, match=said) as caught:
        embedder_from(own, embed)
    assert "pass-word" not in str(caught.value)


async def first(index: KnowledgeIndex, query: str) -> str:
    """Return the id of the best hit."""
    found = await index.search([query], limit=3, today=TODAY)
    return found[0][0][0].id


async def test_a_changed_embedder_makes_the_index_again(
    server: EmbeddingServer, tmp_path: Path
) -> None:
    """Until then words alone find entries; vectors of two makers are never compared."""
    old = await KnowledgeIndex.open(tmp_path / "k", LocalEmbedder("one", embed))
    await old.keep(KNOWLEDGE)
    await old.close()
    other = embedder_from(settings("ollama", embedding_base_url=server.url), embed)
    index = await KnowledgeIndex.open(tmp_path / "k", other)
    assert index.stale
    assert await first(index, "dogs on board") == "dogs"
    assert server.requests == []
    await index.keep(KNOWLEDGE)
    assert not index.stale
    assert await first(index, "cancelation of bokings") == "cancel"
    await index.close()
    again = await KnowledgeIndex.open(tmp_path / "k", other)
    assert not again.stale
    await again.close()


async def test_a_failing_embedder_leaves_the_words(server: EmbeddingServer, tmp_path: Path) -> None:
    """A search goes on without vectors; a write fails and leaves the index as it was."""
    other = embedder_from(settings("ollama", embedding_base_url=server.url), embed)
    index = await KnowledgeIndex.open(tmp_path / "k", other)
    await index.keep(KNOWLEDGE)
    server.script = [500, 500]
    assert await first(index, "opening hours of the boathouse") == "opening-hours"
    server.script = [500, 500]
    with pytest.raises(OutsideTemporaryError):
        await index.keep([*KNOWLEDGE, entry("new", "Sails", "Sails cost 9 euros.")])
    assert await index.count() == len(KNOWLEDGE)
    await index.close()


async def test_keeping_embeds_only_what_changed(server: EmbeddingServer, tmp_path: Path) -> None:
    """Entries that say the same are not sent again; those that are gone are dropped."""
    other = embedder_from(settings("ollama", embedding_base_url=server.url), embed)
    index = await KnowledgeIndex.open(tmp_path / "k", other)
    await index.keep(KNOWLEDGE)
    server.requests.clear()
    await index.keep([*KNOWLEDGE[1:], entry("new", "Sails", "Sails cost 9 euros.")])
    assert [asked[1]["input"] for asked in server.requests] == [
        ["Sails .  . Sails cost 9 euros.", "x"]
    ]
    assert await index.count() == len(KNOWLEDGE)
    server.requests.clear()
    await index.keep([*KNOWLEDGE[1:], entry("new", "Sails", "Sails cost 9 euros.")])
    assert server.requests == []
    await index.close()
