"""The index of what the organization knows: entries and vectors in LanceDB, and their words.

One folder per organization, so that no filter stands between tenants. Nothing that came from mail
becomes part of a filter: filters are built from a date and a checked language code. What vectors
find and what words find is fused by rank. All handles live on one event loop.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np

from connectors.embedding import Embedder, Vectors
from connectors.knowledge.ranking import Scored, fuse
from connectors.knowledge.succession import contradicted_on, with_successors
from connectors.knowledge.table import EMBEDDER, number_of, rows_of, text_of, width_of, write_filter
from connectors.knowledge.word_index import WordIndex
from connectors.lazy_lancedb import connect
from data.errors import OutsideError, StoreError
from data.records.core.knowledge import KnowledgeEntry, Usage

log = logging.getLogger("postern.knowledge")

_T = TypeVar("_T")
_TABLE = "knowledge"
_COLUMNS = ("id", "entry", "text", "language", "trusted", "valid_from", "valid_until")
_CANDIDATES = 4
"""Candidates drawn from each ranking, as a multiple of the limit."""


class KnowledgeIndex:
    """Searches and maintains one organization's index; its folder is opened when it is needed.

    Writers take turns behind one lock, so that maintenance never meets a write of ours. A failure
    of LanceDB itself leaves here as `StoreError`, which is worth another attempt. When the
    embedder fails, or another one made the vectors, a search goes by words alone.
    """

    def __init__(self, folder: Path, make_embedder: Callable[[], Embedder]) -> None:
        self._folder = folder
        self._connection: Any = None
        self._make_embedder = make_embedder
        self._table: Any = None
        self._looked = False
        self._word_index: WordIndex | None = None
        self._opening = asyncio.Lock()
        self._writing = asyncio.Lock()
        self._width = 0
        self.stale = False
        """Whether another embedder made the vectors, once it is open; `keep` makes them again."""

    @classmethod
    async def open(cls, folder: Path, embedder: Embedder) -> Self:
        """Open the index in `folder`, making the folder when it is missing; raises StoreError."""
        index = cls(folder, lambda: embedder)
        await index._open_table()
        return index

    @cached_property
    def _embedder(self) -> Embedder:
        return self._make_embedder()

    async def _open_table(self) -> Any:  # noqa: ANN401  # a table of LanceDB
        """Return the table, None while there is none; raises StoreError."""
        if not self._looked:
            async with self._opening:
                await self._look()
        return self._table

    async def _look(self) -> None:
        if self._looked:
            return
        try:
            await self._open()
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError(
                f"The knowledge index in {str(self._folder)!r} cannot be opened ({error}); "
                "check that the folder is readable, or delete it and sync again."
            ) from error
        self._looked = True

    async def _open(self) -> None:
        await asyncio.to_thread(self._folder.mkdir, parents=True, exist_ok=True)
        if not await asyncio.to_thread((self._folder / f"{_TABLE}.lance").is_dir):
            return
        self._connection = await connect(self._folder)
        self._table = await self._connection.open_table(_TABLE)
        schema = await self._table.schema()
        made_by = (schema.metadata or {}).get(EMBEDDER, b"")
        self.stale = made_by.decode() != self._embedder.name
        self._width = width_of(schema)

    async def close(self) -> None:
        """Let go of the folder; the index cannot be used after it."""
        for resource in (self._table, self._connection):
            if resource is not None:
                resource.close()

    async def count(self) -> int:
        """Return how many entries the index holds."""
        table = await self._open_table()
        return 0 if table is None else int(await table.count_rows())

    async def keep(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Make `entries` the whole content, embedding only what is new or says something else.

        Raises:
            OutsideError: the embedder does not answer; what is gone, or says something else now,
                is not found any more, and the rest stays as it was.
            StoreError: LanceDB failed.

        """
        if await self._open_table() is None:
            await self.replace(entries)
            return
        rows = await self._guard(self._table.query().select(["id", "entry", "text"]).to_list())
        stored_by_id = {row["id"]: (row["entry"], row["text"]) for row in rows}
        entry_by_id = {entry.id: entry for entry in with_successors(entries)}
        await self.remove([name for name in stored_by_id if name not in entry_by_id])
        changed = [
            e
            for e in entry_by_id.values()
            if stored_by_id.get(e.id, ("",))[0] != e.model_dump_json()
        ]
        text_by_id = {name: text for name, (_, text) in stored_by_id.items()}
        await self._reword(
            [entry for entry in changed if text_by_id.get(entry.id) == text_of(entry)]
        )
        fresh = [entry for entry in changed if text_by_id.get(entry.id) != text_of(entry)]
        try:
            if not self.stale:
                await self.upsert(fresh)
            if self.stale:
                await self.replace(entries)
        except OutsideError:
            await self.remove([entry.id for entry in fresh if entry.id in stored_by_id])
            raise

    async def replace(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Make `entries` the whole content of the index, all embedded again; raises as `keep`."""
        await self._open_table()
        async with self._writing:
            rows = await asyncio.to_thread(self._rows, with_successors(entries))
            table = await self._guard(self._create(rows))
            self._table, self.stale, self._width = table, False, width_of(rows.schema)

    async def upsert(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Add `entries`, and put them in the place of entries with the same id.

        When their vectors have another length than those of the index nothing is written; the index
        is `stale` then.
        """
        if not entries:
            return
        if await self._open_table() is None:
            await self.replace(entries)
            return
        async with self._writing:
            latest = {entry.id: entry for entry in entries}
            rows = await asyncio.to_thread(self._rows, tuple(latest.values()))
            if width_of(rows.schema) != self._width:
                self.stale = True
                return
            merge = self._table.merge_insert("id").when_matched_update_all()
            await self._guard(merge.when_not_matched_insert_all().execute(rows))

    async def _reword(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Put `entries` in the place of those with the same text, whose vectors they keep."""
        if await self._open_table() is None or not entries:
            return
        async with self._writing:
            vector_rows = await self._guard(self._table.query().select(["id", "vector"]).to_arrow())
            at = {name: place for place, name in enumerate(vector_rows.column("id").to_pylist())}
            alive = [entry for entry in entries if entry.id in at]
            chosen = vector_rows.column("vector").take([at[entry.id] for entry in alive])
            flat = chosen.combine_chunks().flatten().to_numpy()
            rows = rows_of(alive, flat.reshape(len(alive), -1), self._embedder.name)
            await self._guard(
                self._table.merge_insert("id").when_matched_update_all().execute(rows)
            )

    async def remove(self, ids: Sequence[str]) -> None:
        """Drop the entries with these ids; ids that are not there do not matter."""
        if await self._open_table() is None or not ids:
            return
        async with self._writing:
            quoted = ", ".join("'" + name.replace("'", "''") + "'" for name in ids)
            await self._guard(self._table.delete(f"id IN ({quoted})"))

    async def optimize(self) -> None:
        """Fold small writes and the unindexed tail into the index; call it from one place only."""
        if await self._open_table() is None:
            return
        async with self._writing:
            await self._guard(self._table.checkout_latest())
            await self._guard(self._table.optimize(cleanup_older_than=timedelta(hours=1)))

    async def renew(self) -> None:
        """Write the table anew with what it holds now, and remove every earlier version of it.

        What was removed stays in LanceDB's files until then. A search that reads those files is
        done again with the new ones. Raises StoreError.
        """
        if await self._open_table() is None:
            return
        async with self._writing:
            await self._guard(self._table.checkout_latest())
            rows = await self._guard(self._table.to_arrow())
            self._table = table = await self._guard(self._create(rows))
            await self._guard(
                table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)
            )

    async def search(
        self,
        queries: Sequence[str],
        *,
        limit: int,
        today: date,
        language: str | None = None,
        used: Mapping[str, Usage] | None = None,
        vectors: Vectors | None = None,
    ) -> list[list[Scored]]:
        """Return for each query the entries that fit best, best first, at most `limit`.

        Entries that are not trusted, or not valid or superseded on `today`, are not found. With
        `language` (ISO 639-1) only entries of that language are; what is not such a code counts as
        None. Each has only the contradictions that hold then. Entries that are not public are
        found: the caller looks at `entry.public`. `used` is how often each was used, by id.
        `vectors` are the queries', where the caller has them from this index's embedder.
        """
        if await self._open_table() is None or not queries or limit < 1:
            return [[] for _ in queries]
        drawn = limit * _CANDIDATES
        if vectors is None or self.stale:
            vectors = await asyncio.to_thread(self._asked, queries)
        worded, near = await self._looked_up(vectors, write_filter(today, language), drawn, today)
        if not worded.ids:
            return [[] for _ in queries]
        gone_ids = worded.gone(today)

        def found(number: int) -> list[str]:
            names = (entry_id for entry_id in near.get(number, ()) if entry_id in worded.bodies)
            return [name for name in names if name not in gone_ids][:drawn]

        def fused() -> list[list[Scored]]:
            allowed = worded.allowed(number_of(today), language, gone_ids)
            return [
                [
                    (contradicted_on(entry, today, gone_ids), score)
                    for entry, score in fuse(
                        found(number),
                        worded.best(query, allowed, drawn),
                        worded.bodies,
                        used or {},
                        today,
                        limit,
                    )
                ]
                for number, query in enumerate(queries)
            ]

        return await asyncio.to_thread(fused)

    async def _looked_up(
        self, vectors: Vectors, only: str, drawn: int, today: date
    ) -> tuple[WordIndex, dict[int, list[str]]]:
        """Return the words of the table, and the ids near each vector by its number.

        Where the table was written anew meanwhile, which takes the files of the one before away,
        that is asked.
        """
        while True:
            table = self._table
            try:
                worded = await self._words_now()
                drawn_from = drawn + len(worded.gone(today))
                near = await self._guard(self._by_vector(vectors, only, drawn_from))
            except StoreError:
                if self._table is table:
                    raise
            else:
                return worded, near

    async def _words_now(self) -> WordIndex:
        """Return the words of the table's newest version."""
        assert self._table is not None  # noqa: S101  # search looked
        version = int(await self._guard(self._table.version()))
        if self._word_index is None or self._word_index.version != version:
            rows = await self._guard(self._table.query().select(list(_COLUMNS)).to_arrow())
            columns = {name: rows.column(name).to_pylist() for name in _COLUMNS}
            self._word_index = await asyncio.to_thread(WordIndex, version, columns)
        return self._word_index

    def _asked(self, queries: Sequence[str]) -> Vectors:
        """Return the queries' vectors; none where they would not fit, or nobody makes them."""
        if self.stale:
            return np.zeros((0, 0), dtype=np.float32)
        try:
            query_vectors = self._embedder.queries(queries)
        except OutsideError as error:
            log.warning("knowledge is searched by words alone: %s", error)
            return np.zeros((0, 0), dtype=np.float32)
        if query_vectors.shape[1] != self._width:
            log.warning("the embedder's vectors have another length; the next sync embeds anew")
            self.stale = True
            return np.zeros((0, 0), dtype=np.float32)
        return query_vectors

    async def _by_vector(self, vectors: Vectors, only: str, drawn: int) -> dict[int, list[str]]:
        """Return the ids near each vector, nearest first, by its number."""
        assert self._table is not None  # noqa: S101  # search looked
        alive = [number for number, vector in enumerate(vectors) if vector.any()]
        if not alive:
            return {}
        query = self._table.query().nearest_to([vectors[number] for number in alive])
        query = query.distance_type("dot").where(only).limit(drawn)
        rows = await query.select(["id", "_distance"]).to_arrow()
        numbers = rows.column("query_index").to_pylist() if len(alive) > 1 else [0] * len(rows)
        ids, far = rows.column("id").to_pylist(), rows.column("_distance").to_pylist()
        ids_by_query: dict[int, list[str]] = {}
        for number, _, name in sorted(zip(numbers, far, ids, strict=True)):
            ids_by_query.setdefault(alive[number], []).append(name)
        return ids_by_query

    def _rows(self, entries: Sequence[KnowledgeEntry]) -> Any:  # noqa: ANN401  # pyarrow has no types
        """Return the entries as rows; embeds them."""
        # One text more, so that the shape is known when there is no entry.
        vectors = self._embedder.documents([*map(text_of, entries), "x"])[:-1]
        return rows_of(entries, vectors, self._embedder.name)

    async def _create(self, rows: Any) -> Any:  # noqa: ANN401
        if self._connection is None:
            self._connection = await connect(self._folder)
        return await self._connection.create_table(_TABLE, rows, mode="overwrite")

    async def _guard(self, call: Awaitable[_T]) -> _T:
        """Await a call of LanceDB and turn its failures into ours."""
        try:
            return await call
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError(
                f"The knowledge index failed ({error}); it is tried again, and if it keeps "
                "failing delete its folder and sync again."
            ) from error
