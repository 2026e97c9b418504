"""Drafts that a change of the policy would let leave, and people's support for that.

The evidence is what people said of earlier drafts. It looks at what the policy's dials decide: the
mode, the rules, the quality that they ask for. What else held a draft then, would hold it again.
"""

from collections.abc import Sequence

from data.counting import plural
from data.records.core.organization import Mode, Policy
from data.records.core.understanding import LEAVING, Category, IntentKind, Priority
from data.records.mail.report_views import DecisionFigures
from data.records.mail.shadow import DraftJudgement, JudgedDraft
from tasks.mail.route.autonomy import choose_threshold, find_rule

ENOUGH = 20
"""Decided drafts below which nothing is said to be supported."""
AGREED = 0.95
"""Share of them that has to have been sent unchanged."""


def would_leave(policy: Policy, draft: JudgedDraft) -> bool:
    """Return whether a draft would leave by itself with a policy in live mode."""
    if not draft.could_leave or not draft.wishes:
        return False
    rules = [find_rule(policy, wish.category, wish.intent, draft.priority) for wish in draft.wishes]
    if any(rule is None or not rule.auto_send for rule in rules):
        return False
    return draft.quality >= max(choose_threshold(rule, policy) for rule in rules)


def count_judgements(drafts: Sequence[JudgedDraft]) -> DecisionFigures:
    """Return what people said of these drafts."""
    judgements = [draft.said for draft in drafts]
    return DecisionFigures(
        unchanged=judgements.count(DraftJudgement.UNCHANGED),
        edited=judgements.count(DraftJudgement.EDITED),
        rejected=judgements.count(DraftJudgement.REJECTED),
        closed=judgements.count(DraftJudgement.CLOSED),
    )


def list_warnings(before: Policy, after: Policy, drafts: Sequence[JudgedDraft]) -> tuple[str, ...]:
    """Return why a change is laxer than people's decisions support; empty where it is not.

    Args:
        before: the policy that counts.
        after: the one that is wanted.
        drafts: the evidence.

    """
    warnings = []
    if after.mode is Mode.LIVE and before.mode is not Mode.LIVE:
        leaving = [draft for draft in drafts if would_leave(after, draft)]
        if _has_auto_send_rule(after) and (why := _explain_doubt(leaving)):
            warnings.append(f"Replies would leave without a person's look: {why}")
        return tuple(warnings)
    if after.mode is Mode.OFF:
        return ()
    leaving = [draft for draft in drafts if would_leave(after, draft)]
    for category, kinds in _list_loosened(before, after).items():
        drafts_about = [draft for draft in leaving if _is_about(draft, category, kinds)]
        if why := _explain_doubt(drafts_about):
            warnings.append(f"{_name_rule(category, kinds)}: {why}")
    return tuple(warnings)


def _has_auto_send_rule(policy: Policy) -> bool:
    return any(rule.auto_send for rule in policy.autonomy_rules)


def _list_loosened(before: Policy, after: Policy) -> dict[Category, tuple[IntentKind, ...]]:
    """Return by category of which kinds more may leave with a policy than with the one before it.

    What is always answered by a person is left out: no rule lets it leave.
    """
    intents_by_category: dict[Category, tuple[IntentKind, ...]] = {}
    for category in Category:
        if category is Category.COMPLAINT:
            continue
        kinds = tuple(
            kind
            for kind in LEAVING
            if any(
                _measure_ease(after, category, kind, how)
                > _measure_ease(before, category, kind, how)
                for how in (Priority.NORMAL, Priority.LOW)
            )
        )
        if kinds:
            intents_by_category[category] = kinds
    return intents_by_category


def _measure_ease(
    policy: Policy, category: Category, kind: IntentKind, priority: Priority
) -> float:
    """Return how easily a reply leaves: 0 not at all, else more for a lower quality."""
    rule = find_rule(policy, category, kind, priority)
    return 2.0 - choose_threshold(rule, policy) if rule is not None and rule.auto_send else 0.0


def _is_about(draft: JudgedDraft, category: Category, kinds: Sequence[IntentKind]) -> bool:
    return any(
        wish.category is category and (wish.intent is None or wish.intent in kinds)
        for wish in draft.wishes
    )


def _explain_doubt(leaving: Sequence[JudgedDraft]) -> str:
    """Return why what people said does not support that these leave; empty where it does."""
    if not leaving:
        return (
            "nobody has decided yet on a draft that this would have let go, so there is nothing to "
            "judge it by."
        )
    counted = count_judgements(leaving)
    against = [
        f"{number} {word}"
        for number, word in (
            (counted.edited, "changed"),
            (counted.rejected, "rejected"),
            (counted.closed, "closed without a reply"),
        )
        if number
    ]
    of = f"of {plural(len(leaving), 'draft')} that this would have let go"
    reasons_text = ", ".join(against)
    if against and (counted.unchanged_share or 0) < AGREED:
        return f"{of}, people sent {counted.unchanged} unchanged; {reasons_text}."
    if len(leaving) < ENOUGH:
        few = f"{of}, {counted.unchanged} were sent unchanged" + (
            f"; {reasons_text}" if reasons_text else ""
        )
        return f"{few}. That is fewer than {ENOUGH}, and too few to rely on."
    return ""


def _name_rule(category: Category, kinds: Sequence[IntentKind]) -> str:
    name = category.value.replace("_", " ").capitalize()
    return name if len(kinds) == len(LEAVING) else f"{name} ({', '.join(kinds)})"
