"""The review queue and the decisions on a case."""

import asyncio
from typing import Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from data.counting import plural
from data.errors import PosternError, UnfitError
from data.records.core.listing import SearchedPage
from data.records.core.principals import Principal
from data.records.core.record import Record
from data.records.mail.copies import ChooseCopies
from data.records.mail.drafting import Checked
from data.records.mail.orders import (
    LONGEST_BODY,
    LONGEST_SUBJECT,
    Approve,
    ArchiveCase,
    Choose,
    DecideCases,
    Join,
    PartCase,
    Reassign,
    Reject,
    ShownCase,
    TagCases,
)
from data.records.mail.passing_on import ForwardDraft, ForwardPreview, PassOn
from data.records.mail.senders import Decided
from data.records.mail.views import CaseView, QueueCountsView, QueueItem
from data.states import CaseState
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import case_queue, cases, pages, service_targets, tags
from data.store.mail.case_queue import Whose
from data.store.mail.cases import CaseRow
from data.store.mail.service_targets import TargetRow
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import pick_fields, queue_item
from flows.api.mail.review.case_view import case_view, routed
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.mail_search import search
from flows.mail.leaving.preview import preview_text
from flows.mail.people import copying, passing_on, reopening, reviewing, setting_apart, tagging
from flows.mail.people.vigilance import vigilance_of

router = APIRouter(prefix="/v1/{org}", tags=["review"])


class PreviewRequest(Record):
    """A text that might be sent."""

    subject: str = Field(max_length=LONGEST_SUBJECT)
    body: str = Field(max_length=LONGEST_BODY)


class ReplyPreview(Record):
    """What would leave, and what the check says of it."""

    reply_preview: str
    approval_hash: str
    checked: Checked


@router.get("/queue")
async def queue(
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    state: CaseState | None = None,
    category: str = "",
    priority: str = "",
    assignee: str = "",
    language: str = "",
    verdict: str = "",
    tag: str = "",
    handed: bool | None = None,
    whose: Literal["mine", "others"] | None = None,
    snoozed: bool = False,
    q: str = "",
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> SearchedPage[QueueItem]:
    """Return the cases that need a person, urgent ones first; `q` searches their mail.

    Where the policy has service levels, those that are past their target or nearest to it come
    first. What is put off is listed with `snoozed`, and only then; `whose` is seen from the caller.
    """
    search_result = await search(house, workspace, q)
    page, total, decided, targets, borne = await workspace.db.read(
        _waiting,
        states=[state] if state else cases.QUEUE_STATES,
        filters={
            "category": category,
            "priority": priority,
            "assignee": assignee,
            "language": language,
            "verdict": verdict,
            "tag": tag,
        },
        handed=handed,
        whose=Whose(principal.email, whose == "mine") if whose else None,
        snoozed=snoozed,
        by_target=bool(workspace.policy.service_levels),
        search=search_result.query,
        with_words=search_result.ids,
        limit=limit,
        offset=offset,
    )
    items = tuple(
        queue_item(
            row, routed(decided.get(row.id)), targets.get(row.id), borne.get(row.thread_id, ())
        )
        for row in page
    )
    return SearchedPage(items=items, total=total, unsearched=search_result.unsearched)


@router.get("/queue/counts")
async def queue_counts(workspace: WorkspaceOf, principal: PrincipalOf) -> QueueCountsView:
    """Return how many cases of the queue are the caller's, nobody's and others'."""
    return pick_fields(
        QueueCountsView, await workspace.db.read(case_queue.count_cases, principal.email.lower())
    )


def _waiting(
    cursor: Connection,
    /,
    **asked: Any,  # noqa: ANN401  # what the store takes
) -> tuple[list[CaseRow], int, dict[str, str], dict[str, TargetRow], dict[str, tuple[str, ...]]]:
    """Return one page of the queue, how many there are, decisions, targets, and tags."""
    page, total = case_queue.list_page(cursor, **asked)
    ids = [row.id for row in page]
    targets = service_targets.list_of_cases(cursor, ids) if asked["by_target"] else {}
    borne = tags.list_of_threads(cursor, {row.thread_id for row in page})
    return page, total, journal.read_results(cursor, "route", ids), targets, borne


@router.post("/cases/decide", dependencies=[WAKES])
async def decide(
    order: DecideCases, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> dict[str, list[Decided]]:
    """Apply one decision to each of the cases as it was shown; no refusal holds up the others.

    Fewer may be approved at once where planted faults are missed.
    """
    outcomes = []
    cases_shown = {case_shown.id: case_shown for case_shown in order.cases}.values()
    if order.action == "approve":
        await _refuse_too_many(house, workspace, len(cases_shown))
    looked = None if order.looked_seconds is None else order.looked_seconds / len(cases_shown)
    for shown in cases_shown:
        try:
            await _decide(house, workspace, principal, order, shown, looked)
            outcomes.append(Decided(id=shown.id, done=True))
        except PosternError as error:
            outcomes.append(Decided(id=shown.id, done=False, sentence=str(error)))
    return {"outcomes": outcomes}


async def _refuse_too_many(house: House, workspace: Workspace, count: int) -> None:
    """Refuse more approvals at once than may be, because planted faults were missed.

    Raises:
        UnfitError: they are too many.

    """
    standing = await vigilance_of(workspace, house.clock())
    if count > standing.most_at_once:
        raise UnfitError(
            f"of the last {standing.seen + standing.missed} planted faults {standing.missed} were "
            f"missed, so at most {plural(standing.most_at_once, 'letter')} can be approved at "
            "once; nothing was approved"
        )


async def _decide(
    house: House,
    workspace: Workspace,
    principal: Principal,
    order: DecideCases,
    shown: ShownCase,
    looked_seconds: float | None,
) -> None:
    """Decide on one of several cases, as if it had been decided on by itself."""
    if order.action == "approve":
        reply = Approve(
            version=shown.version,
            approval_hash=shown.approval_hash,
            looked_seconds=looked_seconds,
        )
        await reviewing.approve(house, workspace, shown.id, reply, principal)
    elif order.action == "archive":
        closing = ArchiveCase(version=shown.version, note=order.note)
        await reviewing.archive(house, workspace, shown.id, closing, principal)
    else:
        passing = Reassign(version=shown.version, assignee=order.assignee)
        await reviewing.reassign(house, workspace, shown.id, passing, principal)


@router.post("/cases/tag")
async def tag_cases(
    order: TagCases, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> dict[str, list[Decided]]:
    """Give the conversation of each case tags and take tags away; one outcome for each."""
    outcomes = []
    for case_id in dict.fromkeys(order.cases):
        try:
            await tagging.tag_case(house, workspace, case_id, order.add, order.remove, principal)
            outcomes.append(Decided(id=case_id, done=True))
        except PosternError as error:
            outcomes.append(Decided(id=case_id, done=False, sentence=str(error)))
    return {"outcomes": outcomes}


@router.get(
    "/cases/{case_id}",
    response_model=CaseView,
    responses={304: {"description": "It still has the version that was seen"}},
)
async def case(
    case_id: str, house: HouseOf, workspace: WorkspaceOf, seen: int | None = None
) -> CaseView | Response:
    """Return everything a reviewer needs to decide; 304 while it has the version `seen`."""
    if seen is not None and await workspace.db.read(pages.find_version, case_id) == seen:
        return Response(status_code=304)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/preview")
async def preview(
    case_id: str, order: PreviewRequest, house: HouseOf, workspace: WorkspaceOf
) -> ReplyPreview:
    """Check an edited text, and show what would leave."""
    letter, checked = await preview_text(workspace, case_id, order.subject, order.body)
    text, signed = await asyncio.to_thread(letter.preview, workspace, house.clock())
    return ReplyPreview(reply_preview=text, approval_hash=signed, checked=checked)


@router.post("/cases/{case_id}/approve", dependencies=[WAKES])
async def approve(
    case_id: str,
    order: Approve,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> CaseView:
    """Approve a reply, as shown or as edited."""
    await reviewing.approve(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/reject", dependencies=[WAKES])
async def reject(
    case_id: str,
    order: Reject,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> CaseView:
    """Say that a draft is not good."""
    await reviewing.reject(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/choose")
async def choose(
    case_id: str, order: Choose, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Make one of the other drafts the newest revision."""
    await reviewing.choose(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/part")
async def part(
    case_id: str, order: PartCase, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Make a case of its own of some of its parts; return that one."""
    fresh = await setting_apart.part(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, fresh)


@router.post("/cases/{case_id}/join", dependencies=[WAKES])
async def join(
    case_id: str,
    order: Join,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> CaseView:
    """Answer the parts of a message in one case again."""
    await setting_apart.join(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/reassign")
async def reassign(
    case_id: str, order: Reassign, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Give a case to another person."""
    await reviewing.reassign(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/copies")
async def copies(
    case_id: str,
    order: ChooseCopies,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> CaseView:
    """Say who gets a copy of the reply; the answer shows the reply and its new hash."""
    await copying.choose_copies(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/archive")
async def archive(
    case_id: str, order: ArchiveCase, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Close a case without a reply."""
    await reviewing.archive(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/forward/preview")
async def preview_forward(
    case_id: str,
    order: ForwardDraft,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> ForwardPreview:
    """Return to which colleagues a case may be passed on, and what would leave."""
    return await passing_on.preview_passing_on(house, workspace, case_id, order, principal)


@router.post("/cases/{case_id}/forward", dependencies=[WAKES])
async def forward(
    case_id: str,
    order: PassOn,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> CaseView:
    """Pass a case's messages on to a colleague, as they were shown."""
    await passing_on.pass_on_case(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/retry", dependencies=[WAKES])
async def retry(
    case_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Work on a case again, from its context on."""
    await reviewing.retry(house, workspace, case_id, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/reopen")
async def reopen(
    case_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Take a rejection or a closing without a reply back."""
    await reopening.reopen(house, workspace, case_id, principal)
    return await case_view(house, workspace, case_id)
