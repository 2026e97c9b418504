"""The index of what is remembered: words and vectors in one table of LanceDB, each row of a layer.

It gives out ids and scores alone, within the layers that it is asked for; the items are read from
the state, within the same layers. The state is the truth: the index follows its revisions, and one
that is lost or was made by another embedder is made anew. Tokens are made elsewhere
(`tasks.agents.remembering`), so it splits at spaces and changes nothing.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Collection, Sequence
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from connectors.lazy_lancedb import connect
from data.errors import StoreError

_T = TypeVar("_T")
_TABLE = "memories"
_FORM_KEY = b"form"
_EMBEDDER_KEY = b"embedder"
FORM = "1"
"""Goes up when documents are written differently; an index of another form is made anew."""
COMPACT_AFTER_ROWS = 256
"""Rows that are written before the index of the words is brought up to date with them."""

Vectors = npt.NDArray[np.float32]


class IndexedMemory(NamedTuple):
    """One item as the index holds it."""

    id: str
    layer: str
    revision: int
    document: str


class MemoryIndex:
    """Searches and keeps one organization's index.

    `revisions` and `put` open it; before that searches find nothing and removals do nothing. Who
    writes holds `lock`; `forget` takes it itself. A failure of LanceDB leaves here as `StoreError`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._connection: Any = None
        self._table: Any = None
        self._tried_to_open = False
        self._rows_since_compacting = 0
        self.lock = asyncio.Lock()
        """Who brings the index up to date holds it."""
        self.revision = -1
        """The newest revision of the state that it holds, kept by who writes; -1 when unknown."""

    async def close(self) -> None:
        """Let go of the folder; `revisions` or `put` opens it again."""
        for resource in (self._table, self._connection):
            if resource is not None:
                resource.close()
        self._table = self._connection = None
        self._tried_to_open, self.revision = False, -1

    async def forget(self) -> None:
        """Remove the index with every byte of it; it is made anew from what is put into it next."""
        async with self.lock:
            await self.close()
            await asyncio.to_thread(shutil.rmtree, self._folder, True)

    async def revisions(self, embedder: str) -> dict[str, int]:
        """Return the revision of each item by its id.

        An index that another embedder made is removed, and there are none.
        """
        table = await self._open_or_discard(embedder)
        if table is None:
            return {}
        rows = await _await_guarded(table.query().select(["id", "revision"]).to_arrow())
        return dict(
            zip(rows.column("id").to_pylist(), rows.column("revision").to_pylist(), strict=True)
        )

    async def put(self, items: Sequence[IndexedMemory], vectors: Vectors, embedder: str) -> None:
        """Write items in the place of those with their ids; `vectors` has one row per item."""
        if not items:
            return
        rows = _build_rows(items, vectors, embedder)
        table = await self._open_or_discard(embedder)
        if table is None:
            await self._create(rows)
            return
        merge = table.merge_insert("id").when_matched_update_all()
        await _await_guarded(merge.when_not_matched_insert_all().execute(rows))
        self._rows_since_compacting += len(items)
        if self._rows_since_compacting >= COMPACT_AFTER_ROWS:
            await self.compact()

    async def remove(self, ids: Collection[str]) -> None:
        """Drop items; ids that are not there do not matter.

        Where that fails, what the index holds counts as unknown until all of it was compared.

        Raises:
            StoreError: the index cannot be written.

        """
        if self._table is None or not ids:
            return
        try:
            await _await_guarded(self._table.delete(f"id IN ({_quote_names(ids)})"))
        except StoreError:
            self.revision = -1
            raise

    async def compact(self) -> None:
        """Take what was written since into the index of the words, and drop older versions."""
        if self._table is not None:
            await _await_guarded(
                self._table.optimize(
                    cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True
                )
            )
            self._rows_since_compacting = 0

    async def search_words(
        self, tokens: Sequence[str], layers: Collection[str], limit: int
    ) -> dict[str, float]:
        """Return the scores (BM25) of the items of these layers that hold any of the tokens."""
        if self._table is None or not tokens or not layers:
            return {}
        lancedb_query: Any = import_module("lancedb.query")
        match = lancedb_query.MatchQuery(" ".join(tokens), "document")
        query = self._table.query().nearest_to_text(match)
        rows = await _await_guarded(
            query.where(_build_layer_filter(layers))
            .limit(limit)
            .select(["id", "_score"])
            .to_arrow()
        )
        return dict(
            zip(rows.column("id").to_pylist(), rows.column("_score").to_pylist(), strict=True)
        )

    async def search_vector(
        self, vector: Vectors, layers: Collection[str], limit: int
    ) -> dict[str, float]:
        """Return the likeness of the nearest items of these layers: products of unit vectors."""
        if self._table is None or not layers or not vector.any():
            return {}
        query = self._table.query().nearest_to(vector).distance_type("dot")
        rows = await _await_guarded(
            query.where(_build_layer_filter(layers))
            .limit(limit)
            .select(["id", "_distance"])
            .to_arrow()
        )
        distances = rows.column("_distance").to_pylist()
        ids = rows.column("id").to_pylist()
        return {id: 1.0 - distance for id, distance in zip(ids, distances, strict=True)}

    async def _open_or_discard(self, embedder: str) -> Any:  # noqa: ANN401  # a table of LanceDB
        """Return the table, None while there is none; of another form or embedder it is removed.

        It is tried once: after a failure the next `put` writes the index anew.
        """
        if self._tried_to_open:
            return self._table
        self._tried_to_open = True
        if not await asyncio.to_thread((self._folder / f"{_TABLE}.lance").is_dir):
            return None
        self._connection = await _await_guarded(connect(self._folder))
        table = await _await_guarded(self._connection.open_table(_TABLE))
        made_by = (await _await_guarded(table.schema())).metadata or {}
        if (made_by.get(_FORM_KEY), made_by.get(_EMBEDDER_KEY)) != (
            FORM.encode(),
            embedder.encode(),
        ):
            table.close()
            await _await_guarded(self._connection.drop_table(_TABLE))
            return None
        self._table = table
        return table

    async def _create(self, rows: Any) -> None:  # noqa: ANN401  # pyarrow has no types
        if self._connection is None:
            await asyncio.to_thread(self._folder.mkdir, 0o700, True, True)
            self._connection = await _await_guarded(connect(self._folder))
        self._table = await _await_guarded(
            self._connection.create_table(_TABLE, rows, mode="overwrite")
        )
        lancedb_index: Any = import_module("lancedb.index")
        config = lancedb_index.FTS(
            with_position=False,
            base_tokenizer="whitespace",
            lower_case=False,
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
        )
        await _await_guarded(self._table.create_index("document", config=config))


def _build_rows(items: Sequence[IndexedMemory], vectors: Vectors, embedder: str) -> Any:  # noqa: ANN401
    flat = pa.array(np.ascontiguousarray(vectors).ravel(), type=pa.float32())
    table = pa.table(
        {
            "id": pa.array([item.id for item in items], pa.string()),
            "layer": pa.array([item.layer for item in items], pa.string()),
            "revision": pa.array([item.revision for item in items], pa.int64()),
            "document": pa.array([item.document for item in items], pa.string()),
            "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
        }
    )
    return table.replace_schema_metadata(
        {_EMBEDDER_KEY: embedder.encode(), _FORM_KEY: FORM.encode()}
    )


def _build_layer_filter(layers: Collection[str]) -> str:
    return f"layer IN ({_quote_names(layers)})"


def _quote_names(names: Collection[str]) -> str:
    """Return ids or layers as a list in SQL; both are made by us, never taken from mail."""
    return ", ".join("'" + name.replace("'", "''") + "'" for name in sorted(names))


async def _await_guarded(call: Awaitable[_T]) -> _T:
    """Await a call of LanceDB and turn its failures into ours."""
    try:
        return await call
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(
            f"the index of memories failed ({error}); it is made anew when it is next asked"
        ) from error
