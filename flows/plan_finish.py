"""What follows for plans from what the organization has: rules, open tickets, owners, answers.

The same for plans of the embedded provider and of a model, after both: nothing here is a model's
word, and nothing here lets a plan do more than it could.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from data.records.briefing import Briefing
from data.records.planning import ActionType, Plan
from data.records.rules import Matcher
from data.records.screening import Verdict
from data.records.understanding import Classification, Intent
from data.store import questions, rules, tickets
from data.store.database import Connection
from flows.evidence import Evidence
from flows.stage import Batch
from flows.stages.case_stage import CaseText
from tasks.duplicates import find_duplicates
from tasks.owner_question import owner_of, unanswered, with_question, without_questions
from tasks.parts import words_of
from tasks.rules_match import Seen, apply_rules
from tasks.slots import with_slots

MOST_TICKETS = 500
"""Open tickets that a new one is compared with, the newest."""


@dataclass(frozen=True)
class Known:
    """What the organization has."""

    rules: Sequence[tuple[str, Matcher]]
    tickets: Sequence[dict[str, Any]]
    asked: Mapping[str, frozenset[str]]
    """By case: the questions of its conversation that are over; none is asked twice."""


@dataclass(frozen=True, kw_only=True)
class Matter:
    """One case, as far as finishing its plans goes."""

    row: Mapping[str, Any]
    text: CaseText
    evidence: Evidence
    briefing: Briefing
    asked: frozenset[str]


async def gather_known(batch: Batch, found: Mapping[str, Mapping[str, Any]]) -> Known:
    """Return what the organization has for these cases."""
    return await batch.workspace.db.read(_known, found)


def _known(cursor: Connection, found: Mapping[str, Mapping[str, Any]]) -> Known:
    threads = sorted({row["thread_id"] for row in found.values()})
    over = [one for one in questions.of_threads(cursor, threads) if one["state"] != "open"]
    return Known(
        rules=rules.counting(cursor),
        tickets=tickets.open_ones(cursor, MOST_TICKETS),
        asked={
            case: frozenset(
                one["question"]
                for one in over
                if one["thread_id"] == row["thread_id"]
                and one["contact_email"] == row["contact_email"]
            )
            for case, row in found.items()
        },
    )


def finish(
    batch: Batch, known: Known, matter: Matter, seen: Classification, plans: Sequence[Plan]
) -> tuple[Plan, ...]:
    """Return the plans of one case as they are shown and carried out."""
    asking = _may_ask(matter)
    finished: list[Plan] = []
    spoken = words_of(matter.text.text, seen.intents)
    for intent, plan, text in zip(seen.intents, plans, spoken, strict=True):
        plan = apply_rules(without_questions(plan), known.rules, _seen(matter, seen, intent, text))
        plan = _with_duplicates(plan, matter, intent, known.tickets)
        if asking and (asked := _asked(batch, matter, seen, intent, plan)) is not None:
            plan, asking = asked, False
        finished.append(with_slots(plan, text))
    return tuple(finished)


def _may_ask(matter: Matter) -> bool:
    """Whether a case may ask: only clean mail of people does, a hostile one gains nothing."""
    clean = matter.evidence.screening.verdict is Verdict.CLEAN
    return clean and not matter.evidence.automated.automated


def _asked(
    batch: Batch, matter: Matter, seen: Classification, intent: Intent, plan: Plan
) -> Plan | None:
    """Return the plan with one question to the owner; None when there is none to ask."""
    workspace = batch.workspace
    owner = owner_of(workspace.policy, intent.category)
    if not owner:
        return None
    asked = unanswered(plan, intent, matter.briefing, seen.language, workspace.organization)
    fresh = next((question for question in asked if question not in matter.asked), "")
    if not fresh:
        return None
    until = batch.now() + timedelta(hours=batch.house.settings.owner_answer_hours)
    return with_question(plan, fresh, owner, until)


def _seen(matter: Matter, seen: Classification, intent: Intent, text: str) -> Seen:
    """Return what rules look at: of several branches each with its own words."""
    return Seen(
        sender=matter.row["contact_email"],
        text=f"{matter.text.subject}\n{text}",
        language=seen.language,
        category=intent.category,
        intent=intent.intent,
        priority=seen.priority,
        attachments=matter.evidence.attachments,
    )


def _with_duplicates(
    plan: Plan, matter: Matter, intent: Intent, known: Sequence[dict[str, Any]]
) -> Plan:
    """Return a plan whose tickets name the open ticket that they may repeat."""
    if not any(action.type is ActionType.CREATE_TICKET for action in plan.actions):
        return plan
    others = [one for one in known if one["thread_id"] != matter.row["thread_id"]]
    texts = [(one["id"], f"{one['title']}. {one['text']}") for one in others]
    alike = find_duplicates(intent.text, texts)
    if not alike:
        return plan
    number = next(one["number"] for one in known if one["id"] == alike[0].id)
    why = f"Perhaps the same as ticket {number}."
    return plan.model_copy(
        update={
            "actions": tuple(
                action.model_copy(update={"related": alike[0].id, "reason": why})
                if action.type is ActionType.CREATE_TICKET
                else action
                for action in plan.actions
            )
        }
    )
