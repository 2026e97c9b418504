"""One message, with everything that was decided about it."""

from collections.abc import Mapping, Sequence

from data.records.core.screening import Authentication
from data.records.mail.stage_outputs import Screened
from data.records.mail.views import MessageView, Standing
from data.states import MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.journal import Step
from data.store.mail import decisions, pages
from data.store.mail.pages import PageMessageRow
from flows.api.mail.lines import address
from flows.mail.line.answered_letters import cut_repeated_letter, list_sent_letters
from flows.mail.people.undoing import LET_IN
from flows.mail.stages.thread import Threaded
from tasks.core.segment.repeated import may_repeat
from tasks.mail.read import Reading


def message_views(cursor: Connection, ids: list[str]) -> list[MessageView]:
    """Return the views of these messages, in the order asked.

    Raises:
        NotFoundError: one of them does not exist.

    """
    return views_of(cursor, pages.list_messages(cursor, ids), pages.list_steps(cursor, ids), ids)


def whole_message(cursor: Connection, message_id: str) -> MessageView:
    """Return the view of one message, with its HTML part.

    Raises:
        NotFoundError: there is none of that id.

    """
    (view,) = message_views(cursor, [message_id])
    parse_results = journal.read_results(cursor, "parse", [message_id])
    if message_id not in parse_results:
        return view
    mail = Reading.model_validate_json(parse_results[message_id]).mail
    return view.model_copy(update={"html_body": mail.html})


def views_of(
    cursor: Connection,
    row_by_id: Mapping[str, PageMessageRow],
    steps: Sequence[Step],
    ids: Sequence[str],
) -> list[MessageView]:
    """Return the views of messages whose rows and steps were read already."""
    parsed, screened, authenticated, threaded = (
        pages.pick_results(steps, stage) for stage in ("parse", "screen", "authenticate", "thread")
    )
    readings = _readings(cursor, row_by_id, parsed)
    flags = decisions.read_flags(cursor, ids)
    lessons = pages.list_lessons(cursor, ids)
    decided = standing_by_message(cursor, ids)
    return [
        _view(
            row_by_id[item], readings.get(item), screened.get(item), authenticated.get(item)
        ).model_copy(
            update={
                "security_flags": flags.get(item),
                "taught": lessons.get(item),
                "released": next(
                    (decision for decision in decided[item] if decision.action in LET_IN), None
                ),
                "decision": next(iter(decided[item]), None),
                "thread_reason": reason_of(threaded.get(item)),
            }
        )
        for item in ids
    ]


def _readings(
    cursor: Connection, row_by_id: Mapping[str, PageMessageRow], parsed: Mapping[str, str]
) -> dict[str, Reading]:
    """Return the readings of messages; a letter of ours that one repeats at its end is quoted."""
    readings = {item: Reading.model_validate_json(packed) for item, packed in parsed.items()}
    thread_by_item = {
        item: thread_id
        for item, reading in readings.items()
        if (thread_id := row_by_id[item].thread_id) and may_repeat(reading.mail, reading.segments)
    }
    if thread_by_item:
        sent = list_sent_letters(cursor, sorted(set(thread_by_item.values())))
        for item, thread_id in thread_by_item.items():
            readings[item] = cut_repeated_letter(readings[item], sent[thread_id])
    return readings


def standing_by_message(cursor: Connection, ids: Sequence[str]) -> dict[str, list[Standing]]:
    """Return for each message the decisions on it that nobody has taken back, newest first."""
    by_message: dict[str, list[Standing]] = {item: [] for item in ids}
    for row in decisions.list_standing(cursor, ids):
        by_message[row.message_id].append(
            Standing(
                action=row.action,
                stopped=row.status == MessageStatus.QUARANTINED,
                by=row.decided_by,
                at=row.decided_at,
            )
        )
    return by_message


def reason_of(threaded: str | None) -> str:
    """Return why a message is in its conversation, from what the stage journalled."""
    if threaded is None:
        return ""
    placed = Threaded.model_validate_json(threaded)
    changed = placed.place is not None and placed.place.subject_changed
    return f"{placed.reason}, under another subject" if changed else placed.reason


def _view(
    row: PageMessageRow,
    reading: Reading | None,
    screened: str | None,
    authenticated: str | None,
) -> MessageView:
    screen = Screened.model_validate_json(screened) if screened else None
    mail = reading.mail if reading else None
    sender = address(row.sender_email, row.sender_name) if row.sender_email else None
    return MessageView(
        id=row.id,
        status=row.status,
        sender=sender,
        to=mail.to if mail else (),
        cc=mail.cc if mail else (),
        reply_to=mail.reply_to if mail else (),
        subject=row.subject,
        date=mail.date if mail else None,
        received_at=row.received_at,
        channel=row.channel,
        mail_from=row.mail_from,
        rcpt_to=tuple(row.rcpt_to),
        message_id=row.message_id,
        text=mail.text if mail else "",
        segments=reading.segments if reading else None,
        attachments=mail.attachments if mail else (),
        hidden=mail.hidden if mail else (),
        hidden_at=tuple(hidden.at for hidden in mail.hidden) if mail else (),
        links=mail.links if mail else (),
        carried=mail.carried if mail else (),
        defects=mail.defects if mail else (),
        automated=screen.automated if screen else None,
        screening=screen.screening if screen else None,
        authentication=(
            Authentication.model_validate_json(authenticated) if authenticated else None
        ),
        thread_id=row.thread_id,
        same_id_as=row.same_id_as,
        case_id=row.case_id,
        note=row.note,
    )
