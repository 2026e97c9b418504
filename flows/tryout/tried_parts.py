"""A message with several wishes on its way through `postern try`: each part, and the whole.

What is made of a part is what the stages of the line make of it (docs/pipeline.md#parts).
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from data.records.core.briefing import Briefing
from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import Examined, Written
from flows.tryout.world import TriedMail
from tasks.mail.ground import Ground

if TYPE_CHECKING:
    from data.linear import LinearModel


def understand_trial(trial: TriedMail, taught: "LinearModel | None") -> Classification:
    """Return what a message is about, and each of several parts by itself."""
    from tasks.mail.classify.classify_cases import classify_cases, each_alone, with_parts
    from tasks.mail.classify.incoming import incoming

    case = incoming(
        trial.wrote,
        trial.sender.email,
        [trial.authentication],
        Briefing(),  # nothing was said before: neither thread nor history is looked at
        trial.world.organization,
    )
    (whole,) = classify_cases(taught, [case])
    return with_parts(whole, classify_cases(taught, each_alone(case, whole)))


def brief_trial(trial: TriedMail) -> Briefing:
    """Return what the organization knows that is relevant to a message."""
    from tasks.mail.context.brief_case import ContextLimits, brief_case
    from tasks.mail.context.queries import merge_results, queries_of

    world, wrote = trial.world, trial.wrote
    limits = ContextLimits(
        tokens=world.context_tokens,
        recent_messages=world.context_recent_messages,
        knowledge_entries=world.context_knowledge_entries,
    )
    knowledge = merge_results(
        [trial.find(query) for query in queries_of(wrote.subject, wrote.text)],
        limits.knowledge_entries,
    )
    return brief_case(ground_of(trial), limits, wrote, knowledge)


def plans_of(trial: TriedMail) -> tuple[Plan, ...]:
    """Return the plan of each part, as the line makes it where no rule and no ticket is there."""
    from tasks.mail.plan.addressed import whole_left_to
    from tasks.mail.plan.plan_cases import PlanGround, ToPlan, plan_cases

    world, wrote, evidence = trial.world, trial.wrote, trial.evidence
    ground = PlanGround(
        **vars(ground_of(trial)),
        rules=(),
        tickets=(),
        until=world.now + timedelta(hours=world.owner_answer_hours),
    )
    case = ToPlan(
        email=trial.sender.email,
        thread_id="",
        subject=wrote.subject,
        text=wrote.text,
        automated=evidence.automated,
        verdict=evidence.screening.verdict,
        attachments=evidence.attachments,
        first_contact=trial.briefing.is_first_contact,
        briefing=trial.briefing,
        asked=frozenset(),
        said=trial.classification,
        left_to=whole_left_to([trial.mail], wrote.text, world.organization),
        sealed=evidence.sealed,
    )
    (planned,) = plan_cases(ground, [case])
    return planned.plans


def ground_of(trial: TriedMail) -> Ground:
    """Return what everything that is said for the organization rests on."""
    world = trial.world
    return Ground(
        organization=world.organization, policy=world.policy, saved_replies=world.saved_replies
    )


def write_reply(trial: TriedMail) -> Written:
    """Return one reply, and what it says to each part."""
    from tasks.mail.draft.draft_cases import ToDraft, draft_cases, whole_reply

    understanding, wrote = trial.classification, trial.wrote
    case = ToDraft(
        text=wrote.text,
        subject=wrote.subject,
        sender=trial.sender,
        said=understanding,
        language=understanding.language,
        plans=trial.plans,
        briefing=trial.briefing,
    )
    ground = ground_of(trial)
    (parts_written,) = draft_cases(ground, [case])
    return whole_reply(ground, case, parts_written)


def examine_trial(trial: TriedMail) -> Examined:
    """Return what the check says of the reply, and of each part."""
    from tasks.mail.check.check_drafts import ToCheck, basis_of, check_drafts

    basis = basis_of(trial.wrote, trial.sender, trial.classification, trial.briefing, trial.plans)
    (part_checked,) = check_drafts(ground_of(trial), [ToCheck(basis=basis, written=trial.written)])
    return part_checked


def route_trial(trial: TriedMail, decide: "ReplyDecider") -> Decision:
    """Return where the message would go, and where each part would go by itself."""
    from tasks.mail.classify.message_parts import narrow_classification

    understanding, drafted, checked = trial.classification, trial.written, trial.checked
    whole = decide(understanding, trial.plans, drafted.whole, checked.whole)
    parts = tuple(
        decide(
            narrow_classification(understanding, [place]),
            [trial.plans[place]],
            part,
            checked.branches[place],
        )
        for place, part in enumerate(drafted.parts)
    )
    return whole.model_copy(update={"parts": parts})


class ReplyDecider:
    """Decides on a reply to all or some of a message, in the circumstances of a trial."""

    def __init__(self, trial: TriedMail) -> None:
        self._trial = trial
        self._evidence = trial.evidence
        self.recipients = self._evidence.recipients

    def __call__(
        self, classification: Classification, plans: Sequence[Plan], draft: Draft, checked: Checked
    ) -> Decision:
        """Return the decision."""
        from tasks.mail.route.routing import route_case
        from tasks.mail.route.signals import RouteSignals

        trial, evidence, world = self._trial, self._evidence, self._trial.world
        return route_case(
            classification=classification,
            screening=evidence.screening,
            authentication=evidence.authentication,
            automated=evidence.automated,
            briefing=trial.briefing,
            checked=checked,
            draft=draft,
            plans=plans,
            policy=world.policy,
            organization=world.organization,
            signals=RouteSignals(
                now=world.now,
                recipients=evidence.recipients,
                stopped=False,
                transport_ready=True,
                bare_eol=evidence.bare_eol,
                defects=evidence.defects,
                attachments=evidence.attachments,
            ),
        )
