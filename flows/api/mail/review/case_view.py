"""A case with everything a reviewer needs to decide on it."""

from collections.abc import Mapping
from datetime import datetime

from data.records.core.briefing import Briefing
from data.records.core.model_views import CallsView
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
)
from data.records.mail.deciding import Decision
from data.records.mail.drafting import Checked, Draft
from data.records.mail.follow_ups import FollowUpView
from data.records.mail.passing_on import PassedOn
from data.records.mail.planning import ActionView, Plan
from data.records.mail.questions import QuestionView
from data.records.mail.snoozing import SnoozeView
from data.records.mail.stage_outputs import PartLink, Routed
from data.records.mail.views import BranchView, CaseView, DraftRevision, StepView
from data.settings import Settings
from data.states import BranchState
from data.store.core import usage
from data.store.core.database import Connection
from data.store.core.journal import Step
from data.store.mail import (
    actions,
    attached_files,
    case_links,
    cases,
    customers,
    deliveries,
    examples,
    follow_ups,
    pages,
    service_targets,
    snoozes,
)
from data.store.mail.cases import BranchRow, CaseRow, DraftRow
from data.store.mail.pages import PageMessageRow
from data.store.mail.service_targets import TargetRow
from flows.api.mail.lines import case_link, pick_fields, queue_item
from flows.api.mail.message_view import views_of
from flows.api.mail.review.cited import list_cited
from flows.api.mail.thread_view import thread_view
from flows.core.house import House
from flows.core.services import build_run_address
from flows.core.workspace import Workspace
from flows.mail.leaving.letters import address_letter, make_new_letter
from flows.mail.line.case_family import list_others
from flows.mail.line.customers import is_established
from flows.mail.people.vigilance import with_planted
from tasks.mail.case_text import case_text
from tasks.mail.classify.corrected_classification import correct_classification
from tasks.mail.classify.message_parts import order_of
from tasks.mail.compose.headers import ComposeError
from tasks.mail.draft.answered import answered_share
from tasks.mail.read import Reading


async def case_view(house: House, workspace: Workspace, case_id: str) -> CaseView:
    """Return one case.

    Raises:
        NotFoundError: there is none of that id.

    """
    return await workspace.db.read(_view, house.settings, workspace, case_id, house.clock())


def _view(
    cursor: Connection, settings: Settings, workspace: Workspace, case_id: str, now: datetime
) -> CaseView:
    row = cases.read_row(cursor, case_id)
    ids = row.message_ids
    message_rows = pages.list_messages(cursor, ids)
    steps = pages.list_steps(cursor, [*ids, case_id])
    readings = pages.pick_results(steps, "parse")
    classification, briefing, route = (
        pages.pick_results(steps, stage).get(case_id) for stage in ("classify", "context", "route")
    )
    decided = routed(route)
    brief = Briefing.model_validate_json(briefing) if briefing else Briefing()
    drafts = tuple(_revision(each) for each in cases.list_drafts(cursor, case_id))
    revisions = with_planted(cursor, workspace, case_id, drafts)
    newest = revisions[-1].draft if revisions else None
    done = actions.list_by_branch(cursor, case_id)
    parts = [
        _branch(each, done.get(each.id, ())) for each in cases.list_branches(cursor, [case_id])
    ]
    replies = pages.list_replies(cursor, [case_id])
    thread = thread_view(cursor, workspace.organization, row.thread_id, readings)
    return CaseView(
        id=case_id,
        version=row.version,
        state=row.state,
        item=queue_item(row, decided, _target(cursor, workspace, case_id), thread.tags),
        messages=tuple(views_of(cursor, message_rows, steps, ids)),
        thread=thread,
        classification=_understood(cursor, case_id, classification),
        branches=_branches(
            _in_order(parts, [readings[item] for item in ids if item in readings]), newest
        ),
        questions=_questions(cursor, case_id, parts),
        tier=brief.tier,
        snippets=brief.snippets,
        cited=list_cited(
            cursor,
            workspace,
            row,
            brief.snippets,
            (
                *(revision.draft for revision in revisions),
                *(part.draft for part in parts if part.draft),
            ),
        ),
        revisions=revisions,
        decision=decided,
        steps=tuple(_step(step) for step in steps),
        fallbacks=_fallbacks(parts, newest, classification, brief),
        calls=_calls(cursor, [*ids, case_id]),
        delivery_id=replies[-1].id if replies else None,
        leaves_at=replies[-1].leaves_at if replies else None,
        run_url=_run_url(settings, [step for step in steps if step.item_id == case_id]),
        passed_on=tuple(
            pick_fields(PassedOn, passed) for passed in deliveries.list_passed_on(cursor, [case_id])
        ),
        others=_others(cursor, row),
        follow_up=pick_fields(FollowUpView, asked)
        if (asked := follow_ups.find_last(cursor, case_id))
        else None,
        again_of=row.again_of,
        taken_over_by=cases.read_newest(cursor, case_id).id if row.superseded_by else None,
        snooze=pick_fields(SnoozeView, put_off)
        if (put_off := snoozes.find_last(cursor, case_id))
        else None,
        other_cases=tuple(
            case_link(each)
            for each in case_links.list_open_of_contact(cursor, row.contact_id, case_id)
        ),
        **_customer(cursor, workspace, row),
        **_letter(cursor, workspace, row, newest, readings, message_rows, now),
    )


def _target(cursor: Connection, workspace: Workspace, case_id: str) -> TargetRow | None:
    """Return by when a case should be answered; nothing is asked where the policy sets nothing."""
    if not workspace.policy.service_levels:
        return None
    return service_targets.list_of_cases(cursor, [case_id]).get(case_id)


def _customer(cursor: Connection, workspace: Workspace, row: CaseRow) -> dict[str, object]:
    """Return what is known of the contact, and whether a reply may tell it."""
    email = str(row.contact_email).lower()
    facts = customers.read_facts(cursor, [email]).get(email)
    if facts is None:
        return {}
    may_tell = is_established(cursor, workspace, row)
    return {"customer": facts, "customer_established": may_tell}


def _run_url(settings: Settings, steps: list[Step]) -> str:
    """Return the page of the flow run that made the newest of these steps."""
    runs = [step.run_id for step in steps if step.run_id]
    return build_run_address(settings, runs[-1]) if runs else ""


def _questions(
    cursor: Connection, case_id: str, parts: list[BranchView]
) -> tuple[QuestionView, ...]:
    """Return what owners were asked for a case that waits for their answer."""
    if not any(part.state is BranchState.WAITING_FOR_INPUT for part in parts):
        return ()
    return tuple(pick_fields(QuestionView, row) for row in pages.list_questions(cursor, case_id))


def _understood(
    cursor: Connection, case_id: str, classification_json: str | None
) -> Classification | None:
    """Return what was understood, as a person corrected it, if one did."""
    corrections = examples.list_corrections(cursor, [case_id]).get(case_id)
    if classification_json is None or corrections is None:
        return (
            Classification.model_validate_json(classification_json) if classification_json else None
        )
    return correct_classification(
        Classification.model_validate_json(classification_json),
        category=Category(corrections.category),
        priority=Priority(corrections.priority),
        intent=IntentKind(corrections.intent),
    )


def _fallbacks(
    parts: list[BranchView], newest: Draft | None, classification: str | None, brief: Briefing
) -> tuple[str, ...]:
    """Return what the embedded provider did because a model did not, each with the reason."""
    understanding = Classification.model_validate_json(classification) if classification else None
    plans = [part.plan for part in parts]
    stood_in = (
        ("shortened", brief.fallback),
        ("understood", understanding.fallback if understanding else ""),
        ("planned", next((plan.fallback for plan in plans if plan and plan.fallback), "")),
        ("wrote", newest.fallback if newest else ""),
    )
    return tuple(
        f"The embedded provider {verb} this, not a model: {why}" for verb, why in stood_in if why
    )


def _calls(cursor: Connection, ids: list[str]) -> tuple[CallsView, ...]:
    """Return what models have used for a case and its messages, by task."""
    return tuple(usage.list_of_items(cursor, ids))


def routed(routed_json: str | None) -> Decision | None:
    """Return what was decided, without what became of it."""
    if routed_json is None:
        return None
    routed_case = Routed.model_validate_json(routed_json)
    return Decision.model_validate(
        {name: getattr(routed_case, name) for name in Decision.model_fields}
    )


def _letter(
    cursor: Connection,
    workspace: Workspace,
    row: CaseRow,
    newest: Draft | None,
    readings: Mapping[str, str],
    message_by_id: Mapping[str, PageMessageRow],
    now: datetime,
) -> dict[str, object]:
    """Return the reply with the newest draft; it answers the case's last message, if any."""
    files = attached_files.list_of_case(cursor, row.id) if row.files else ()
    attached: dict[str, object] = {"attachments": files}
    last = row.message_ids[-1] if row.message_ids else ""
    if newest is None or (last and last not in readings):
        return attached
    letter = (
        address_letter(workspace, row, newest, readings[last], message_by_id[last].envelope, files)
        if last
        else make_new_letter(cursor, workspace, row, newest)
    )
    reason, preview, signed = letter.recipients.reason, "", ""
    try:
        if letter.recipients.to:
            preview, signed = letter.preview(workspace, now)
    except ComposeError as error:  # the case is read, rejected and closed all the same
        reason = f"{reason} It cannot be sent as it stands: {error}"
    return attached | {
        "recipients": (*letter.recipients.to, *letter.recipients.cc),
        "bcc": letter.recipients.bcc,
        "copies": letter.recipients.offers,
        "recipient_reason": reason,
        "reply_preview": preview,
        "approval_hash": signed,
    }


def _in_order(branch_views: list[BranchView], readings: list[str]) -> list[BranchView]:
    """Return the parts of a case as their sender wrote them."""
    if len(branch_views) < 2:
        return branch_views
    letter = case_text([Reading.model_validate_json(reading) for reading in readings]).text
    return [
        branch_views[place]
        for place in order_of([branch_view.intent for branch_view in branch_views], letter)
    ]


def _branches(branch_views: list[BranchView], newest: Draft | None) -> tuple[BranchView, ...]:
    """Return the parts of a case, each with how much of it the newest draft answers."""
    return tuple(
        branch_view.model_copy(update={"answered": answered_share(branch_view.intent.text, newest)})
        if branch_view.plan and branch_view.plan.replies
        else branch_view
        for branch_view in branch_views
    )


def _branch(row: BranchRow, done: tuple[ActionView, ...]) -> BranchView:
    return BranchView(
        id=row.id,
        state=row.state,
        intent=Intent.model_validate_json(row.intent),
        plan=Plan.model_validate_json(row.plan) if row.plan else None,
        actions=done,
        question=row.question,
        priority=Priority(row.priority) if row.priority else None,
        draft=Draft.model_validate_json(row.draft) if row.draft else None,
        checked=Checked.model_validate_json(row.checked) if row.checked else None,
        decision=Decision.model_validate_json(row.decision) if row.decision else None,
    )


def _others(cursor: Connection, row: CaseRow) -> tuple[PartLink, ...]:
    """Return the cases that answer the other parts of a case's messages."""
    others = list_others(cursor, row)
    if not others:
        return ()
    wishes: dict[str, list[str]] = {}
    for branch in cases.list_branches(cursor, [part.id for part in others]):
        wish = Intent.model_validate_json(branch.intent)
        wishes.setdefault(branch.case_id, []).append(wish.text)
    return tuple(
        PartLink(id=part.id, state=part.state, wishes=tuple(wishes.get(part.id, ())))
        for part in others
    )


def _revision(row: DraftRow) -> DraftRevision:
    return DraftRevision(
        revision=row.revision,
        draft=Draft.model_validate_json(row.draft),
        checked=Checked.model_validate_json(row.checked) if row.checked else None,
        author=row.author,
        created_at=row.created_at,
    )


def _step(step: Step) -> StepView:
    return StepView(
        stage=step.stage,
        item_id=step.item_id,
        attempt=step.attempt,
        status=step.status,
        started_at=step.started_at,
        milliseconds=step.milliseconds,
        provider=step.provider,
        tokens_in=step.tokens_in,
        tokens_out=step.tokens_out,
        cost=step.cost,
        config_version=step.config_version,
        error=step.error,
    )
