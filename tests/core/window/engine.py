"""A small stand-in for the engine's API over real HTTP: view records, versions, refusals.

It keeps to the contract that the window calls and to the legal moves of `data.states`; nothing
in it reads or sends mail. `python -m tests.core.window.engine` serves it, to look at the window.
"""

import asyncio
import os
from collections import Counter
from datetime import timedelta
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from data.records.core.audit_views import AuditChoices
from data.records.mail.overview_views import Count, HourCount, Overview, Waiting
from data.records.mail.questions import QuestionState
from data.records.mail.views import MessageView, QueueCountsView, QueueItem, ThreadLine, ThreadView
from data.states import (
    CaseState,
    DeliveryState,
)
from tests.core.window import invented as records
from tests.core.window.arranging import arranging
from tests.core.window.contact_held import contact_held
from tests.core.window.deciding import deciding, leaving
from tests.core.window.holding import Refused, holding, known, page
from tests.core.window.knowing import knowing
from tests.core.window.planning import planning
from tests.core.window.promising import promising
from tests.core.window.reporting import reporting
from tests.core.window.thinking import thinking
from tests.core.window.told import telling
from tests.core.window.world import TOKEN, World, full, line, moved

__all__ = ["TOKEN", "Refused", "World", "build", "full", "line", "moved"]


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
        a_file = request.url.path.endswith("/attachments")
        body = (await request.json()) if raw and not a_file else dict(request.query_params)
        world.calls.append((request.method, request.url.path, body))
        given = request.headers.get("authorization", "")
        if given != f"Bearer {world.token}":
            problem = {"error": {"kind": "SignedOutError", "message": "this token is not valid"}}
            return JSONResponse(problem, status_code=401)
        await asyncio.sleep(world.slow)
        for ending, error in world.refusals.items():
            if request.url.path.endswith(ending):
                return await refused(request, error)
        answer: Response = await go_on(request)
        return answer

    _reading(app, world)
    arranging(app, world)
    deciding(app, world)
    holding(app, world)
    leaving(app, world)
    telling(app, world)
    contact_held(app)
    thinking(app, world)
    planning(app, world)
    knowing(app, world)
    promising(app, world)
    reporting(app, world)
    return app


def _reading(app: FastAPI, world: World) -> None:
    @app.get("/v1/me")
    async def me() -> Any:  # noqa: ANN401
        return world.me

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

    @app.get("/v1/{org}/waiting")
    async def waiting(org: str) -> Waiting:
        cases = [one for one in world.cases.values() if one.state in ("in_review", "escalated")]
        questions = [one for case in cases for one in case.questions if one.state == "open"]
        held = len(world.held)
        return Waiting(review=len(cases), questions=len(questions), quarantine=held, calls=0)

    @app.get("/v1/{org}/queue")
    async def queue(
        org: str,
        category: str = "",
        priority: str = "",
        assignee: str = "",
        state: str = "",
        q: str = "",
        handed: bool | None = None,
        whose: str = "",
        limit: int = 25,
        offset: int = 0,
    ) -> Any:  # noqa: ANN401
        wanted = {state} if state else {"in_review", "escalated"}
        found: list[QueueItem] = [
            case.item
            for case in world.cases.values()
            if case.state in wanted
            and handed in (None, bool(case.item.assignee) or case.state == "escalated")
            and (not whose or (case.item.assignee == world.me.email) is (whose == "mine"))
            and (case.item.assignee or not whose)
            and (not category or case.item.category == category)
            and (not priority or case.item.priority == priority)
            and (not assignee or case.item.assignee == assignee)
            and q.lower() in case.item.subject.lower()
        ]
        return page(found, limit, offset)

    @app.get("/v1/{org}/queue/counts")
    async def queue_counts(org: str) -> QueueCountsView:
        items = [
            one.item for one in world.cases.values() if one.state in ("in_review", "escalated")
        ]
        mine = sum(one.assignee == world.me.email for one in items)
        with_somebody = sum(bool(one.assignee) for one in items)
        return QueueCountsView(
            all=len(items),
            mine=mine,
            others=with_somebody - mine,
            unassigned=len(items) - with_somebody,
            handed=with_somebody,
            failed=0,
            snoozed=0,
        )

    @app.get("/v1/{org}/cases/{id}")
    async def case(org: str, id: str, seen: int | None = None) -> Any:  # noqa: ANN401
        if known(world.cases, id).version == seen:
            return Response(status_code=304)
        waiting = [one for one in world.questions.values() if one.case_id == id]
        asked = tuple(one for one in waiting if one.state is QuestionState.OPEN)
        return known(world.cases, id).model_copy(update={"questions": asked})

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

    @app.get("/v1/{org}/messages/{id}/attachments/{sha256}/preview")
    async def preview(org: str, id: str, sha256: str, page: int = 1) -> Response:
        pages = world.drawn.get(sha256)
        if pages is None:
            raise Refused(422, "UnfitError", "There is no preview of this file.")
        headers = {"Postern-Pages": str(len(pages))}
        return Response(pages[page - 1], media_type="image/png", headers=headers)

    @app.post("/v1/{org}/messages/{id}/attachments/{sha256}/read")
    async def document(org: str, id: str, sha256: str) -> Any:  # noqa: ANN401
        return world.documents[sha256].model_copy(update={"message_id": id})

    @app.get("/v1/{org}/threads")
    async def threads(
        org: str, q: str = "", limit: int = 25, offset: int = 0, tag: str = ""
    ) -> Any:  # noqa: ANN401
        lines = [
            entry.model_dump(mode="json", include=set(ThreadLine.model_fields))
            for entry in world.threads.values()
            if q.lower() in entry.subject.lower() and (not tag or tag in entry.tags)
        ]
        return {"items": lines[offset : offset + limit], "total": len(lines)}

    @app.get("/v1/{org}/tags")
    async def tags(org: str) -> Any:  # noqa: ANN401
        found = Counter(tag for entry in world.threads.values() for tag in entry.tags)
        named = [{"name": tag, "value": many} for tag, many in found.most_common()]
        return {"items": named, "total": len(named)}

    @app.get("/v1/{org}/threads/{id}")
    async def thread(org: str, id: str) -> ThreadView:
        return known(world.threads, id)

    @app.get("/v1/{org}/audit/choices")
    async def audit_choices(org: str) -> AuditChoices:
        return AuditChoices(
            actors=tuple(dict.fromkeys(one.actor for one in world.audit)),
            actions=tuple(dict.fromkeys(one.action for one in world.audit)),
        )

    @app.get("/v1/{org}/audit")
    async def audit(org: str, limit: int = 25, offset: int = 0) -> Any:  # noqa: ANN401
        return page(world.audit, limit, offset)


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(
        build(full()), port=int(os.environ.get("POSTERN_API_PORT", "8080")), log_level="warning"
    )
