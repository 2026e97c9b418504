"""The record of all that people have taught an organization, for `postern try`: read only."""

from fastapi import APIRouter

from data.records.core.memory import LearnedFromMail
from flows.api.core.context import WorkspaceOf
from flows.mail.knowing.memories import memory_of

router = APIRouter(prefix="/v1/{org}", tags=["memory"])


@router.get("/memory")
async def memory(workspace: WorkspaceOf) -> LearnedFromMail:
    """Return allowances, blocks, counts of spam, the training in use, and kept saved replies."""
    return await workspace.db.read(memory_of)
