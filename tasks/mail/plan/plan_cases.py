"""Planning a batch of cases by rules, and what follows from what the organization has.

What follows is rules of people, open tickets, owners to ask, and what the wish states. It is the
same for plans of the embedded provider and of a model, after both: nothing here is a model's word,
and nothing here lets a plan do more than it could.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from data.records.core.briefing import Briefing
from data.records.core.parsed_mail import Automated
from data.records.core.screening import Verdict
from data.records.core.understanding import Classification, Intent
from data.records.mail.planning import ActionType, Plan
from data.records.mail.rules import Matcher
from data.records.mail.tickets import OpenTicket
from tasks.mail.classify.message_parts import narrow_classification, words_of
from tasks.mail.ground import Ground
from tasks.mail.plan.addressed import without_answer
from tasks.mail.plan.duplicates import find_duplicates
from tasks.mail.plan.owner_question import (
    list_unanswered,
    owner_of,
    with_question,
    without_questions,
)
from tasks.mail.plan.passing_on import with_forward
from tasks.mail.plan.planning import plan
from tasks.mail.plan.sealed import handed_over
from tasks.mail.plan.slots import with_slots
from tasks.mail.rules.matching import RuleSubject, apply_rules


@dataclass(frozen=True, kw_only=True)
class PlanGround(Ground):
    """What plans rest on beside what everything does."""

    rules: Sequence[tuple[str, Matcher]]
    tickets: Sequence[OpenTicket]
    """Open ones: id, number, title, text, thread_id."""
    until: datetime
    """Until when a case would wait for an owner's answer."""


@dataclass(frozen=True, kw_only=True)
class ToPlan:
    """One case, as far as its plans go."""

    email: str
    """The contact's address."""
    thread_id: str
    subject: str
    text: str
    automated: Automated
    verdict: Verdict
    """What the screen says of its mail."""
    attachments: int
    first_contact: bool
    briefing: Briefing
    asked: frozenset[str]
    """Questions of its conversation that are over; none is asked twice."""
    said: Classification
    left_to: str = ""
    """Who is to answer, where the mail is written to others and we stand in Cc only."""
    shown: tuple[Plan, ...] | None = None
    """The plans of a model; None where the rules alone plan."""
    sealed: str = ""
    """Why nobody could read all of the mail; such a case is handed over and not answered."""
    judged: tuple[Plan, ...] = ()
    """What the rules plan for what the embedded provider understood, beside a model's plans."""

    @property
    def may_ask(self) -> bool:
        """Whether an owner may be asked: clean mail of people does, a hostile one gains nothing."""
        return self.verdict is Verdict.CLEAN and not self.automated.automated


class Planned(NamedTuple):
    """The plans of one case, as they are shown and carried out."""

    plans: tuple[Plan, ...]
    embedded: tuple[Plan, ...]
    by_itself: tuple[tuple[Plan, ...], ...]
    """What the embedded provider plans for its understanding of each branch's words alone."""


def plan_cases(ground: PlanGround, cases: Sequence[ToPlan]) -> list[Planned]:
    """Plan every branch of each case."""
    return [_planned(ground, case) for case in cases]


def by_rules(ground: Ground, case: ToPlan, classification: Classification) -> tuple[Plan, ...]:
    """Return what the rules plan for each intent of what was understood."""
    return tuple(
        plan(
            intent,
            narrow_classification(classification, [place]),
            case.briefing,
            ground.policy,
            automated=case.automated,
            first_contact=case.first_contact,
        )
        for place, intent in enumerate(classification.intents)
    )


def _planned(ground: PlanGround, case: ToPlan) -> Planned:
    shown = by_rules(ground, case, case.said) if case.shown is None else case.shown
    embedded: tuple[Plan, ...] = ()
    if case.shown is not None:
        embedded = _finish(ground, case, case.said.judged, case.judged)
    return Planned(
        plans=_finish(ground, case, case.said, shown),
        embedded=embedded,
        by_itself=_each(ground, case),
    )


def _each(ground: PlanGround, case: ToPlan) -> tuple[tuple[Plan, ...], ...]:
    understanding = case.said
    if understanding.embedded is None or not understanding.parts:
        return ()
    plans_by_text: list[tuple[Plan, ...]] = []
    for place, words in enumerate(words_of(case.text, understanding.intents)):
        alone, own = narrow_classification(understanding, [place]).judged, replace(case, text=words)
        plans_by_text.append(_finish(ground, own, alone, by_rules(ground, own, alone)))
    return tuple(plans_by_text)


def _finish(
    ground: PlanGround, case: ToPlan, classification: Classification, plans: Sequence[Plan]
) -> tuple[Plan, ...]:
    asking = case.may_ask
    finished: list[Plan] = []
    spoken = words_of(case.text, classification.intents)
    for intent, own_plan, text in zip(classification.intents, plans, spoken, strict=True):
        ruled_plan = apply_rules(
            without_questions(own_plan),
            ground.rules,
            _rule_subject(case, classification, intent, text),
        )
        ruled_plan = with_forward(
            ruled_plan, intent, ground.policy, case.email, ground.organization
        )
        ruled_plan = _with_duplicates(ruled_plan, case, intent, ground.tickets)
        if (
            asking
            and not case.left_to
            and (asked := _asked(ground, case, classification, intent, ruled_plan, text))
            is not None
        ):
            ruled_plan, asking = asked, False
        if case.sealed and not case.automated.automated:
            ruled_plan = handed_over(ruled_plan, case.sealed, ground.policy)
        ruled_plan = without_answer(with_slots(ruled_plan, text), case.left_to)
        sure = min(classification.confidence, intent.confidence)
        finished.append(ruled_plan.model_copy(update={"confidence": sure}))
    return tuple(finished)


def _asked(
    ground: PlanGround,
    case: ToPlan,
    classification: Classification,
    intent: Intent,
    made: Plan,
    text: str,
) -> Plan | None:
    """Return the plan with one question to the owner; None when there is none to ask."""
    owner = owner_of(ground.policy, intent.category)
    if not owner:
        return None
    organization = ground.organization
    asked = list_unanswered(
        made, intent, case.briefing, classification.language, organization, text
    )
    fresh = next((question for question in asked if question not in case.asked), "")
    return with_question(made, fresh, owner, ground.until) if fresh else None


def _rule_subject(
    case: ToPlan, classification: Classification, intent: Intent, text: str
) -> RuleSubject:
    """Return what rules look at: of several branches each with its own words."""
    return RuleSubject(
        sender=case.email,
        text=f"{case.subject}\n{text}",
        language=classification.language,
        category=intent.category,
        intent=intent.intent,
        priority=classification.priority,
        attachments=case.attachments,
    )


def _with_duplicates(
    made: Plan, case: ToPlan, intent: Intent, open_tickets: Sequence[OpenTicket]
) -> Plan:
    """Return a plan whose tickets name the open ticket that they may repeat."""
    if not any(action.type is ActionType.CREATE_TICKET for action in made.actions):
        return made
    others = [
        open_ticket for open_ticket in open_tickets if open_ticket.thread_id != case.thread_id
    ]
    texts = [(other.id, f"{other.title}. {other.text}") for other in others]
    alike = find_duplicates(intent.text, texts)
    if not alike:
        return made
    number = next(
        open_ticket.number for open_ticket in open_tickets if open_ticket.id == alike[0].id
    )
    why = f"Perhaps the same as ticket {number}."
    return made.model_copy(
        update={
            "actions": tuple(
                action.model_copy(update={"related": alike[0].id, "reason": why})
                if action.type is ActionType.CREATE_TICKET
                else action
                for action in made.actions
            )
        }
    )
