"""`postern try --organization`: with an organization's policy, replies, knowledge and lessons.

Stages before the knowledge is searched run in several processes, all others in this one. Neither
the thread nor the history of the sender is looked at.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence

from connectors.sources.markdown_files import read_saved_reply_files
from data.records.core.knowledge import KnowledgeEntry, SavedReply
from data.settings import Settings
from flows.operating.engine_api import Engine
from flows.operating.organization_folder import own_policy, sources_folder
from flows.operating.organizations import organization_named
from flows.tryout.memory import memory_for
from flows.tryout.stages import answer_line, run_stages, searches_knowledge
from flows.tryout.trying import TriedMessage, in_order, try_all, world_of
from flows.tryout.world import FindEntries, World

QUERY_CHARACTERS = 2000


async def try_for(
    slug: str,
    items: Iterable[TriedMessage],
    until: str,
    settings: Settings,
    *,
    several: bool = True,
) -> AsyncIterator[bytes]:
    """Give the answer to each message as a line of JSON, in the order of `items`.

    Raises:
        NotFoundError: there is no organization of that slug.

    """
    world = await asyncio.to_thread(world_for, slug, settings)
    if searches_knowledge(until):
        lines = _try_here(items, until, settings, world)
    else:
        lines = try_all(items, until, settings, world, several=several)
    async for line in lines:
        yield line


def world_for(slug: str, settings: Settings) -> World:
    """Return what the stages know of an organization: policy, saved replies, lessons.

    Raises:
        NotFoundError: there is no organization of that slug.

    """
    with Engine.open(settings) as engine:
        organization = organization_named(engine, slug)
    memory = memory_for(settings, slug)
    written = _saved_replies(settings, slug)
    ids_taken = {reply.id for reply in written}
    return world_of(
        settings,
        organization=organization,
        policy=memory.policy or own_policy(settings, slug),
        saved_replies=(
            *written,
            *(
                saved_reply
                for saved_reply in memory.saved_replies
                if saved_reply.id not in ids_taken
            ),
        ),
        memory=memory,
    )


async def _try_here(
    items: Iterable[TriedMessage], until: str, settings: Settings, world: World
) -> AsyncIterator[bytes]:
    """Give the answers one after the other, with the organization's knowledge at hand."""
    from connectors.embedding import embedder_from  # not loaded where nothing is searched
    from connectors.knowledge import KnowledgeIndex
    from tasks.core.language.embedding import embed

    folder = settings.organizations / world.organization.slug
    index = await KnowledgeIndex.open(folder / "knowledge.lance", embedder_from(settings, embed))
    loop = asyncio.get_running_loop()

    def find(text: str) -> Sequence[tuple[KnowledgeEntry, float]]:
        search = index.search(
            [text[:QUERY_CHARACTERS]],
            limit=settings.context_knowledge_entries,
            today=world.organization.day(world.now),
        )
        return asyncio.run_coroutine_threadsafe(search, loop).result()[0]

    async def work(batch: Sequence[TriedMessage]) -> list[bytes]:
        return await asyncio.to_thread(
            lambda: [_try_one(item, until, world, find) for item in batch]
        )

    try:
        async for line in in_order(items, work):
            yield line
    finally:
        await index.close()


def _try_one(item: TriedMessage, until: str, world: World, find: FindEntries) -> bytes:
    (answer,) = run_stages([item.raw], until, world, find)
    return answer_line(item.id, answer, world.used)


def _saved_replies(settings: Settings, slug: str) -> tuple[SavedReply, ...]:
    reading = read_saved_reply_files(sources_folder(settings, slug))
    names = SavedReply.model_fields
    return tuple(
        SavedReply.model_validate({k: v for k, v in row.items() if k in names})
        for row in reading.rows.values()
    )
