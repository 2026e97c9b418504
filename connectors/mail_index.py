"""The full-text index of an organization's mail: documents in LanceDB tables.

The documents' tokens are made elsewhere (`tasks.core.search`), so the index splits at spaces alone
and changes nothing. One folder per organization, so that no filter stands between tenants. LanceDB
writes an index anew when rows are added, so each batch becomes a table of its own, a *part*; when
there are many, the small ones become one. LanceDB is imported when mail is first indexed or
searched, because that takes seconds.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from connectors.lazy_lancedb import connect
from data.errors import StoreError
from data.records.core.search import SearchTerm

_T = TypeVar("_T")
_COLUMN = "document"
FORM = 2
"""Goes up when documents are written differently; parts of another form are removed."""
MOST_ROWS = 10_000_000
"""Rows that a search returns: all of them, because LanceDB takes ten when it is not told."""
MOST_PARTS, MERGED_AT_ONCE = 8, 6
"""Parts that a search looks into; with more, the smallest become one."""


Parts = dict[str, Any]
"""LanceDB's tables by name; it has no types."""


class MailIndex:
    """Searches and keeps one organization's index; nothing is opened before it is needed.

    Writers take turns behind one lock, and a part is removed once no search looks into it. A
    failure of LanceDB leaves here as `StoreError`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._connection: Any = None
        self._parts: Parts | None = None
        self._writing = asyncio.Lock()
        self._opening = asyncio.Lock()
        self._searches: set[asyncio.Future[None]] = set()
        """One for each search that is under way; it is done when that has ended."""

    async def close(self) -> None:
        """Let go of the folder; what is asked next opens it again."""
        for part in (self._parts or {}).values():
            part.close()
        if self._connection is not None:
            self._connection.close()
        self._connection = self._parts = None

    async def exists(self) -> bool:
        """Return whether there is an index, of today's form."""
        return await asyncio.to_thread(lambda: any(self._folder.glob(f"mail{FORM}_*")))

    async def ids(self) -> set[str]:
        """Return the ids of the messages that the index holds."""
        known_ids: set[str] = set()
        async with self._looking():
            for part in list((await self._open_parts()).values()):
                rows = await _guard(part.query().select(["id"]).to_arrow())
                known_ids |= set(rows.column("id").to_pylist())
        return known_ids

    async def put(self, documents: Mapping[str, str]) -> None:
        """Add documents by the ids of their messages, in the place of earlier ones.

        Each call makes a part, so it is for batches. Raises StoreError.
        """
        if not documents:
            return
        async with self._writing:
            parts = await self._open_parts()
            await self._delete(list(documents))
            await self._add(parts, _rows(documents))
            await self._merge(parts)

    async def remove(self, ids: Sequence[str]) -> None:
        """Drop messages, and write the parts that held them anew: no file keeps their words."""
        async with self._writing:
            parts = await self._open_parts()
            for name in await self._delete(ids):
                rows = await _guard(parts[name].to_arrow())
                if len(rows):
                    await self._add(parts, rows)
                await self._drop(parts, [name])

    async def merge(self) -> None:
        """Make one part of all that are small beside the largest one."""
        async with self._writing:
            parts = await self._open_parts()
            sizes = await self._sizes(parts)
            small = [name for name, size in sizes.items() if size * 2 < max(sizes.values())]
            await self._merge_those(parts, small)

    async def forget(self) -> None:
        """Remove the index; it is made anew from what is put into it next."""
        async with self._writing:
            await self._wait_for_searches()
            await self.close()
            await asyncio.to_thread(shutil.rmtree, self._folder, True)

    async def search(self, terms: Sequence[SearchTerm]) -> Any:  # noqa: ANN401
        """Return the ids of all messages that hold every term and none that is excluded.

        They are an Arrow array, because a hundred thousand of them are slow as Python's strings; an
        id may stand in it twice.

        Raises:
            StoreError: the index cannot be read; `forget` it, and fill it again.

        """
        async with self._looking():
            return await self._search(terms)

    async def _search(self, terms: Sequence[SearchTerm]) -> Any:  # noqa: ANN401
        parts = list((await self._open_parts()).values())
        wanted_terms = [term for term in terms if not term.excluded]
        if wanted_terms:
            matching_ids = await self._holding(parts, wanted_terms)
        else:
            matching_ids = pa.array(sorted(await self.ids()), pa.string())
        for term in terms:
            if term.excluded and len(matching_ids):
                without = await self._holding(parts, [term])
                matching_ids = matching_ids.filter(
                    pc.invert(pc.is_in(matching_ids, value_set=without))
                )
        return matching_ids

    async def _holding(self, parts: Iterable[Any], terms: Sequence[SearchTerm]) -> Any:  # noqa: ANN401
        query = _query(terms)
        asked = (
            part.query().nearest_to_text(query).limit(MOST_ROWS).select(["id", "_score"]).to_arrow()
            for part in parts
        )
        answers = await asyncio.gather(*(_guard(call) for call in asked))
        chunks = [chunk for rows in answers for chunk in rows.column("id").chunks]
        return pa.concat_arrays(chunks) if chunks else pa.array([], pa.string())

    async def _delete(self, ids: Sequence[str]) -> list[str]:
        """Delete rows; return the parts that held any."""
        touched = []
        for name, part in (await self._open_parts()).items():
            before = await _guard(part.count_rows())
            for first in range(0, len(ids), 1000):
                await _guard(part.delete(_build_id_filter(ids[first : first + 1000])))
            if await _guard(part.count_rows()) < before:
                touched.append(name)
        return touched

    async def _add(self, parts: Parts, rows: Any) -> None:  # noqa: ANN401
        number = 1 + max((int(name.rpartition("_")[2]) for name in parts), default=0)
        name = f"mail{FORM}_{number}"
        connection = await self._connect()
        table = await _guard(connection.create_table(name, rows, mode="overwrite"))
        kinds: Any = import_module("lancedb.index")
        config = kinds.FTS(
            with_position=True,
            base_tokenizer="whitespace",
            lower_case=False,
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
        )
        await _guard(table.create_index(_COLUMN, config=config))
        parts[name] = table

    async def _merge(self, parts: Parts) -> None:
        if len(parts) > MOST_PARTS:
            sizes = await self._sizes(parts)
            await self._merge_those(parts, sorted(sizes, key=sizes.__getitem__)[:MERGED_AT_ONCE])

    async def _merge_those(self, parts: Parts, names: Sequence[str]) -> None:
        """Make one part of these; killed in between, some messages are in two, which is no harm."""
        if len(names) < 2:
            return
        rows = pa.concat_tables([await _guard(parts[name].to_arrow()) for name in names])
        if len(rows):
            await self._add(parts, rows)
        await self._drop(parts, names)

    async def _drop(self, parts: Parts, names: Iterable[str]) -> None:
        connection = await self._connect()
        gone = {name: parts.pop(name) for name in names}  # no further search looks into them
        await self._wait_for_searches()
        for name, part in gone.items():
            part.close()
            await _guard(connection.drop_table(name))

    @asynccontextmanager
    async def _looking(self) -> AsyncIterator[None]:
        """Keep the parts that there are until what is done within has ended."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._searches.add(ended)
        try:
            yield
        finally:
            self._searches.discard(ended)
            ended.set_result(None)

    async def _wait_for_searches(self) -> None:
        """Return once the searches have ended that are under way now."""
        if self._searches:
            await asyncio.wait(list(self._searches))

    async def _sizes(self, parts: Mapping[str, Any]) -> dict[str, int]:
        return {name: await _guard(part.count_rows()) for name, part in parts.items()}

    async def _connect(self) -> Any:  # noqa: ANN401
        if self._connection is None:
            await asyncio.to_thread(self._folder.mkdir, 0o700, True, True)
            self._connection = await _guard(connect(self._folder))
        return self._connection

    async def _open_parts(self) -> Parts:
        """Return the parts by name; those of another form are removed."""
        async with self._opening:
            if self._parts is None:
                parts: Parts = {}
                if await asyncio.to_thread(self._folder.is_dir):
                    connection = await self._connect()
                    for name in (await _guard(connection.list_tables())).tables:
                        if name.startswith(f"mail{FORM}_"):
                            parts[name] = await _guard(connection.open_table(name))
                        else:
                            await _guard(connection.drop_table(name))
                self._parts = parts
            return self._parts


def _rows(documents: Mapping[str, str]) -> Any:  # noqa: ANN401  # pyarrow has no types
    return pa.table(
        {
            "id": pa.array(list(documents), pa.string()),
            _COLUMN: pa.array(list(documents.values()), pa.large_string()),
        }
    )


def _build_id_filter(ids: Sequence[str]) -> str:
    """Return the filter for these ids, which are ours; nothing of mail is part of a filter."""
    return "id IN ({})".format(", ".join("'" + name.replace("'", "''") + "'" for name in ids))


def _query(terms: Sequence[SearchTerm]) -> Any:  # noqa: ANN401
    if len(terms) == 1:
        return _any_of(terms[0])
    kinds: Any = import_module("lancedb.query")
    return kinds.BooleanQuery([(kinds.Occur.MUST, _any_of(term)) for term in terms])


def _any_of(term: SearchTerm) -> Any:  # noqa: ANN401
    """Return the query for one term: single tokens go as one, phrases one by one."""
    kinds: Any = import_module("lancedb.query")
    single = [tokens[0] for tokens in term.alternatives if len(tokens) == 1]
    parts = [kinds.MatchQuery(" ".join(single), _COLUMN)] if single else []
    parts += [
        kinds.PhraseQuery(" ".join(tokens), _COLUMN)
        for tokens in term.alternatives
        if len(tokens) > 1
    ]
    if len(parts) == 1:
        return parts[0]
    return kinds.BooleanQuery([(kinds.Occur.SHOULD, part) for part in parts])


async def _guard(call: Awaitable[_T]) -> _T:
    """Await a call of LanceDB and turn its failures into ours."""
    try:
        return await call
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(
            f"the index of mail failed ({error}); it is tried again, and made anew by upkeep"
        ) from error
