"""The index of what the organization knows: LanceDB, full text and vectors, fused by rank.

One folder per organization, so that no filter stands between tenants. Nothing that came from mail
becomes part of a filter: filters are built from a date and a checked language code, and the full
text of a query goes in as a `MatchQuery` of bare words. All handles live on one event loop.
"""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Self, TypeVar

import lancedb
import numpy as np
from lancedb.index import FTS
from lancedb.query import MatchQuery

from connectors.embedding import Embedder, Vectors
from connectors.knowledge.ranking import Scored, fuse, query_words
from connectors.knowledge.succession import with_successors
from connectors.knowledge.table import EMBEDDER, rows_of, text_of, where
from data.errors import OutsideError, StoreError
from data.records.knowledge import KnowledgeEntry, Usage

log = logging.getLogger("postern.knowledge")

_T = TypeVar("_T")
_TABLE = "knowledge"
_CANDIDATES = 4
"""Candidates drawn from each ranking, as a multiple of the limit."""


class KnowledgeIndex:
    """Searches and maintains one organization's index; make it with `open`.

    Writers take turns behind one lock, so that maintenance never meets a write of ours. A failure
    of LanceDB itself leaves here as `StoreError`, which is worth another attempt. When the
    embedder fails, or another one made the vectors, a search goes by words alone.
    """

    def __init__(self, connection: lancedb.AsyncConnection, embedder: Embedder) -> None:
        self._connection = connection
        self._embedder = embedder
        self._table: Any | None = None
        self._writing = asyncio.Lock()
        self.stale = False
        """Whether another embedder made the vectors; `keep` makes them again."""

    @classmethod
    async def open(cls, folder: Path, embedder: Embedder) -> Self:
        """Open the index in `folder`, making the folder when it is missing; raises StoreError."""
        try:
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            # Zero: every search looks for the newest version, else a handle stays stale for ever.
            connection = await lancedb.connect_async(
                folder, read_consistency_interval=timedelta(seconds=0)
            )
            index = cls(connection, embedder)
            names = (await connection.list_tables()).tables
            if _TABLE in names:
                index._table = await connection.open_table(_TABLE)
                made_by = ((await index._table.schema()).metadata or {}).get(EMBEDDER, b"")
                index.stale = made_by.decode() != embedder.name
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError(
                f"The knowledge index in {str(folder)!r} cannot be opened ({error}); "
                "check that the folder is readable, or delete it and sync again."
            ) from error
        return index

    async def close(self) -> None:
        """Let go of the folder; the index cannot be used after it."""
        if self._table is not None:
            self._table.close()
        self._connection.close()  # type: ignore[no-untyped-call]

    async def count(self) -> int:
        """Return how many entries the index holds."""
        return 0 if self._table is None else int(await self._table.count_rows())

    async def keep(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Make `entries` the whole content, embedding only what is new or says something else.

        Raises:
            OutsideError: the embedder does not answer; the index stays as it was.
            StoreError: LanceDB failed.

        """
        if self._table is None or self.stale:
            await self.replace(entries)
            return
        rows = await self._guard(self._table.query().select(["id", "entry"]).to_list())
        known = {row["id"]: row["entry"] for row in rows}
        wanted = {entry.id: entry for entry in with_successors(entries)}
        await self.remove([name for name in known if name not in wanted])
        await self.upsert([e for e in wanted.values() if known.get(e.id) != e.model_dump_json()])

    async def replace(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Make `entries` the whole content of the index, all embedded again; raises as `keep`."""
        async with self._writing:
            rows = await asyncio.to_thread(self._rows, with_successors(entries))
            table = await self._guard(self._connection.create_table(_TABLE, rows, mode="overwrite"))
            config = FTS(stem=True, remove_stop_words=False, ascii_folding=True)
            await self._guard(table.create_index("text", config=config, replace=True))
            self._table, self.stale = table, False

    async def upsert(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Add `entries`, and put them in the place of entries with the same id."""
        if not entries:
            return
        if self._table is None:
            await self.replace(entries)
            return
        async with self._writing:
            latest = {entry.id: entry for entry in entries}
            rows = await asyncio.to_thread(self._rows, tuple(latest.values()))
            merge = self._table.merge_insert("id").when_matched_update_all()
            await self._guard(merge.when_not_matched_insert_all().execute(rows))

    async def remove(self, ids: Sequence[str]) -> None:
        """Drop the entries with these ids; ids that are not there do not matter."""
        if self._table is None or not ids:
            return
        async with self._writing:
            quoted = ", ".join("'" + name.replace("'", "''") + "'" for name in ids)
            await self._guard(self._table.delete(f"id IN ({quoted})"))

    async def optimize(self) -> None:
        """Fold small writes and the unindexed tail into the index; call it from one place only."""
        if self._table is None:
            return
        async with self._writing:
            await self._guard(self._table.checkout_latest())
            await self._guard(self._table.optimize(cleanup_older_than=timedelta(hours=1)))

    async def search(
        self,
        queries: Sequence[str],
        *,
        limit: int,
        today: date,
        language: str | None = None,
        used: Mapping[str, Usage] | None = None,
    ) -> list[list[Scored]]:
        """Return for each query the entries that fit best, best first, at most `limit`.

        Entries that are not trusted, or not valid or superseded on `today`, are not found. With
        `language` (ISO 639-1) only entries of that language are; a code that is none counts as
        None. Entries that are not public are found: the caller looks at `entry.public`. `used` is
        how often each was used, by id.
        """
        if self._table is None or not queries or limit < 1 or not await self.count():
            return [[] for _ in queries]
        only = where(today, language)
        drawn = limit * _CANDIDATES
        vectors = await asyncio.to_thread(self._asked, queries)
        near, *texts = await asyncio.gather(
            self._guard(self._by_vector(vectors, only, drawn)),
            *(self._guard(self._by_text(query, only, drawn)) for query in queries),
        )
        bodies = near.pop("bodies")
        for found in texts:
            bodies.update(found)
        return [
            fuse(near.get(number, []), list(found), bodies, used or {}, today, limit)
            for number, found in enumerate(texts)
        ]

    def _asked(self, queries: Sequence[str]) -> Vectors:
        """Return the queries' vectors; none where they would not fit, or nobody makes them."""
        if self.stale:
            return np.zeros((0, 0), dtype=np.float32)
        try:
            return self._embedder.queries(queries)
        except OutsideError as error:
            log.warning("knowledge is searched by words alone: %s", error)
            return np.zeros((0, 0), dtype=np.float32)

    async def _by_vector(self, vectors: Vectors, only: str, drawn: int) -> dict[Any, Any]:
        """Return the ids near each vector by its number, and the entries under `bodies`."""
        assert self._table is not None  # noqa: S101  # search looked
        alive = [number for number, vector in enumerate(vectors) if vector.any()]
        found: dict[Any, Any] = {"bodies": {}}
        if not alive:
            return found
        query = self._table.query().nearest_to([vectors[number] for number in alive])
        query = query.distance_type("dot").where(only).limit(drawn)
        rows = await query.select(["id", "entry", "_distance"]).to_list()
        for row in sorted(rows, key=lambda row: (row["_distance"], row["id"])):
            number = alive[row.get("query_index", 0)]
            found.setdefault(number, []).append(row["id"])
            found["bodies"][row["id"]] = row["entry"]
        return found

    async def _by_text(self, query: str, only: str, drawn: int) -> dict[str, str]:
        """Return id to entry of what holds the words of `query`, best first."""
        assert self._table is not None  # noqa: S101  # search looked
        words = query_words(query)
        if not words:
            return {}
        wanted = MatchQuery(" ".join(words), "text")  # type: ignore[call-arg]
        match = self._table.query().nearest_to_text(wanted)
        match = match.where(only).limit(drawn)
        rows = await match.select(["id", "entry", "_score"]).to_list()
        rows.sort(key=lambda row: (-row["_score"], row["id"]))
        return {row["id"]: row["entry"] for row in rows}

    def _rows(self, entries: Sequence[KnowledgeEntry]) -> Any:  # noqa: ANN401  # pyarrow has no types
        """Return the entries as rows; embeds them."""
        # One text more, so that the shape is known when there is no entry.
        vectors = self._embedder.documents([*map(text_of, entries), "x"])[:-1]
        return rows_of(entries, vectors, self._embedder.name)

    async def _guard(self, call: Awaitable[_T]) -> _T:
        """Await a call of LanceDB and turn its failures into ours."""
        try:
            return await call
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError(
                f"The knowledge index failed ({error}); it is tried again, and if it keeps "
                "failing delete its folder and sync again."
            ) from error
