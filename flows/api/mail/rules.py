"""Handling rules: proposing, confirming and retiring them; and the tags that they and plans set."""

from fastapi import APIRouter

from data.records.core.listing import Page
from data.records.mail.overview_views import Count
from data.records.mail.rules import ProposeRule, RuleView
from data.store.mail import tags as tag_store
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.mail.people import ruling, ticketing

router = APIRouter(prefix="/v1/{org}", tags=["rules and tags"])


@router.get("/rules")
async def rules(workspace: WorkspaceOf) -> Page[RuleView]:
    """Return every rule, newest first, with recent cases that it would have matched."""
    items = await workspace.db.read(ruling.views)
    return Page(items=tuple(items), total=len(items))


@router.post("/rules", status_code=201)
async def propose(
    order: ProposeRule, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> RuleView:
    """Compile a sentence; the rule does nothing before it is confirmed."""
    identity = await workspace.db.write(
        ruling.propose, workspace.organization, order.sentence, principal, house.clock()
    )
    return (await workspace.db.read(ruling.views, identity))[0]


@router.post("/rules/{rule_id}/confirm")
async def confirm(
    rule_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> RuleView:
    """Let a rule count from now on."""
    await workspace.db.write(ruling.confirm, rule_id, principal, house.clock())
    return (await workspace.db.read(ruling.views, rule_id))[0]


@router.post("/rules/{rule_id}/retire")
async def retire(
    rule_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> RuleView:
    """Let a rule count no more."""
    await workspace.db.write(ruling.retire, rule_id, principal, house.clock())
    return (await workspace.db.read(ruling.views, rule_id))[0]


@router.get("/tags")
async def tags(workspace: WorkspaceOf) -> Page[Count]:
    """Return every tag with the number of conversations that bear it, most used first."""
    count_tags = await workspace.db.read(tag_store.count_tags)
    items = tuple(Count(name=tag, value=many) for tag, many in count_tags)
    return Page(items=items, total=len(items))


@router.delete("/threads/{thread_id}/tags/{tag}", status_code=204)
async def untag(
    thread_id: str, tag: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> None:
    """Take a tag of a conversation away."""
    await ticketing.untag(house, workspace, thread_id, tag, principal)
