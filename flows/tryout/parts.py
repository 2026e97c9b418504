"""A message with several wishes on its way through `postern try`: each part, and the whole.

What is made of a part is what the stages of the line make of it (docs/pipeline.md#parts).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import Examined, Written
from flows.tryout.world import TriedMail
from tasks.batches.ground import Ground

if TYPE_CHECKING:
    from data.linear import LinearModel


def understood(
    trial: TriedMail, classification: Classification, taught: "LinearModel | None"
) -> Classification:
    """Return a classification with what each of several parts is about by itself."""
    from tasks.batches.understanding import classify_all
    from tasks.classify.classifying import Incoming
    from tasks.classify.parts import by_itself, words_of

    if len(classification.intents) < 2:
        return classification
    incoming_texts = [
        Incoming(text=words) for words in words_of(trial.words, classification.intents)
    ]
    classified = classify_all(taught, incoming_texts)
    parts = (
        by_itself(classification, one, own)
        for one, own in zip(classification.intents, classified, strict=True)
    )
    return classification.model_copy(update={"parts": tuple(parts)})


def plans_of(trial: TriedMail) -> tuple[Plan, ...]:
    """Return the plan of each part."""
    from tasks.classify.parts import narrowed
    from tasks.plan.addressed import left_to, without_answer
    from tasks.plan.planning import plan
    from tasks.plan.sealed import handed_over

    other = left_to(trial.mail, trial.words, trial.world.organization)
    plans_made = (
        without_answer(
            plan(
                intent,
                narrowed(trial.classification, [place]),
                trial.briefing,
                trial.world.policy,
                automated=trial.automated,
                first_contact=True,
            ),
            other,
        )
        for place, intent in enumerate(trial.classification.intents)
    )
    if not trial.mail.sealed or trial.automated.automated:
        return tuple(plans_made)
    return tuple(
        handed_over(plan_made, trial.mail.sealed, trial.world.policy) for plan_made in plans_made
    )


def ground_of(trial: TriedMail) -> Ground:
    """Return what everything that is said for the organization rests on."""
    world = trial.world
    return Ground(
        organization=world.organization, policy=world.policy, saved_replies=world.saved_replies
    )


def write_reply(trial: TriedMail) -> Written:
    """Return one reply, and what it says to each part."""
    from tasks.batches.drafting import ToDraft, draft_all
    from tasks.classify.parts import order_of
    from tasks.draft.merging import merged

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
    ((*drafts_made,),) = draft_all(ground_of(trial), [case])
    if len(drafts_made) < 2:
        return Written(**dict(drafts_made[0]))
    order = order_of(understanding.intents, trial.words)
    world = trial.world
    reply = merged([drafts_made[n] for n in order], trial.sender, world.organization, world.policy)
    return Written(**dict(reply), parts=tuple(drafts_made))


def examined(trial: TriedMail) -> Examined:
    """Return what the check says of the reply, and of each part."""
    from tasks.batches.checking import CheckBasis, ToCheck, check_all
    from tasks.segment.subject import opening_subject

    basis = CheckBasis(
        text=trial.words,
        subject=opening_subject(trial.subject),
        kept_subject=trial.subject,
        sender=trial.sender,
        said=trial.classification,
        briefing=trial.briefing,
        plans=trial.plans,
    )
    (part_checked,) = check_all(ground_of(trial), [ToCheck(basis=basis, written=trial.written)])
    return part_checked


def routed(trial: TriedMail, decide: "ReplyDecider") -> Decision:
    """Return where the message would go, and where each part would go by itself."""
    from tasks.classify.parts import narrowed

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
        from tasks.compose.recipients import reply_recipients

        self._trial = trial
        world = trial.world
        self.recipients = reply_recipients(
            trial.mail, trial.envelope, world.organization, trial.passed_on
        )

    def __call__(
        self, classification: Classification, plans: Sequence[Plan], draft: Draft, checked: Checked
    ) -> Decision:
        """Return the decision."""
        from tasks.route.routing import RouteSignals, route

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
