"""Allowances and blocks of senders, and counts of the examples of spam that people gave."""

from fastapi import APIRouter, Response

from data.records.core.listing import Page
from data.records.mail.orders import Allow
from data.records.mail.senders import AllowanceView, BlockView, SpamLearning
from data.store.mail import decisions, learning
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.lines import pick_fields
from flows.mail.people import allowing
from tasks.core.screen.bayes import Examples

router = APIRouter(prefix="/v1/{org}", tags=["quarantine"])


@router.get("/allowances")
async def allowances(workspace: WorkspaceOf) -> Page[AllowanceView]:
    """Return the rules that do not count for a sender, newest first."""
    allowance_rows = await workspace.db.read(decisions.list_allowances)
    return Page(
        items=tuple(pick_fields(AllowanceView, row) for row in allowance_rows),
        total=len(allowance_rows),
    )


@router.post("/allowances", status_code=201)
async def allow(
    order: Allow, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Page[AllowanceView]:
    """Let a rule not count for a sender from now on; the answer lists all of them."""
    await allowing.allow(house, workspace, order, principal)
    return await allowances(workspace)


@router.delete("/allowances/{allowance_id}", status_code=204)
async def disallow(
    allowance_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Response:
    """Take an allowance back."""
    await allowing.disallow(house, workspace, allowance_id, principal)
    return Response(status_code=204)


@router.get("/blocks")
async def blocks(workspace: WorkspaceOf) -> Page[BlockView]:
    """Return the blocked senders and domains, newest first."""
    block_rows = await workspace.db.read(decisions.list_blocks)
    return Page(
        items=tuple(pick_fields(BlockView, row) for row in block_rows), total=len(block_rows)
    )


@router.delete("/blocks/{pattern}", status_code=204)
async def unblock(
    pattern: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Response:
    """Take a block back; messages that it has stopped stay in quarantine."""
    await allowing.unblock(house, workspace, pattern, principal)
    return Response(status_code=204)


@router.get("/learning")
async def learned(workspace: WorkspaceOf) -> SpamLearning:
    """Return how many examples of spam and of wanted mail people have given."""
    spam, ham = await workspace.db.read(learning.count_examples)
    return SpamLearning(spam=spam, ham=ham, enough=Examples(spam=spam, ham=ham).enough)
