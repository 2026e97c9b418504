"""The route of a case (docs/pipeline.md#route): ordered gates, and only all of them together send.

The classifier's confidence has no part in auto-send; the quality of the text has. It
only says, with the screen, whether something may be filed away unseen.
"""

from collections.abc import Sequence

from data.records.core.briefing import Briefing
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Automated
from data.records.core.screening import Authentication, Screening, Verdict
from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision, Gate, Outcome
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import ActionType, Plan
from tasks.core.screen import order_in
from tasks.mail.plan.planning import assignee
from tasks.mail.route.gates import RouteEvidence, ask_all_gates
from tasks.mail.route.signals import RouteSignals

__all__ = ["ARCHIVE_CONFIDENCE", "RouteSignals", "route_case"]

ARCHIVE_CONFIDENCE = 0.6
"""Confidence of the classifier below which a person looks before something is filed away."""


def route_case(
    *,
    classification: Classification,
    screening: Screening,
    authentication: Authentication,
    automated: Automated,
    briefing: Briefing,
    checked: Checked,
    draft: Draft,
    plans: Sequence[Plan],
    policy: Policy,
    organization: Organization,
    signals: RouteSignals,
) -> Decision:
    """Return the outcome with the answer of every gate.

    Archived is what needs no reply, escalated what a plan hands to a person, sent by itself only
    what passes all gates; everything else is reviewed. `would_auto_send` tells that shadow mode
    alone stood in the way.
    """
    gates = ask_all_gates(
        RouteEvidence(
            classification=classification,
            screening=screening,
            authentication=authentication,
            automated=automated,
            briefing=briefing,
            checked=checked,
            draft=draft,
            plans=tuple(plans),
            policy=policy,
            signals=signals,
            holidays=organization.holidays,
        )
    )
    failed = [gate for gate in gates if not gate.passed]
    if automated.automated:
        return _decide_to_archive(gates, f"A machine wrote this ({automated.kind.value}).")
    if any(plan.escalates for plan in plans):
        return _decide_to_escalate(gates, plans, classification, policy, organization)
    if plans and all(_is_only_filed(plan) for plan in plans):
        addressee = next((plan.left_to for plan in plans if plan.left_to), "")
        if addressee:
            why = (
                f"It is written to {addressee}, and we stand in Cc only: "
                "write if you want to answer."
            )
            return Decision(outcome=Outcome.REVIEW, gates=gates, reason=why)
        doubt = _explain_review(classification, screening)
        if not doubt:
            return _decide_to_archive(gates, "Needs no reply.")
        why = f"It seems to need no reply, but {doubt}."
        return Decision(outcome=Outcome.REVIEW, gates=gates, reason=why)
    if not failed:
        return Decision(outcome=Outcome.AUTO_SEND, gates=gates, reason="All gates let it through.")
    shadow = [gate.name for gate in failed] == ["shadow_mode"]
    why = f"{len(failed)} of {len(gates)} gates hold it back, first {failed[0].name!r}: "
    return Decision(
        outcome=Outcome.REVIEW,
        gates=gates,
        would_auto_send=shadow,
        reason=why + failed[0].reason,
    )


def _explain_review(classification: Classification, screening: Screening) -> str:
    """Return why a person looks before a case is filed away; empty where nothing speaks for it.

    What gives orders to machines may have talked a model into calling it spam. Advertising and
    fraud have no such reach, and are filed away as what they are.
    """
    if classification.confidence < ARCHIVE_CONFIDENCE:
        return "that is not sure enough to file it away unseen"
    if screening.errors:
        return "the screen could not look at it in full"
    if screening.verdict is not Verdict.CLEAN and order_in(screening):
        return "it was flagged for orders to a machine, which may have said so"
    return ""


def _decide_to_archive(gates: tuple[Gate, ...], why: str) -> Decision:
    """Return the decision to file a case away."""
    return Decision(outcome=Outcome.ARCHIVE, gates=gates, reason=why)


def _decide_to_escalate(
    gates: tuple[Gate, ...],
    plans: Sequence[Plan],
    classification: Classification,
    policy: Policy,
    organization: Organization,
) -> Decision:
    """Return the decision to hand a case to a person: the plan's, else the policy's."""
    assignees = [
        action.argument
        for plan in plans
        for action in plan.actions
        if action.type is ActionType.ESCALATE and action.argument
    ]
    known_addresses = {person.email.lower() for person in organization.people}
    known_addresses |= {address.lower() for address in policy.escalation.values()}
    ours = [address for address in assignees if address.lower() in known_addresses]
    to = ours[0] if ours else assignee(policy, classification.category, classification.priority)
    reasons = [
        action.reason
        for plan in plans
        for action in plan.actions
        if action.type is ActionType.ESCALATE
    ]
    whom = f"handed to {to}" if to else "the policy names nobody for it, so anybody may take it"
    why = f"{reasons[0].rstrip('.')}; {whom}."
    return Decision(outcome=Outcome.ESCALATE, gates=gates, assignee=to or None, reason=why)


def _is_only_filed(plan: Plan) -> bool:
    """Return whether a plan ends in the archive without a word to anybody."""
    return not plan.replies and any(a.type is ActionType.ARCHIVE for a in plan.actions)
