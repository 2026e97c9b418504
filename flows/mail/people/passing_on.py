"""Passing a case's messages on to a colleague: a person says to whom, and sees what leaves.

It goes through the outbox as a reply does: rendered and signed once, kept, at most one effect. The
case stays before its person, because whoever wrote has no answer by it.
"""

from data.errors import ConflictError, NotFoundError
from data.ids import new_id
from data.records.core.envelope import Envelope
from data.records.core.principals import Principal
from data.records.core.screening import Verdict
from data.records.mail.approval_kinds import PASS_ON
from data.records.mail.delivery import Outgoing
from data.records.mail.passing_on import ForwardDraft, ForwardPreview, PassOn, Purpose
from data.states import CaseState, MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases, deliveries, messages
from data.store.mail.cases import CaseRow
from data.store.mail.messages import MessageRow
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import allow, request_for
from flows.mail.leaving.outbox import put_delivery
from flows.mail.leaving.outgoing_check import refuse_leak
from flows.mail.leaving.signing import sign_outgoing
from flows.mail.people.deciding import Deciding, decide, keeping_leaks
from tasks.mail.automated.loop_token import make_token
from tasks.mail.compose.colleagues import explain_barred, list_colleagues
from tasks.mail.compose.composing import preview_reply
from tasks.mail.compose.headers import ComposeError
from tasks.mail.compose.passing_on import Original, build_signed_text, compose_passed_on
from tasks.mail.read import Reading

LARGEST = 20_000_000
"""Bytes that are passed on at once: base64 adds a third, and many servers stop at 25 to 30 MB."""
_OPEN = (CaseState.IN_REVIEW, CaseState.ESCALATED)
_STOPPED = (MessageStatus.QUARANTINED, MessageStatus.REJECTED)


async def preview_passing_on(
    house: House, workspace: Workspace, case_id: str, order: ForwardDraft, principal: Principal
) -> ForwardPreview:
    """Return to whom a case may be passed on, and with `order.to` what would leave.

    Raises:
        NotFoundError: there is no such case.

    """

    def look(cursor: Connection) -> ForwardPreview:
        people = list_colleagues(workspace.organization, workspace.policy)
        shown = ForwardPreview(recipients=people)
        try:
            row, originals = _collect_originals(cursor, house, workspace, case_id, order.to)
            if not order.to:
                return shown
            _refuse_second_passing(cursor, workspace, row, order.to)
            rendered = _render_outgoing(house, workspace, originals, order, principal)
        except ConflictError as error:
            return shown.model_copy(update={"barred": str(error)})
        files = "".join(
            f"\n[attached as it arrived: {len(original.raw):,} bytes]" for original in originals
        )
        return shown.model_copy(
            update={
                "text": preview_reply(rendered) + files,
                "approval_hash": build_signed_text(rendered, originals),
            }
        )

    return await workspace.db.read(look)


async def pass_on_case(
    house: House, workspace: Workspace, case_id: str, order: PassOn, principal: Principal
) -> str:
    """Pass a case's messages on as they were shown; return the delivery's id.

    Raises:
        ConflictError: the case or what would leave is no longer what was shown, or it may not go
            there: not a colleague, the sender, ourselves, a list, quarantined, passed on before.

    """
    async with keeping_leaks(house, workspace, case_id, principal):
        outgoing = await workspace.db.read(
            _prepare_outgoing, house, workspace, case_id, order, principal
        )
    await workspace.keep_bytes([outgoing.raw], house.clock())

    def act(deciding: Deciding) -> str:
        _refuse_second_passing(deciding.cursor, workspace, deciding.case, order.to)
        asked = request_for(case_id, outgoing, order.approval_hash)
        approval = allow(deciding.cursor, workspace, PASS_ON, asked, principal, deciding.now)
        deciding.detail = (
            f"approval {approval.id}, to {outgoing.rcpt_to[0]}, sha256 {outgoing.sha256}"
        )
        return put_delivery(
            deciding.cursor,
            deciding.case,
            outgoing,
            approval,
            purpose=Purpose.FORWARD,
            undo_seconds=workspace.policy.undo_seconds,
            now=deciding.now,
        )

    return await decide(
        house,
        workspace,
        case_id,
        order.version,
        principal,
        "pass-on",
        act,
        states=_OPEN,
    )


def _prepare_outgoing(
    cursor: Connection,
    house: House,
    workspace: Workspace,
    case_id: str,
    order: PassOn,
    principal: Principal,
) -> Outgoing:
    """Render and sign what was approved to be passed on; nothing is written."""
    case = cases.read_version(cursor, case_id, order.version)
    _, originals = _collect_originals(cursor, house, workspace, case_id, order.to)
    _refuse_second_passing(cursor, workspace, case, order.to)
    outgoing = _render_outgoing(house, workspace, originals, order, principal)
    if build_signed_text(outgoing, originals) != order.approval_hash:
        raise ConflictError(
            "what would leave is not what you were shown; look at the preview again"
        )
    refuse_leak(workspace, outgoing.raw, len(outgoing.enclosed))
    return sign_outgoing(house.settings, workspace.organization, outgoing)


def _collect_originals(
    cursor: Connection, house: House, workspace: Workspace, case_id: str, to: str
) -> tuple[CaseRow, list[Original]]:
    """Return a case with its messages; refuses what must not be passed on, or not there."""
    row = cases.read_row(cursor, case_id)
    if row.state not in _OPEN:
        raise ConflictError(f"this case is {row.state!r} now; there is nothing to decide")
    if row.is_new_mail:
        raise ConflictError("this is a letter of ours; it holds no mail to pass on")
    if to:
        _refuse_recipient(house, workspace, to)
    message_by_id = messages.read_messages(cursor, row.message_ids)
    readings = journal.read_results(cursor, "parse", row.message_ids)
    originals: list[Original] = []
    for item in row.message_ids:
        message = message_by_id[item]
        stopped = message.verdict == Verdict.QUARANTINE and not message.released_by
        if message.status in _STOPPED or stopped or item not in readings:
            raise ConflictError("a message of this case is in the quarantine; it goes to nobody")
        mail = Reading.model_validate_json(readings[item]).mail
        if to:
            envelope = Envelope.model_validate_json(message.envelope)
            secret = workspace.keys.loop_secret
            if why := explain_barred(to, mail, envelope, workspace.organization, secret):
                raise ConflictError(why)
        clean = message.verdict == Verdict.CLEAN and not message.released_by
        originals.append(Original(mail=mail, raw=_read_raw(workspace, message), flagged=not clean))
    if sum(len(original.raw) for original in originals) > LARGEST:
        raise ConflictError(
            f"its messages are larger than {LARGEST:,} bytes; save them, and send them by hand"
        )
    return row, originals


def _read_raw(workspace: Workspace, message: MessageRow) -> bytes:
    try:
        return workspace.archive.read(message.raw_sha256)
    except NotFoundError as error:
        raise ConflictError(f"it cannot be passed on: {error}") from error


def _refuse_recipient(house: House, workspace: Workspace, to: str) -> None:
    people = list_colleagues(workspace.organization, workspace.policy)
    if to.lower() not in {person.email.lower() for person in people}:
        people_text = ", ".join(person.email for person in people) or "nobody yet"
        raise ConflictError(
            f"{to!r} is not of this organization; it may go to: {people_text}. Others are added "
            "to its people, or to `forwards` of its policy"
        )
    route = house.routes.match(to)
    if route is not None:
        raise ConflictError(f"mail to {to!r} comes back here; choose somebody's own address")


def _refuse_second_passing(cursor: Connection, workspace: Workspace, row: CaseRow, to: str) -> None:
    for delivery in deliveries.list_passed_on(cursor, [row.id]):
        if delivery.to.lower() == to.lower() and delivery.state != "failed":
            at = workspace.organization.by_its_clock(delivery.created_at)
            raise ConflictError(
                f"{delivery.approved_by} has passed this on to {to!r} at "
                f"{at:%Y-%m-%d %H:%M}; it goes there once"
            )


def _render_outgoing(
    house: House,
    workspace: Workspace,
    originals: list[Original],
    order: ForwardDraft,
    principal: Principal,
) -> Outgoing:
    at = house.clock()
    message_id = f"<{new_id(at)}@{house.settings.smtp_hostname}>"
    try:
        return compose_passed_on(
            to=order.to,
            note=order.note,
            by=principal.name,
            originals=originals,
            organization=workspace.organization,
            message_id=message_id,
            date=at,
            loop_token=make_token(message_id, workspace.keys.loop_secret),
        )
    except ComposeError as error:  # a control letter in the note, an address beyond ASCII
        raise ConflictError(str(error)) from error
