"""A message with several wishes on its way through `postern try`: each part, and the whole.

What is made of a part is what the stages of the line make of it (docs/pipeline.md#parts).
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import Examined, Written
from flows.tryout.world import TriedMail
from tasks.mail.ground import Ground

if TYPE_CHECKING:
    from data.linear import LinearModel
    from tasks.mail.classify.classifying import Incoming


def understood(incoming: "Incoming", taught: "LinearModel | None") -> Classification:
    """Return what a message is about, and each of several parts by itself."""
    from tasks.mail.classify.classify_cases import classify_cases, each_alone, with_parts

    (whole,) = classify_cases(taught, [incoming])
    return with_parts(whole, classify_cases(taught, each_alone(incoming, whole)))


def plans_of(trial: TriedMail) -> tuple[Plan, ...]:
    """Return the plan of each part, as the line makes it where no rule and no ticket is there."""
    from data.records.mail.screening import Verdict
    from tasks.mail.plan.addressed import left_to
    from tasks.mail.plan.plan_cases import PlanGround, ToPlan, plan_cases

    world = trial.world
    ground = PlanGround(
        **vars(ground_of(trial)),
        rules=(),
        tickets=(),
        until=world.now + timedelta(hours=world.owner_answer_hours),
    )
    is_clean = trial.screening.verdict is Verdict.CLEAN
    case = ToPlan(
        email=trial.sender.email,
        thread_id="",
        subject=trial.subject,
        text=trial.words,
        automated=trial.automated,
        may_ask=is_clean and not trial.automated.automated,
        attachments=len(trial.mail.attachments),
        first_contact=True,
        briefing=trial.briefing,
        asked=frozenset(),
        said=trial.classification,
        left_to=left_to(trial.mail, trial.words, world.organization),
        sealed=trial.mail.sealed,
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

    understanding = trial.classification
    case = ToDraft(
        text=trial.words,
        subject=trial.subject,
        sender=trial.sender,
        said=understanding,
        language=understanding.language,
        plans=trial.plans,
        briefing=trial.briefing,
    )
    ground = ground_of(trial)
    (parts_written,) = draft_cases(ground, [case])
    reply = whole_reply(ground, trial.sender, understanding, trial.words, parts_written)
    return Written(**dict(reply), parts=parts_written if len(parts_written) > 1 else ())


def examined(trial: TriedMail) -> Examined:
    """Return what the check says of the reply, and of each part."""
    from tasks.core.segment.subject import opening_subject
    from tasks.mail.check.check_drafts import CheckBasis, ToCheck, check_drafts

    basis = CheckBasis(
        text=trial.words,
        subject=opening_subject(trial.subject),
        kept_subject=trial.subject,
        sender=trial.sender,
        said=trial.classification,
        briefing=trial.briefing,
        plans=trial.plans,
    )
    (part_checked,) = check_drafts(ground_of(trial), [ToCheck(basis=basis, written=trial.written)])
    return part_checked


def routed(trial: TriedMail, decide: "ReplyDecider") -> Decision:
    """Return where the message would go, and where each part would go by itself."""
    from tasks.mail.classify.parts import narrowed

    understanding, drafted, checked = trial.classification, trial.written, trial.checked
    whole = decide(understanding, trial.plans, drafted.whole, checked.whole)
    parts = tuple(
        decide(
            narrowed(understanding, [place]), [trial.plans[place]], part, checked.branches[place]
        )
        for place, part in enumerate(drafted.parts)
    )
    return whole.model_copy(update={"parts": parts})


class ReplyDecider:
    """Decides on a reply to all or some of a message, in the circumstances of a trial."""

    def __init__(self, trial: TriedMail) -> None:
        from tasks.mail.compose.recipients import reply_recipients

        self._trial = trial
        world = trial.world
        self.recipients = reply_recipients(
            trial.mail, trial.envelope, world.organization, trial.passed_on
        )

    def __call__(
        self, classification: Classification, plans: Sequence[Plan], draft: Draft, checked: Checked
    ) -> Decision:
        """Return the decision."""
        from tasks.mail.route.routing import RouteSignals, route

        trial, world = self._trial, self._trial.world
        return route(
            classification=classification,
            screening=trial.screening,
            authentication=trial.authentication,
            automated=trial.automated,
            briefing=trial.briefing,
            checked=checked,
            draft=draft,
            plans=plans,
            policy=world.policy,
            organization=world.organization,
            signals=RouteSignals(
                now=world.now,
                recipients=self.recipients,
                stopped=False,
                transport_ready=True,
                bare_eol=trial.bare_eol,
                defects=trial.mail.defects,
                attachments=len(trial.mail.attachments),
            ),
        )
