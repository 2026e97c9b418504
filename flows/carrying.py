"""Carrying plans out: tickets, tags and questions to owners, in the transaction of the plan.

Doing it again changes nothing: a ticket is known by its branch, or by its conversation and wish, a
tag by its name, a question by its conversation and words.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.ids import new_id
from data.records.organization import Policy
from data.records.planning import Action, ActionType, Plan
from data.records.tickets import NoteKind, TicketState
from data.records.understanding import Intent
from data.store import cases, tags, tickets
from data.store.database import Connection
from flows.owner_questions import ask_owners
from flows.stage import Batch
from flows.ticket_news import tell_tracker

ACTOR = "plan"
_TITLE = 160

Plans = Mapping[str, Sequence[Plan]]
Rows = Mapping[str, Mapping[str, Any]]


def carry_out(cursor: Connection, batch: Batch, plans: Plans, now: datetime) -> None:
    """Do what the plans of these cases say and nobody has to approve."""
    found = cases.many(cursor, list(plans))
    wishes = {
        row["id"]: Intent.model_validate_json(row["intent"])
        for row in cases.branches(cursor, list(plans))
    }
    policy = batch.workspace.policy
    for case, made in plans.items():
        for position, plan in enumerate(made):
            branch = f"{case}-{position}"
            for action in plan.actions:
                if action.type is ActionType.CREATE_TICKET:
                    _ticket(cursor, policy, found[case], branch, wishes[branch], action, now)
    tags.add(cursor, _tags(found, plans), ACTOR, now)
    ask_owners(cursor, batch.house.settings, found, plans, now)


def _tags(found: Rows, plans: Plans) -> list[tuple[str, str]]:
    return [
        (found[case]["thread_id"], action.argument)
        for case, made in plans.items()
        for plan in made
        for action in plan.actions
        if action.type is ActionType.TAG_THREAD and action.argument
    ]


def _ticket(
    cursor: Connection,
    policy: Policy,
    row: Mapping[str, Any],
    branch: str,
    wish: Intent,
    action: Action,
    now: datetime,
) -> None:
    known = tickets.of_conversation(cursor, row["thread_id"], row["contact_email"])
    same = next((one for one in known if _is_same(one, row["id"], branch, wish.text)), None)
    if same is not None:
        tickets.link(cursor, same["id"], row["id"], branch, wish.text)
        return
    identity = new_id(now)
    title = f"{action.argument or 'Wish'}: {row['subject']}"[:_TITLE]
    tickets.add(
        cursor,
        {
            "id": identity,
            "number": tickets.next_number(cursor),
            "state": TicketState.OPEN,
            "title": title,
            "text": wish.text,
            "category": str(wish.category),
            "case_id": row["id"],
            "branch_id": branch,
            "thread_id": row["thread_id"],
            "contact_email": row["contact_email"],
            "duplicate_of": action.related,
            "created_at": now,
            "changed_at": now,
        },
    )
    tickets.note(cursor, new_id(now), identity, NoteKind.OPENED, ACTOR, action.reason, now)
    tell_tracker(cursor, policy, identity, NoteKind.OPENED, ACTOR, action.reason, now)


def _is_same(ticket: Mapping[str, Any], case: str, branch: str, text: str) -> bool:
    """Return whether a ticket is about a wish: planned again, or come along into a newer case."""
    if ticket["branch_id"] == branch:
        return True
    before, now = (" ".join(one.lower().split()) for one in (ticket["text"], text))
    alive = ticket["state"] == TicketState.OPEN and ticket["case_id"] != case
    return alive and bool(before) and (before in now or now in before)
