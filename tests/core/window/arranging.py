"""The part of the stand-in engine that merges and splits conversations."""

from typing import Any

from fastapi import FastAPI

from data.records.mail.conversations import (
    MergeThreads,
    SplitThread,
    ThreadChange,
    ThreadPreview,
    UndoThreadChange,
)
from data.records.mail.views import ThreadView
from tests.core.window import invented as records
from tests.core.window.world import World


def arranging(app: FastAPI, world: World) -> None:
    """Serve the previews, merge, split and undo over the world's conversations."""

    def warning(id: str, other: str) -> str:
        mine, theirs = world.threads[id].contact.email, world.threads[other].contact.email
        return "" if mine == theirs else f"not of the same contacts: {mine}, {theirs}"

    def note(kind: Any, id: str, other: str) -> ThreadChange:  # noqa: ANN401
        return ThreadChange(
            id=f"{kind}-{id}-{other}",
            kind=kind,
            thread_id=id,
            other_id=other,
            actor="ida",
            messages=1,
            made_at=records.now(),
        )

    @app.post("/v1/{org}/threads/{id}/merge/preview")
    async def merge_preview(org: str, id: str, body: MergeThreads) -> ThreadPreview:
        return ThreadPreview(
            sentences=(f"{world.threads[body.other].subject} becomes part of this.",),
            warning=warning(id, body.other),
        )

    @app.post("/v1/{org}/threads/{id}/merge")
    async def merge(org: str, id: str, body: MergeThreads) -> ThreadView:
        change = note("merge", id, body.other)
        world.threads[id] = world.threads[id].model_copy(update={"changes": (change,)})
        return world.threads[id]

    @app.post("/v1/{org}/threads/{id}/split/preview")
    async def split_preview(org: str, id: str, body: SplitThread) -> ThreadPreview:
        return ThreadPreview(sentences=(f"{len(body.messages)} moves away.",))

    @app.post("/v1/{org}/threads/{id}/split")
    async def split(org: str, id: str, body: SplitThread) -> ThreadView:
        fresh = world.threads[id].model_copy(
            update={"id": "fresh", "subject": "Split off", "changes": (note("split", "fresh", id),)}
        )
        world.threads["fresh"] = fresh
        return fresh

    @app.post("/v1/{org}/threads/{id}/undo")
    async def undo(org: str, id: str, body: UndoThreadChange) -> ThreadView:
        world.threads[id] = world.threads[id].model_copy(update={"changes": ()})
        return world.threads[id]
