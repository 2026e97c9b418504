"""Whole tables for outside use, as Parquet."""

from fastapi import APIRouter, Response

from flows.api.core.context import WorkspaceOf
from flows.export import What, export_bytes

router = APIRouter(prefix="/v1/{org}", tags=["export"])


@router.get("/export/{what}")
async def export(
    what: What,
    workspace: WorkspaceOf,
) -> Response:
    """Return a table as Parquet."""
    content = await workspace.db.read(export_bytes, what)
    return Response(content, media_type="application/vnd.apache.parquet")
