"""The index of what the organization knows: LanceDB, full text and vectors, fused by rank.

One folder per organization, so that no filter stands between tenants. Nothing that came from mail
becomes part of a filter: filters are built from a date and a checked language code, and the full
text of a query goes in as a `MatchQuery` of bare words. All handles live on one event loop.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Self, TypeVar

import lancedb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import re2
from lancedb.index import FTS
from lancedb.query import MatchQuery

from data.errors import StoreError
from data.lexicons.drafting import stop_words
from data.records.knowledge import KnowledgeEntry

Vectors = npt.NDArray[np.float32]

Embed = Callable[[Sequence[str]], Vectors]
"""Texts to vectors of unit length, shape (n, d); the same function for entries and queries."""

Scored = tuple[KnowledgeEntry, float]
"""An entry and how well it fits: 1 when it leads both rankings, falling towards 0."""

_T = TypeVar("_T")
_TABLE = "knowledge"
_RANK_CONSTANT = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""
_CANDIDATES = 4
"""Candidates drawn from each ranking, as a multiple of the limit."""
_LONGEST_QUERY = 40
"""Distinct words of a query that the full text search looks for."""
_ALWAYS = (0, 99_999_999)
_WORD = re2.compile(r"[\p{L}\p{N}]+")
_LANGUAGE = re2.compile(r"^[a-z]{2,3}$")


class KnowledgeIndex:
    """Searches and maintains one organization's index; make it with `open`.

    Writers take turns behind one lock, so that maintenance never meets a write of ours. A failure
    of LanceDB itself leaves here as `StoreError`, which is worth another attempt.
    """

    def __init__(self, connection: lancedb.AsyncConnection, embed: Embed) -> None:
        self._connection = connection
        self._embed = embed
        self._table: Any | None = None
        self._writing = asyncio.Lock()

    @classmethod
    async def open(cls, folder: Path, embed: Embed) -> Self:
        """Open the index in `folder`, making the folder when it is missing; raises StoreError."""
        try:
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            # Zero: every search looks for the newest version, else a handle stays stale for ever.
            connection = await lancedb.connect_async(
                folder, read_consistency_interval=timedelta(seconds=0)
            )
            index = cls(connection, embed)
            names = (await connection.list_tables()).tables
            if _TABLE in names:
                index._table = await connection.open_table(_TABLE)
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

    async def replace(self, entries: Sequence[KnowledgeEntry]) -> None:
        """Make `entries` the whole content of the index."""
        async with self._writing:
            rows = await asyncio.to_thread(self._rows, entries)
            self._table = await self._guard(
                self._connection.create_table(_TABLE, rows, mode="overwrite")
            )
            await self._guard(self._build_text_index())

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
    ) -> list[list[Scored]]:
        """Return for each query the entries that fit best, best first, at most `limit`.

        Entries that are not trusted or not valid on `today` are not found. With `language`
        (ISO 639-1) only entries of that language are; a code that is none counts as None. Entries
        that are not public are found: the caller looks at `entry.public`.
        """
        if self._table is None or not queries or limit < 1 or not await self.count():
            return [[] for _ in queries]
        where = _filter(today, language)
        drawn = limit * _CANDIDATES
        vectors = await asyncio.to_thread(self._embed, queries)
        near, *texts = await asyncio.gather(
            self._guard(self._by_vector(vectors, where, drawn)),
            *(self._guard(self._by_text(query, where, drawn)) for query in queries),
        )
        bodies = near.pop("bodies")
        for found in texts:
            bodies.update(found)
        return [
            _fuse(near.get(number, []), list(found), bodies, limit)
            for number, found in enumerate(texts)
        ]

    async def _by_vector(self, vectors: Vectors, where: str, drawn: int) -> dict[Any, Any]:
        """Return the ids near each vector by its number, and the entries under `bodies`."""
        assert self._table is not None  # noqa: S101  # search looked
        alive = [number for number, vector in enumerate(vectors) if vector.any()]
        found: dict[Any, Any] = {"bodies": {}}
        if not alive:
            return found
        query = self._table.query().nearest_to([vectors[number] for number in alive])
        query = query.distance_type("dot").where(where).limit(drawn)
        rows = await query.select(["id", "entry", "_distance"]).to_list()
        for row in sorted(rows, key=lambda row: (row["_distance"], row["id"])):
            number = alive[row.get("query_index", 0)]
            found.setdefault(number, []).append(row["id"])
            found["bodies"][row["id"]] = row["entry"]
        return found

    async def _by_text(self, query: str, where: str, drawn: int) -> dict[str, str]:
        """Return id to entry of what holds the words of `query`, best first."""
        assert self._table is not None  # noqa: S101  # search looked
        every = dict.fromkeys(_WORD.findall(query.lower()))
        words = [word for word in every if word not in stop_words()] or list(every)
        words = words[:_LONGEST_QUERY]
        if not words:
            return {}
        wanted = MatchQuery(" ".join(words), "text")  # type: ignore[call-arg]
        match = self._table.query().nearest_to_text(wanted)
        match = match.where(where).limit(drawn)
        rows = await match.select(["id", "entry", "_score"]).to_list()
        rows.sort(key=lambda row: (-row["_score"], row["id"]))
        return {row["id"]: row["entry"] for row in rows}

    async def _build_text_index(self) -> None:
        """Make the full text index: words of every language, English endings cut."""
        assert self._table is not None  # noqa: S101  # replace made it
        config = FTS(stem=True, remove_stop_words=False, ascii_folding=True)
        await self._table.create_index("text", config=config, replace=True)

    def _rows(self, entries: Sequence[KnowledgeEntry]) -> pa.Table:
        """Return the entries as rows; the vector covers title, tags and body."""
        texts = [" . ".join((entry.title, " ".join(entry.tags), entry.body)) for entry in entries]
        vectors = self._embed(texts) if texts else self._embed(["x"])[:0]
        size = self._embed(["x"]).shape[1]
        since = [_day(entry.valid_from, _ALWAYS[0]) for entry in entries]
        until = [_day(entry.valid_until, _ALWAYS[1]) for entry in entries]
        flat = pa.array(np.ascontiguousarray(vectors).ravel(), type=pa.float32())
        return pa.table(
            {
                "id": pa.array([entry.id for entry in entries], pa.string()),
                "language": pa.array([entry.language for entry in entries], pa.string()),
                "trusted": pa.array([entry.trusted for entry in entries], pa.bool_()),
                "valid_from": pa.array(since, pa.int32()),
                "valid_until": pa.array(until, pa.int32()),
                "text": pa.array(texts, pa.string()),
                "entry": pa.array([entry.model_dump_json() for entry in entries], pa.string()),
                "vector": pa.FixedSizeListArray.from_arrays(flat, size),
            }
        )

    async def _guard(self, call: Awaitable[_T]) -> _T:
        """Await a call of LanceDB and turn its failures into ours."""
        try:
            return await call
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError(
                f"The knowledge index failed ({error}); it is tried again, and if it keeps "
                "failing delete its folder and sync again."
            ) from error


def _day(day: date | None, otherwise: int) -> int:
    """Return a date as the number YYYYMMDD."""
    return otherwise if day is None else day.year * 10_000 + day.month * 100 + day.day


def _filter(today: date, language: str | None) -> str:
    """Return the filter of a search; made of a date and a checked code, never of mail."""
    day = _day(today, 0)
    clauses = ["trusted = true", f"valid_from <= {day}", f"valid_until >= {day}"]
    if language is not None and _LANGUAGE.match(language):
        clauses.append(f"language = '{language}'")
    return " AND ".join(clauses)


def _fuse(
    near: Sequence[str], worded: Sequence[str], bodies: dict[str, str], limit: int
) -> list[Scored]:
    """Return the entries by reciprocal rank fusion of both rankings, scores up to 1."""
    best = 2 / (_RANK_CONSTANT + 1)
    scores: dict[str, float] = {}
    for ranking in (near, worded):
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1 / (_RANK_CONSTANT + rank) / best
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
    return [(KnowledgeEntry.model_validate_json(bodies[name]), score) for name, score in ordered]
