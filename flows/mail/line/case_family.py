"""Cases that answer parts of the same messages: a family, named after its first case.

Each is decided by itself. The messages belong to one of them at a time: to the one that a person
still has to look at, so that a message with an open part never looks finished.
"""

from collections.abc import Sequence
from datetime import datetime

from data.states import CaseState, MessageStatus
from data.store.core.database import Connection
from data.store.mail import cases, messages
from data.store.mail.cases import CaseRow
from data.store.mail.moves import move

_FOLLOWS = {
    CaseState.IN_REVIEW: (MessageStatus.DRAFT_READY,),
    CaseState.ESCALATED: (MessageStatus.DRAFT_READY, MessageStatus.ESCALATED),
    CaseState.APPROVED: (MessageStatus.DRAFT_READY, MessageStatus.APPROVED),
    CaseState.SENT: (MessageStatus.DRAFT_READY, MessageStatus.APPROVED, MessageStatus.SENT),
}
"""The way that messages take to where a case of the family is, as far as the edges let them."""
_WAITING = (CaseState.IN_REVIEW, CaseState.ESCALATED, CaseState.RUNNING, CaseState.APPROVED)
"""States that are no end, those first in which a person has to look."""


def root_of(row: CaseRow) -> str:
    """Return the first case of a case's family; itself when it has none."""
    return str(row.part_of or row.id)


def find_heir(before: Sequence[CaseRow]) -> str | None:
    """Return the family of a case that takes these over and leaves something out, as they did."""
    return next((root_of(row) for row in before if row.left_out), None)


def list_others(cursor: Connection, row: CaseRow) -> list[CaseRow]:
    """Return the other cases of a case's family, oldest first, without superseded ones."""
    if not row.left_out:
        return []
    return [
        other
        for other in cases.list_family(cursor, root_of(row))
        if other.id != row.id and other.state != CaseState.SUPERSEDED
    ]


def hand_messages_on(cursor: Connection, row: CaseRow, actor: str, now: datetime) -> None:
    """Let the messages of a case that ends follow what of its family has not, or has sent.

    Asked before the messages themselves are moved to that end.
    """
    others = list_others(cursor, row)
    open_ones = [other for state in _WAITING for other in others if other.state == state]
    heir = next(iter(open_ones), None)
    if heir is None and row.state != CaseState.SENT:
        heir = next((other for other in others if other.state == CaseState.SENT), None)
    if heir is not None:
        give_messages(cursor, row, heir, actor, now)


def hand_messages_back(cursor: Connection, row: CaseRow, actor: str, now: datetime) -> None:
    """Let the messages of a case that is approved follow one that a person has to look at."""
    before = (CaseState.IN_REVIEW, CaseState.ESCALATED, CaseState.RUNNING)
    waiting = [other for other in list_others(cursor, row) if other.state in before]
    if waiting:
        give_messages(cursor, row, waiting[0], actor, now)


def give_messages(
    cursor: Connection, row: CaseRow, heir: CaseRow, actor: str, now: datetime
) -> None:
    """Give the messages that belong to a case to another one of its family."""
    ids, shared = row.message_ids, set(heir.message_ids)
    for status in _FOLLOWS.get(CaseState(heir.state), ()):
        move(cursor, ids, status, actor=actor, now=now, of=[row.id])
    own_messages = cases.list_messages(cursor, row.id)
    messages.change(cursor, [{"id": i, "case_id": heir.id} for i in own_messages if i in shared])
