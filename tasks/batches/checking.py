"""Checking a batch of drafts, and offering others beside those of low quality."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.core.understanding import Classification
from data.records.mail.briefing import Briefing
from data.records.mail.drafting import Alternative, Checked, Draft
from data.records.mail.mail import Address
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import Examined, Written
from tasks.batches.ground import Ground
from tasks.check.checking import check
from tasks.classify.parts import narrowed, words_of
from tasks.draft.alternatives import alternatives

MOST_ALTERNATIVES = 2
"""Other drafts that are offered beside one of low quality."""


@dataclass(frozen=True, kw_only=True)
class ToCheck:
    """One case with its draft."""

    text: str
    """What the sender wrote, as far as the case answers it."""
    sender: Address
    said: Classification
    briefing: Briefing
    written: Written
    subject: str = ""
    """What the sender called it, where that opens the conversation; else empty."""
    plans: tuple[Plan, ...] = ()
    """One for each intent, as they are carried out."""


def check_all(ground: Ground, cases: Sequence[ToCheck]) -> list[Examined]:
    """Check each draft, in the whole of it and in each part."""
    return [_examined(ground, case) for case in cases]


def _examined(ground: Ground, case: ToCheck) -> Examined:
    def look(
        draft: Draft,
        said: Classification,
        text: str,
        plans: Sequence[Plan] = case.plans,
        subject: str = "",
    ) -> Checked:
        return look_at(
            ground,
            case.sender,
            case.briefing,
            draft,
            said,
            text,
            heard=case.text,
            plans=plans,
            subject=subject,
        )

    checked = look(case.written.whole, case.said, case.text, subject=case.subject)
    others = tuple(
        other.model_copy(
            update={
                "quality": look(other.draft, case.said, case.text, subject=case.subject).quality
            }
        )
        for other in _others(ground, case, checked)
    )
    spoken = words_of(case.text, case.said.intents)
    return Examined(
        **dict(checked.model_copy(update={"alternatives": others})),
        branches=tuple(
            look(part, narrowed(case.said, [place]), spoken[place], case.plans[place : place + 1])
            for place, part in enumerate(case.written.parts)
        ),
    )


def look_at(
    ground: Ground,
    sender: Address,
    briefing: Briefing,
    draft: Draft,
    said: Classification,
    text: str,
    *,
    heard: str,
    plans: Sequence[Plan],
    subject: str = "",
) -> Checked:
    """Return what the check says of a reply to `text`, which is all or a part of what was heard.

    `plans` has one plan for each intent of `said`.
    """
    return check(
        draft,
        briefing,
        new_text=text,
        whole_text=heard,
        subject=subject,
        organization=ground.organization,
        policy=ground.policy,
        sender=sender,
        saved_replies=ground.saved_replies,
        intents=said.intents,
        plans=plans,
        judged=said.judged.intents,
        canary=ground.canary,
    )


def _others(ground: Ground, case: ToCheck, checked: Checked) -> tuple[Alternative, ...]:
    """Return other drafts beside one of low quality, without their own quality."""
    low = checked.quality < ground.policy.confidence_threshold
    if not low or not case.written.body.strip():
        return ()
    others = alternatives(
        case.written.whole,
        case.sender,
        ground.organization,
        ground.policy,
        case.said.confidence,
    )
    return tuple(
        Alternative(kind=kind, draft=other)
        for kind, other in list(others.items())[:MOST_ALTERNATIVES]
    )
