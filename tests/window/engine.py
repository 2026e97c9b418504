"""A small stand-in for the engine's API over real HTTP: view records, versions, refusals.

It keeps to the contract that `ui.desk` calls and to the legal moves of `data.states`; nothing in
it reads or sends mail. `python -m tests.window.engine` serves it, to look at the window.
"""

import os
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from data.records.drafting import Checked
from data.records.examples import Relabel
from data.records.learning import EntryView, ProposalView
from data.records.model_views import ModelsView
from data.records.orders import (
    Approve,
    Archive,
    Reassign,
    Reject,
    Resolve,
    ResolveForward,
    StopSwitch,
)
from data.records.outgoing_views import AuditView, DeliveryView, ForwardView
from data.records.overview_views import Count, HourCount, Overview
from data.records.promises import PromiseView
from data.records.questions import QuestionView
from data.records.rules import RuleView
from data.records.senders import AllowanceView, BlockView, NotificationView
from data.records.tickets import TicketView
from data.records.views import (
    CaseView,
    MessageLine,
    MessageView,
    QuarantineItem,
    QueueItem,
    ThreadLine,
    ThreadView,
)
from data.states import (
    CASE_EDGES,
    DELIVERY_EDGES,
    CaseState,
    DeliveryState,
    ForwardState,
)
from tests.window import invented as records
from tests.window.arranging import arranging
from tests.window.holding import Refused, holding, known, page
from tests.window.knowing import knowing
from tests.window.planning import planning
from tests.window.promising import promising
from tests.window.thinking import thinking
from tests.window.told import telling

TOKEN = "a-made-up-token"


@dataclass
class World:
    """Everything the stand-in knows; a test sets it and looks at `calls` afterwards."""

    cases: dict[str, CaseView] = field(default_factory=dict)
    messages: dict[str, MessageView] = field(default_factory=dict)
    held: dict[str, QuarantineItem] = field(default_factory=dict)
    threads: dict[str, ThreadView] = field(default_factory=dict)
    deliveries: dict[str, DeliveryView] = field(default_factory=dict)
    forwards: dict[str, ForwardView] = field(default_factory=dict)
    audit: list[AuditView] = field(default_factory=list)
    notifications: list[NotificationView] = field(default_factory=list)
    allowances: list[AllowanceView] = field(default_factory=list)
    blocks: list[BlockView] = field(default_factory=list)
    entries: list[EntryView] = field(default_factory=list)
    proposals: dict[str, ProposalView] = field(default_factory=dict)
    models: ModelsView = field(default_factory=lambda: ModelsView(provider="local"))
    tickets: dict[str, TicketView] = field(default_factory=dict)
    questions: dict[str, QuestionView] = field(default_factory=dict)
    rules: dict[str, RuleView] = field(default_factory=dict)
    promises: dict[str, PromiseView] = field(default_factory=dict)
    writing: dict[str, str] = field(default_factory=dict)
    """Drafts that are being written, by case."""
    stopped: bool = False
    refusals: dict[str, Refused] = field(default_factory=dict)
    """What to answer instead, by the end of the path."""
    token: str = TOKEN
    calls: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    """Method, path and body (or query) of every call."""

    def done(self, ending: str) -> list[dict[str, Any]]:
        """Return the bodies of POST calls whose path ends so."""
        return [
            body for method, path, body in self.calls if method == "POST" and path.endswith(ending)
        ]


def full() -> World:
    """Return a world with something on every page."""
    world = World()
    for case in (
        records.case("case-1"),
        records.case(
            "case-2", item=records.item("case-2", subject=records.HOSTILE, priority="urgent")
        ),
        records.case(
            "case-3", item=records.item("case-3", subject="Billing address", category="billing")
        ),
    ):
        world.cases[case.id] = case
        world.messages |= {message.id: message for message in case.messages}
    for id in ("held-1", "held-2"):
        world.held[id] = records.held(id)
        world.messages[id] = records.held_message(id)
    world.messages["news-1"] = records.newsletter("news-1")
    world.threads["thread-1"] = records.thread()
    return world


def line(message: MessageView) -> MessageLine:
    """Return a message as a line of the inbox."""
    return MessageLine(
        id=message.id,
        status=message.status,
        sender=message.sender,
        subject=message.subject,
        preview=(message.segments.new if message.segments else message.text)[:120],
        received_at=message.received_at,
        thread_id=message.thread_id,
        case_id=message.case_id,
        verdict=message.screening.verdict if message.screening else None,
        automated_kind=message.automated.kind if message.automated else "none",
        attachments=len(message.attachments),
        note=message.note,
    )


def moved(case: CaseView, state: CaseState, **more: Any) -> CaseView:  # noqa: ANN401
    """Return the case in another state, if the move is legal."""
    if state is not case.state and state not in CASE_EDGES[case.state]:
        raise Refused(409, "ConflictError", f"case {case.id!r} is {case.state}; read it again")
    item = case.item.model_copy(update={"state": state, **more.pop("item", {})})
    return case.model_copy(
        update={"state": state, "version": case.version + 1, "item": item, **more}
    )


class Edited(BaseModel):
    """The text of a preview."""

    subject: str
    body: str


def build(world: World) -> FastAPI:
    """Return the application over `world`."""
    app = FastAPI()

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        problem = {"error": {"kind": error.kind, "message": error.message}}
        return JSONResponse(problem, status_code=error.status)

    @app.middleware("http")
    async def note(request: Request, go_on: Any) -> Response:  # noqa: ANN401
        raw = await request.body()
        body = (await request.json()) if raw else dict(request.query_params)
        world.calls.append((request.method, request.url.path, body))
        given = request.headers.get("authorization", "")
        if given != f"Bearer {world.token}":
            problem = {"error": {"kind": "SignedOutError", "message": "this token is not valid"}}
            return JSONResponse(problem, status_code=401)
        for ending, error in world.refusals.items():
            if request.url.path.endswith(ending):
                return await refused(request, error)
        answer: Response = await go_on(request)
        return answer

    _reading(app, world)
    arranging(app, world.threads)
    _deciding(app, world)
    holding(app, world)
    _leaving(app, world)
    telling(app, world)
    thinking(app, world)
    planning(app, world)
    knowing(app, world)
    promising(app, world)
    return app


def _reading(app: FastAPI, world: World) -> None:
    @app.get("/v1/me")
    async def me() -> Any:  # noqa: ANN401
        return records.ME

    @app.get("/v1/{org}/overview")
    async def overview(org: str) -> Overview:
        open_ = [case for case in world.cases.values() if case.state is CaseState.IN_REVIEW]
        start = records.now().replace(minute=0, second=0, microsecond=0)
        quiet = not world.messages
        return Overview(
            received_today=len(world.messages),
            received_total=len(world.messages) * 40,
            in_review=len(open_),
            urgent_in_review=sum(case.item.priority == "urgent" for case in open_),
            quarantined=len(world.held),
            waiting_to_send=sum(
                entry.state is DeliveryState.QUEUED for entry in world.deliveries.values()
            ),
            needs_decision=sum(
                entry.state in (DeliveryState.UNKNOWN, DeliveryState.FAILED)
                for entry in world.deliveries.values()
            ),
            failed=sum(case.state is CaseState.FAILED for case in world.cases.values()),
            promises_open=sum(one.state != "closed" for one in world.promises.values()),
            promises_overdue=sum(one.state == "overdue" for one in world.promises.values()),
            oldest_in_review_at=min((case.item.waiting_since for case in open_), default=None),
            approved_unchanged=None if quiet else 0.78,
            median_seconds_to_draft=None if quiet else 2.4,
            by_status=()
            if quiet
            else (
                Count(name="draft_ready", value=len(open_)),
                Count(name="archived", value=31),
                Count(name="sent", value=58),
                Count(name="stored", value=17),
                Count(name="quarantined", value=len(world.held)),
            ),
            by_category=()
            if quiet
            else (Count(name="sales", value=41), Count(name="billing", value=19)),
            by_verdict=()
            if quiet
            else (Count(name="clean", value=96), Count(name="quarantine", value=2)),
            by_hour=tuple(
                HourCount(
                    hour=start - timedelta(hours=23 - number),
                    received=0 if quiet else (number * 7) % 13,
                    quarantined=0 if quiet else int(number % 9 == 4),
                    replied=0 if quiet else (number * 5) % 8,
                )
                for number in range(24)
            ),
            stopped=world.stopped,
        )

    @app.get("/v1/{org}/queue")
    async def queue(
        org: str,
        category: str = "",
        priority: str = "",
        assignee: str = "",
        state: str = "",
        q: str = "",
        limit: int = 25,
        offset: int = 0,
    ) -> Any:  # noqa: ANN401
        wanted = {state} if state else {"in_review", "escalated"}
        found: list[QueueItem] = [
            case.item
            for case in world.cases.values()
            if case.state in wanted
            and (not category or case.item.category == category)
            and (not priority or case.item.priority == priority)
            and (not assignee or case.item.assignee == assignee)
            and q.lower() in case.item.subject.lower()
        ]
        return page(found, limit, offset)

    @app.get("/v1/{org}/cases/{id}")
    async def case(org: str, id: str) -> CaseView:
        return known(world.cases, id)

    @app.get("/v1/{org}/messages")
    async def messages(
        org: str, status: str = "", q: str = "", limit: int = 25, offset: int = 0
    ) -> Any:  # noqa: ANN401
        newest = sorted(world.messages.values(), key=lambda entry: entry.received_at, reverse=True)
        found = [
            line(entry)
            for entry in newest
            if (not status or entry.status == status) and q.lower() in entry.subject.lower()
        ]
        return page(found, limit, offset)

    @app.get("/v1/{org}/messages/{id}")
    async def message(org: str, id: str) -> MessageView:
        return known(world.messages, id)

    @app.get("/v1/{org}/messages/{id}/raw")
    async def raw(org: str, id: str) -> Response:
        return Response(f"Subject: {id}\r\n\r\n".encode(), media_type="text/plain")

    @app.get("/v1/{org}/messages/{id}/attachments/{sha256}")
    async def attachment(org: str, id: str, sha256: str) -> Response:
        return Response(sha256.encode(), media_type="application/octet-stream")

    @app.get("/v1/{org}/threads")
    async def threads(org: str, q: str = "", limit: int = 25, offset: int = 0) -> Any:  # noqa: ANN401
        lines = [
            entry.model_dump(mode="json", include=set(ThreadLine.model_fields))
            for entry in world.threads.values()
            if q.lower() in entry.subject.lower()
        ]
        return {"items": lines[offset : offset + limit], "total": len(lines)}

    @app.get("/v1/{org}/threads/{id}")
    async def thread(org: str, id: str) -> ThreadView:
        return known(world.threads, id)

    @app.get("/v1/{org}/audit")
    async def audit(org: str, limit: int = 25, offset: int = 0) -> Any:  # noqa: ANN401
        return page(world.audit, limit, offset)


def _deciding(app: FastAPI, world: World) -> None:
    def fresh(id: str, version: int) -> CaseView:
        case = known(world.cases, id)
        if case.version != version:
            raise Refused(409, "ConflictError", f"case {id!r} has changed; read it again")
        return case

    @app.post("/v1/{org}/cases/{id}/approve")
    async def approve(org: str, id: str, body: Approve) -> CaseView:
        case = fresh(id, body.version)
        subject = body.subject or case.revisions[-1].draft.subject
        text = body.body or case.revisions[-1].draft.body
        if body.approval_hash != records.hashed(subject, text):
            raise Refused(409, "ConflictError", "what would leave is not what was shown")
        delivery = records.delivery(
            f"delivery-{id}", case_id=id, subject=subject, body=text, rcpt_to=case.recipients
        )
        world.deliveries[delivery.id] = delivery
        world.cases[id] = moved(case, CaseState.APPROVED, delivery_id=delivery.id)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/reject")
    async def reject(org: str, id: str, body: Reject) -> CaseView:
        state = CaseState.RUNNING if body.redraft else CaseState.ARCHIVED
        world.cases[id] = moved(fresh(id, body.version), state)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/reassign")
    async def reassign(org: str, id: str, body: Reassign) -> CaseView:
        case = fresh(id, body.version)
        world.cases[id] = moved(case, CaseState.ESCALATED, item={"assignee": body.assignee})
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/relabel")
    async def relabel(org: str, id: str, body: Relabel) -> CaseView:
        labels = {"category": body.category, "priority": body.priority}
        world.cases[id] = moved(fresh(id, body.version), CaseState.IN_REVIEW, item=labels)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/archive")
    async def archive(org: str, id: str, body: Archive) -> CaseView:
        world.cases[id] = moved(fresh(id, body.version), CaseState.ARCHIVED)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/retry")
    async def retry(org: str, id: str) -> CaseView:
        world.cases[id] = moved(known(world.cases, id), CaseState.RUNNING)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/preview")
    async def preview(org: str, id: str, body: Edited) -> Any:  # noqa: ANN401
        case = known(world.cases, id)
        return {
            "reply_preview": f"To: {case.recipients[0]}\nSubject: {body.subject}\n\n{body.body}",
            "approval_hash": records.hashed(body.subject, body.body),
            "checked": Checked(quality=0.8),
        }


def _leaving(app: FastAPI, world: World) -> None:
    def shift(id: str, state: DeliveryState) -> DeliveryView:
        delivery = known(world.deliveries, id)
        if state not in DELIVERY_EDGES[delivery.state]:
            raise Refused(409, "ConflictError", f"delivery {id!r} is {delivery.state}")
        world.deliveries[id] = delivery.model_copy(update={"state": state})
        return world.deliveries[id]

    @app.get("/v1/{org}/outbox")
    async def outbox(org: str, state: str = "", limit: int = 25, offset: int = 0) -> Any:  # noqa: ANN401
        found = [entry for entry in world.deliveries.values() if not state or entry.state == state]
        return page(found, limit, offset)

    @app.post("/v1/{org}/deliveries/{id}/cancel")
    async def cancel(org: str, id: str) -> DeliveryView:
        delivery = shift(id, DeliveryState.CANCELLED)
        case = world.cases.get(delivery.case_id)
        if case and case.state is CaseState.APPROVED:
            world.cases[case.id] = moved(case, CaseState.IN_REVIEW, delivery_id=None)
        return delivery

    @app.post("/v1/{org}/deliveries/{id}/resolve")
    async def resolve(org: str, id: str, body: Resolve) -> DeliveryView:
        states = {
            "sent": DeliveryState.SENT,
            "retry": DeliveryState.QUEUED,
            "cancel": DeliveryState.CANCELLED,
        }
        return shift(id, states[body.outcome])

    @app.get("/v1/{org}/forwards")
    async def forwards(org: str, state: str = "", limit: int = 25, offset: int = 0) -> Any:  # noqa: ANN401
        found = [entry for entry in world.forwards.values() if not state or entry.state == state]
        return page(found, limit, offset)

    @app.post("/v1/{org}/forwards/{id}/resolve")
    async def resolve_forward(org: str, id: str, body: ResolveForward) -> ForwardView:
        states = {"retry": ForwardState.QUEUED, "cancel": ForwardState.CANCELLED}
        entry = known(world.forwards, id)
        world.forwards[id] = entry.model_copy(update={"state": states[body.outcome]})
        return world.forwards[id]

    @app.get("/v1/{org}/stop")
    async def stop(org: str) -> StopSwitch:
        return StopSwitch(stopped=world.stopped)

    @app.post("/v1/{org}/stop")
    async def set_stop(org: str, body: StopSwitch) -> StopSwitch:
        world.stopped = body.stopped
        return body


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(
        build(full()), port=int(os.environ.get("POSTERN_API_PORT", "8080")), log_level="warning"
    )
