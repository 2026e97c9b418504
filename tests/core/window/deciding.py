"""The stand-in's decisions: what a person does with a case, a delivery or a forward."""

from hashlib import sha256
from typing import Any

from fastapi import FastAPI, Request, Response
from pydantic import BaseModel

from data.records.mail.attaching import AttachedFile, DetachFile
from data.records.mail.copies import ChooseCopies, Copy
from data.records.mail.deciding import RejectReason
from data.records.mail.drafting import Checked, Finding
from data.records.mail.examples import Relabel
from data.records.mail.follow_ups import AskFollowUp, FollowUpView, WriteAgain
from data.records.mail.new_mail import WriteMail
from data.records.mail.notes import NoteView, WriteNote
from data.records.mail.onlookers import LookIn, Onlookers
from data.records.mail.orders import (
    Approve,
    ArchiveCase,
    DecideCases,
    Reassign,
    Reject,
    Resolve,
    ResolveForward,
    StopSwitch,
)
from data.records.mail.outgoing_views import DeliveryView, ForwardView
from data.records.mail.passing_on import (
    ForwardDraft,
    ForwardPreview,
    PassedOn,
    PassOn,
    Purpose,
)
from data.records.mail.senders import Decided
from data.records.mail.snoozing import Snooze, SnoozeView, Unsnooze
from data.records.mail.views import CaseView
from data.states import (
    DELIVERY_EDGES,
    FORWARD_EDGES,
    CaseState,
    DeliveryState,
    ForwardState,
)
from tests.core.window import invented as records
from tests.core.window.holding import Refused, known, page
from tests.core.window.world import World, moved


class Edited(BaseModel):
    """The text of a preview."""

    subject: str
    body: str


def deciding(app: FastAPI, world: World) -> None:
    """Add what is decided on cases."""

    def fresh(id: str, version: int) -> CaseView:
        case = known(world.cases, id)
        if case.version != version:
            changed = "this case has changed since you opened it; look at it again"
            raise Refused(409, "ConflictError", changed)
        return case

    @app.post("/v1/{org}/cases/{id}/approve")
    async def approve(org: str, id: str, body: Approve) -> CaseView:
        case = fresh(id, body.version)
        subject = body.subject or case.revisions[-1].draft.subject
        text = body.body or case.revisions[-1].draft.body
        if body.approval_hash != records.hashed(subject, text):
            raise Refused(409, "ConflictError", "what would leave is not what was shown")
        leaves = records.before(days=-3) if body.leave else None
        delivery = records.delivery(
            f"delivery-{id}", case_id=id, subject=subject, body=text, rcpt_to=case.recipients
        )
        later = {"leaves_at": leaves, "due_at": leaves} if leaves else {}
        delivery = world.deliveries[delivery.id] = delivery.model_copy(update=later)
        world.cases[id] = moved(case, CaseState.APPROVED, delivery_id=delivery.id, leaves_at=leaves)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/reject")
    async def reject(org: str, id: str, body: Reject) -> CaseView:
        state = known(world.cases, id).state
        if body.redraft:
            state = CaseState.RUNNING
        elif body.reason is RejectReason.SHOULD_NOT_REPLY:
            state = CaseState.ARCHIVED
        world.cases[id] = moved(fresh(id, body.version), state)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/reassign")
    async def reassign(org: str, id: str, body: Reassign) -> CaseView:
        case = fresh(id, body.version)
        world.cases[id] = moved(case, CaseState.ESCALATED, item={"assignee": body.assignee or None})
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/onlookers")
    async def look_in(org: str, id: str, body: LookIn) -> Onlookers:
        world.looks.append((id, body.writing))
        return Onlookers(items=world.onlookers)

    @app.post("/v1/{org}/cases/{id}/snooze")
    async def snooze(org: str, id: str, body: Snooze) -> CaseView:
        case = fresh(id, body.version)
        kept = SnoozeView(snoozed_by="ida", snoozed_at=case.item.waiting_since)
        world.cases[id] = moved(case, case.state, snooze=kept)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/unsnooze")
    async def unsnooze(org: str, id: str, body: Unsnooze) -> CaseView:
        case = fresh(id, body.version)
        world.cases[id] = moved(case, case.state, snooze=None)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/follow-up")
    async def follow_up(org: str, id: str, body: AskFollowUp) -> CaseView:
        case = fresh(id, body.version)
        asked = FollowUpView(
            days=body.days or 1,
            due_at=records.before(days=-5),
            asked_by="ida",
            asked_at=case.item.waiting_since,
            ended_at=None if body.days else case.item.waiting_since,
        )
        world.cases[id] = moved(case, case.state, follow_up=asked)
        return world.cases[id]

    @app.post("/v1/{org}/letters")
    async def write(org: str, body: WriteMail) -> CaseView:
        if "@" not in body.to:
            raise Refused(422, "UnfitError", f"{body.to!r} is no mail address")
        item = records.item("letter", subject=body.subject, again=True)
        world.cases["letter"] = records.case(
            "letter", item=item, messages=(), recipients=(body.to,)
        )
        return world.cases["letter"]

    @app.post("/v1/{org}/cases/{id}/again")
    async def again(org: str, id: str, body: WriteAgain) -> CaseView:
        fresh(id, body.version)
        world.cases["letter"] = records.case("letter")
        return world.cases["letter"]

    @app.post("/v1/{org}/cases/{id}/notes")
    async def note(org: str, id: str, body: WriteNote) -> CaseView:
        case = known(world.cases, id)
        if "@who" in body.text:
            raise Refused(404, "NotFoundError", "@who names nobody here")
        assert case.thread
        made = NoteView(
            id=f"note-{len(case.thread.notes)}",
            text=body.text,
            author_id="user-ida",
            written_by="ida",
            written_at=case.item.waiting_since,
            case_id=id,
        )
        thread = case.thread.model_copy(update={"notes": (*case.thread.notes, made)})
        world.cases[id] = moved(case, case.state, thread=thread)
        return world.cases[id]

    @app.post("/v1/{org}/notes/{id}/remove")
    async def remove_note(org: str, id: str) -> NoteView:
        for case in world.cases.values():
            found = [one for one in case.thread.notes if one.id == id] if case.thread else []
            if found and case.thread:
                rest = tuple(one for one in case.thread.notes if one.id != id)
                thread = case.thread.model_copy(update={"notes": rest})
                world.cases[case.id] = moved(case, case.state, thread=thread)
                return found[0]
        raise Refused(404, "NotFoundError", "there is no such note")

    @app.post("/v1/{org}/cases/{id}/copies")
    async def copies(org: str, id: str, body: ChooseCopies) -> CaseView:
        case = fresh(id, body.version)
        offered = {one.address: one for one in case.copies}
        chosen = tuple(one.address for one in case.copies if one.chosen)
        cc = chosen if body.cc is None else body.cc
        made = [offered.get(one, Copy(address=one, provenance="person")) for one in (*offered, *cc)]
        shown = {one.address: one.model_copy(update={"chosen": one.address in cc}) for one in made}
        kept = case.model_copy(
            update={
                "version": case.version + 1,
                "copies": tuple(shown.values()),
                "recipients": (case.recipients[0], *cc),
                "bcc": case.bcc if body.bcc is None else body.bcc,
            }
        )
        world.cases[id] = kept
        return kept

    @app.post("/v1/{org}/cases/{id}/attachments")
    async def attach(org: str, id: str, request: Request, version: int, name: str) -> CaseView:
        case, content = fresh(id, version), await request.body()
        if name.endswith(".exe"):
            raise Refused(422, "UnfitError", f"{name!r} cannot be attached: .exe can be run")
        file = AttachedFile(
            id=f"file-{case.version}",
            filename=name,
            content_type="application/octet-stream",
            size_bytes=len(content),
            sha256=sha256(content).hexdigest(),
            warnings=("It seems to hold a password or a key; look at it.",) * (b"pass" in content),
            added_by="ida",
            added_at=case.item.waiting_since,
        )
        world.files[file.sha256] = content
        world.cases[id] = case.model_copy(
            update={"version": version + 1, "attachments": (*case.attachments, file)}
        )
        return world.cases[id]

    @app.get("/v1/{org}/cases/{id}/attachments/{file_id}")
    async def attached(org: str, id: str, file_id: str) -> Response:
        files = {one.id: one for one in known(world.cases, id).attachments}
        return Response(world.files[files[file_id].sha256])

    @app.post("/v1/{org}/cases/{id}/attachments/{file_id}/remove")
    async def detach(org: str, id: str, file_id: str, body: DetachFile) -> CaseView:
        case = fresh(id, body.version)
        rest = tuple(one for one in case.attachments if one.id != file_id)
        update = {"version": case.version + 1, "attachments": rest}
        world.cases[id] = case.model_copy(update=update)
        return world.cases[id]

    @app.get("/v1/{org}/deliveries/{id}/attachments/{sha}")
    async def enclosed(org: str, id: str, sha: str) -> Response:
        return Response(world.files[sha])

    @app.post("/v1/{org}/cases/{id}/relabel")
    async def relabel(org: str, id: str, body: Relabel) -> CaseView:
        labels = {"category": body.category, "priority": body.priority}
        world.cases[id] = moved(fresh(id, body.version), CaseState.IN_REVIEW, item=labels)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/archive")
    async def archive(org: str, id: str, body: ArchiveCase) -> CaseView:
        world.cases[id] = moved(fresh(id, body.version), CaseState.ARCHIVED)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/reopen")
    async def reopen(org: str, id: str) -> CaseView:
        world.cases[id] = moved(known(world.cases, id), CaseState.IN_REVIEW)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/forward/preview")
    async def preview_forward(org: str, id: str, body: ForwardDraft) -> ForwardPreview:
        known(world.cases, id)
        told = ForwardPreview(recipients=world.me.organizations[0].people)
        if not body.to:
            return told
        text = f"To: {body.to}\nSubject: Fwd\n\n{body.note}"
        signed = records.hashed(body.to, body.note)
        return told.model_copy(update={"text": text, "approval_hash": signed})

    @app.post("/v1/{org}/cases/{id}/forward")
    async def forward(org: str, id: str, body: PassOn) -> CaseView:
        case = fresh(id, body.version)
        if body.approval_hash != records.hashed(body.to, body.note):
            raise Refused(409, "ConflictError", "what would leave is not what was shown")
        delivery = records.delivery(
            f"forward-{id}", case_id=id, rcpt_to=(body.to,), purpose=Purpose.FORWARD
        )
        world.deliveries[delivery.id] = delivery
        done = PassedOn(
            id=delivery.id,
            case_id=id,
            to=body.to,
            state=delivery.state,
            approved_by="ida",
            created_at=delivery.created_at,
        )
        fields = {"version": case.version + 1, "passed_on": (*case.passed_on, done)}
        world.cases[id] = case.model_copy(update=fields)
        return world.cases[id]

    @app.post("/v1/{org}/cases/{id}/retry")
    async def retry(org: str, id: str) -> CaseView:
        world.cases[id] = moved(known(world.cases, id), CaseState.RUNNING)
        return world.cases[id]

    @app.post("/v1/{org}/cases/decide")
    async def decide(org: str, body: DecideCases) -> Any:  # noqa: ANN401
        outcomes = []
        for shown in body.cases:
            try:
                if body.action == "approve":
                    reply = Approve(version=shown.version, approval_hash=shown.approval_hash)
                    await approve(org, shown.id, reply)
                elif body.action == "archive":
                    await archive(org, shown.id, ArchiveCase(version=shown.version))
                else:
                    order = Reassign(version=shown.version, assignee=body.assignee)
                    await reassign(org, shown.id, order)
                outcomes.append(Decided(id=shown.id, done=True))
            except Refused as error:
                outcomes.append(Decided(id=shown.id, done=False, sentence=error.message))
        return {"outcomes": outcomes}

    @app.post("/v1/{org}/cases/{id}/preview")
    async def preview(org: str, id: str, body: Edited) -> Any:  # noqa: ANN401
        case = known(world.cases, id)
        return {
            "reply_preview": f"To: {case.recipients[0]}\nSubject: {body.subject}\n\n{body.body}",
            "approval_hash": records.hashed(body.subject, body.body),
            "checked": Checked(quality=0.8, findings=_objections(body.body)),
        }


def _objections(body: str) -> tuple[Finding, ...]:
    """Return the finding of the invented draft, where its words stand in the text."""
    findings = records.CHECKED.findings
    return tuple(one for one in findings if one.excerpt in body)


def leaving(app: FastAPI, world: World) -> None:
    """Add the outbox, the forwards and the kill switch."""

    def shift(id: str, state: DeliveryState) -> DeliveryView:
        delivery = known(world.deliveries, id)
        if state not in DELIVERY_EDGES[delivery.state]:
            already = f"this reply is {str(delivery.state)!r} already; it cannot be taken back"
            raise Refused(409, "ConflictError", already)
        world.deliveries[id] = delivery.model_copy(update={"state": state})
        return world.deliveries[id]

    @app.get("/v1/{org}/outbox")
    async def outbox(
        org: str,
        state: str = "",
        purpose: str = "",
        limit: int = 25,
        offset: int = 0,
        *,
        scheduled: bool = False,
    ) -> Any:  # noqa: ANN401
        found = [
            entry
            for entry in world.deliveries.values()
            if (not state or entry.state == state)
            and (not purpose or entry.purpose == purpose)
            and (entry.leaves_at or not scheduled)
        ]
        return page(found, limit, offset)

    @app.get("/v1/{org}/deliveries/{id}")
    async def delivery(org: str, id: str) -> DeliveryView:
        return known(world.deliveries, id)

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

    @app.get("/v1/{org}/forwards/{id}")
    async def forward_of(org: str, id: str) -> ForwardView:
        return known(world.forwards, id)

    @app.post("/v1/{org}/forwards/{id}/resolve")
    async def resolve_forward(org: str, id: str, body: ResolveForward) -> ForwardView:
        entry = known(world.forwards, id)
        states = {
            "retry": ForwardState.QUEUED,
            "cancel": ForwardState.CANCELLED,
            "undo": ForwardState.FAILED,
        }
        if states[body.outcome] not in FORWARD_EDGES[entry.state]:
            settled = f"this forward is {str(entry.state)!r}; there is nothing to decide"
            raise Refused(409, "ConflictError", settled)
        world.forwards[id] = entry.model_copy(update={"state": states[body.outcome]})
        return world.forwards[id]

    @app.get("/v1/{org}/stop")
    async def stop(org: str) -> StopSwitch:
        return StopSwitch(stopped=world.stopped)

    @app.post("/v1/{org}/stop")
    async def set_stop(org: str, body: StopSwitch) -> StopSwitch:
        world.stopped = body.stopped
        return body
