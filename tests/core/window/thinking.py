"""The stand-in's answers about language models."""

from typing import Any

from fastapi import FastAPI

from data.records.core.model_views import ModelsView, PartialDraft


def thinking(app: FastAPI, world: Any) -> None:  # noqa: ANN401  # the stand-in's world
    """Serve what `world` has of models and of drafts that are being written."""

    @app.get("/v1/{org}/models")
    async def models(org: str) -> ModelsView:
        return world.models

    @app.get("/v1/{org}/cases/{id}/draft")
    async def draft(org: str, id: str) -> PartialDraft:
        text = world.writing.get(id)
        return PartialDraft(writing=text is not None, text=text or "")
