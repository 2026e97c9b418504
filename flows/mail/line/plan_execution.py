"""Carrying plans out: tickets, tags and questions to owners, in the transaction of the plan.

Doing it again changes nothing: a ticket is known by its conversation and the words of its wish, a
tag by its name, a question by its conversation and words.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from data.ids import branch_id, new_id
from data.records.core.organization import Policy
from data.records.core.understanding import Intent
from data.records.mail.planning import Action, ActionType, Plan
from data.records.mail.tickets import NoteKind, TicketState
from data.store.core.database import Connection
from data.store.mail import cases, tags, tickets
from data.store.mail.cases import CaseRow
from data.store.mail.tickets import TicketRow
from flows.core.batch import Batch
from flows.mail.line.owner_questions import ask_owners
from flows.mail.line.tracker_notes import tell_tracker
from tasks.core.words.sentences import words
from tasks.mail.plan.slots import describe_slots

ACTOR = "plan"
_TITLE = 160

PlansByCase = Mapping[str, Sequence[Plan]]
Rows = Mapping[str, CaseRow]


def carry_out_plans(cursor: Connection, batch: Batch, plans: PlansByCase, now: datetime) -> None:
    """Do what the plans of these cases say and nobody has to approve."""
    case_by_id = cases.read_cases(cursor, list(plans))
    _open_or_link_tickets(cursor, batch.workspace.policy, case_by_id, plans, now)
    tags.add(cursor, _list_tags(case_by_id, plans), ACTOR, now)
    ask_owners(cursor, batch.house.settings, case_by_id, plans, now)


def _list_tags(rows: Rows, plans: PlansByCase) -> list[tuple[str, str]]:
    return [
        (rows[case].thread_id, action.argument)
        for case, case_plans in plans.items()
        for plan in case_plans
        for action in plan.actions
        if action.type is ActionType.TAG_THREAD and action.argument
    ]


def _open_or_link_tickets(
    cursor: Connection, policy: Policy, rows: Rows, plans: PlansByCase, now: datetime
) -> None:
    """Open a ticket for every wish that has none, in one go; the others learn of the new case."""
    noted_tickets = [
        (case, branch_id(case, position), _add_slots_to_reason(plan, action))
        for case, case_plans in plans.items()
        for position, plan in enumerate(case_plans)
        for action in plan.actions
        if action.type is ActionType.CREATE_TICKET
    ]
    if not noted_tickets:
        return
    branches = cases.list_branches(cursor, sorted({case for case, _, _ in noted_tickets}))
    wishes = {row.id: Intent.model_validate_json(row.intent) for row in branches}
    tickets_known = tickets.list_of_conversations(
        cursor, {rows[case].thread_id for case, _, _ in noted_tickets}
    )
    number, fresh = tickets.read_next_number(cursor), dict[str, tuple[TicketRow, Action]]()
    claimed: set[tuple[str, str]] = set()
    for case, branch, action in noted_tickets:
        row, wish = rows[case], wishes[branch]
        sender_tickets = tickets_known.setdefault((row.thread_id, row.contact_email), [])
        other_wishes = [wishes[b.id].text for b in branches if b.case_id == case and b.id != branch]
        free = [ticket for ticket in sender_tickets if (case, ticket.id) not in claimed]
        same = _find_same_ticket(free, case, branch, wish.text, other_wishes)
        if same is None:
            ticket = _build_ticket(row, branch, wish, action, number + len(fresh), now)
            fresh[ticket.id] = (ticket, action)
            sender_tickets.insert(0, ticket)
            claimed.add((case, ticket.id))
            continue
        claimed.add((case, same.id))
        now_here = same._replace(case_id=case, branch_id=branch, text=wish.text)
        sender_tickets[sender_tickets.index(same)] = now_here
        if same.id in fresh:
            fresh[same.id] = (now_here, fresh[same.id][1])
        else:
            tickets.link_case(cursor, same.id, case, branch, wish.text)
    tickets.add(cursor, [ticket._asdict() for ticket, _ in fresh.values()])
    noted = [(new_id(now), identity, action.reason) for identity, (_, action) in fresh.items()]
    tickets.note_opened(cursor, noted, ACTOR, now)
    for identity, (_, action) in fresh.items():
        tell_tracker(cursor, policy, identity, NoteKind.OPENED, ACTOR, action.reason, now)


def _add_slots_to_reason(plan: Plan, action: Action) -> Action:
    """Return the action with what the wish states, for the ticket's first note."""
    reason = " ".join(filter(None, (action.reason, describe_slots(plan.slots))))
    return action.model_copy(update={"reason": reason})


def _build_ticket(
    row: CaseRow, branch: str, wish: Intent, action: Action, number: int, now: datetime
) -> TicketRow:
    return TicketRow(
        id=new_id(now),
        number=number,
        state=TicketState.OPEN,
        title=f"{action.argument or 'Wish'}: {row.subject}"[:_TITLE],
        text=wish.text,
        category=str(wish.category),
        case_id=row.id,
        branch_id=branch,
        thread_id=row.thread_id,
        contact_email=row.contact_email,
        duplicate_of=action.related,
        reason="",
        created_at=now,
        changed_at=now,
        closed_at=None,
    )


def _find_same_ticket(
    known_tickets: Sequence[TicketRow], case: str, branch: str, text: str, others: Sequence[str]
) -> TicketRow | None:
    """Return the ticket that a wish has already, planned again or come along into a newer case.

    It is the one with its words. One in its place with like words is it too, for a wish may be
    worded anew; but not one with the words of `others`, whose places may have changed.
    """
    for ticket in known_tickets:
        counts = ticket.case_id == case or ticket.state == TicketState.OPEN
        if counts and share_wording(ticket.text, text):
            return ticket
    for ticket in known_tickets:
        of_another = any(share_wording(ticket.text, other) for other in others)
        if ticket.branch_id == branch and not of_another and _is_like(ticket.text, text):
            return ticket
    return None


def share_wording(before: str, now: str) -> bool:
    """Return whether one wording is within the other, by whole words: order 12 is not order 123."""
    old, new = (f" {' '.join(words(wording))} " for wording in (before, now))
    return bool(old.strip()) and bool(new.strip()) and (old in new or new in old)


def _is_like(before: str, now: str) -> bool:
    """Return whether the shorter wording has at least half of its words in the other."""
    old, new = (set(words(wording.lower())) for wording in (before, now))
    return len(old & new) * 2 >= min(len(old), len(new)) > 0
