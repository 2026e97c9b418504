"""From rows of the store to the records of the API."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import Address
from data.records.core.record import Record
from data.records.mail.attaching import EnclosedFile
from data.records.mail.conversations import CaseLink
from data.records.mail.deciding import Decision
from data.records.mail.outgoing_views import DeliveryView, ForwardView
from data.records.mail.service_levels import ServiceTarget
from data.records.mail.views import MessageLine, QueueItem, ThreadLine
from data.store.mail.case_links import CaseLinkRow
from data.store.mail.cases import CaseRow
from data.store.mail.deliveries import ShownDeliveryRow
from data.store.mail.forwards import ForwardRow
from data.store.mail.messages import LineRow
from data.store.mail.service_targets import TargetRow
from data.store.mail.threads import ThreadRow

ShownT = TypeVar("ShownT", bound=Record)


def pick_fields(model: type[ShownT], row: NamedTuple, **more: object) -> ShownT:
    """Return a record of those columns of a row that it has, and of what else is given."""
    fields = row._asdict()
    return model.model_validate({n: fields[n] for n in model.model_fields if n in fields} | more)


def address(email: str, name: str = "") -> Address:
    """Return an address as a record."""
    return Address(email=email, name=name)


def queue_item(
    row: CaseRow,
    decision: Decision | None = None,
    target: TargetRow | None = None,
    tags: tuple[str, ...] = (),
) -> QueueItem:
    """Return one line of the review queue.

    `decision` says why it waits, `target` by when it should be answered, and `tags` are those of
    its conversation.
    """
    gates = decision.gates if decision else ()
    return QueueItem(
        case_id=row.id,
        state=row.state,
        subject=row.subject,
        contact=address(row.contact_email, row.contact_name),
        preview=row.preview,
        received_at=row.received_at,
        waiting_since=row.drafted_at or row.created_at,
        messages=len(row.message_ids),
        category=row.category,
        priority=row.priority,
        sentiment=row.sentiment,
        language=row.language,
        confidence=row.confidence,
        quality=row.quality,
        verdict=row.verdict,
        outcome=row.outcome,
        would_auto_send=row.would_auto_send,
        has_draft=row.has_draft,
        assignee=row.assignee,
        tier=row.tier,
        part=bool(row.left_out),
        again=row.is_own_letter,
        reason=row.note if row.is_own_letter else decision.reason if decision else "",
        holding=tuple(gate.name for gate in gates if not gate.passed),
        target=pick_fields(ServiceTarget, target) if target else None,
        tags=tags,
    )


def message_line(row: LineRow) -> MessageLine:
    """Return one line of the inbox."""
    return MessageLine(
        id=row.id,
        status=row.status,
        sender=address(row.sender_email, row.sender_name) if row.sender_email else None,
        subject=row.subject,
        preview=row.preview,
        received_at=row.received_at,
        thread_id=row.thread_id,
        case_id=row.case_id,
        verdict=row.verdict,
        automated_kind=row.automated_kind,
        attachments=row.attachments,
        note=row.note,
    )


def thread_line(row: ThreadRow) -> ThreadLine:
    """Return one line of the conversations."""
    return ThreadLine(
        id=row.id,
        subject=row.subject,
        contact=address(row.contact_email, row.contact_name),
        status=row.status,
        messages=row.message_count,
        last_message_at=row.last_message_at,
        assignee=row.assignee,
    )


def case_link(row: CaseLinkRow) -> CaseLink:
    """Return a case, named where it is not open."""
    contact = address(row.contact_email, row.contact_name)
    return pick_fields(CaseLink, row, again=bool(row.again_of), contact=contact)


def delivery_view(row: ShownDeliveryRow, files: Sequence[EnclosedFile]) -> DeliveryView:
    """Return one entry of the outbox."""
    return pick_fields(DeliveryView, row, bcc=tuple(row.bcc or ()), attachments=tuple(files))


def forward_view(row: ForwardRow) -> ForwardView:
    """Return one message on its way to an endpoint."""
    mail_from = Envelope.model_validate_json(row.envelope).mail_from
    return pick_fields(ForwardView, row, mail_from=mail_from)
