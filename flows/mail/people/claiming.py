"""A person says that a stored message is a person's: it becomes a case, and so does what follows.

What of it looked like a machine's means nothing from its sender any more, for this organization:
one row for each marker, shown and taken back as an allowance is. Nothing of the kind ever leaves by
itself, for machines answer machines, and a person may have been mistaken.
"""

from datetime import datetime

from data.records.core.parsed_mail import Automated, AutomatedKind
from data.records.core.principals import Principal
from data.records.mail.stage_outputs import Screened
from data.states import MessageStatus
from data.store.core import audit, journal
from data.store.core.database import Connection
from data.store.mail import decisions, learning, messages
from data.store.mail.moves import move
from flows.core.acting import Act, carry_out
from flows.core.bindings import INTAKE_STAGES
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.guarding import must, note_decision, read_message, refuse_copy
from tasks.mail.automated.detecting import PERSONS, marker


async def claim(house: House, workspace: Workspace, message_id: str, principal: Principal) -> None:
    """Say that a person wrote a stored message.

    Raises:
        NotFoundError: there is no such message.
        ConflictError: it is not stored, or the copy of one that is worked on.

    """
    await carry_out(house, workspace, principal, lambda act: _claim(act, message_id))


def _claim(act: Act, message_id: str) -> None:
    cursor, principal, now = act.cursor, act.principal, act.now
    row = read_message(cursor, message_id)
    must(row.status, MessageStatus.STORED)
    refuse_copy(row)
    screen_output = journal.read_results(cursor, "screen", [message_id]).get(message_id)
    who = Screened.model_validate_json(screen_output).automated if screen_output else Automated()
    allowances_held = _persons(cursor, who, row.sender_email, message_id, principal, now)
    lesson = learning.find_lesson(cursor, message_id)
    decisions.note(
        cursor, row, "person", principal.name, now, lesson=lesson, allowances=allowances_held
    )
    fields = {"released_by": principal.name, "due_at": now, "mode": "agent"}
    messages.change(cursor, [{"id": message_id} | fields])
    journal.supersede_steps(cursor, [message_id], INTAKE_STAGES[1:])
    move(cursor, [message_id], MessageStatus.SCREENING, actor=principal.name, now=now)
    note_decision(act, "claim", message_id, "; ".join(who.reasons)[:300])


def _persons(
    cursor: Connection,
    who: Automated,
    sender: str,
    message_id: str,
    principal: Principal,
    now: datetime,
) -> list[str]:
    """Keep that the markers of a message mean nothing from its sender; return the rows' ids.

    What proves that we wrote a message ourselves is never kept, nor anything of a sender unknown.
    """
    if not sender or who.kind is AutomatedKind.OWN:
        return []
    allowances_held = []
    for name in dict.fromkeys(f"{PERSONS}{marker(reason)}" for reason in who.reasons):
        before = decisions.find_allowance(cursor, name, sender)
        if before is None:
            identity = decisions.allow(cursor, name, sender, message_id, principal.name, now)
            audit.append(
                cursor, actor=principal.name, action="allow", subject=f"allowance:{identity}",
                detail=f"{name} {sender}", now=now,
            )  # fmt: skip
            allowances_held.append(identity)
        elif before.message_id is not None:
            allowances_held.append(before.id)
    return allowances_held
