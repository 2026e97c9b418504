"""Checking a batch of drafts, and offering others beside those of low quality."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.core.briefing import Briefing
from data.records.core.parsed_mail import Address
from data.records.core.understanding import Classification
from data.records.mail.drafting import Alternative, Checked, Draft
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import CaseText, Examined, Written
from tasks.core.segment.subject import opening_subject
from tasks.mail.check.checking import check
from tasks.mail.classify.message_parts import narrow_classification, order_of, words_of
from tasks.mail.draft.alternatives import alternatives
from tasks.mail.ground import Ground

MOST_ALTERNATIVES = 2
"""Other drafts that are offered beside one of low quality."""


@dataclass(frozen=True, kw_only=True)
class CheckBasis:
    """What the drafts of one case are checked against."""

    text: str
    """What the sender wrote, as far as the case answers it."""
    sender: Address
    said: Classification | None
    """None where nothing was understood."""
    briefing: Briefing
    plans: Sequence[Plan] = ()
    """One for each intent, as they are carried out."""
    subject: str = ""
    """What the sender called it, where that opens the conversation; else empty."""
    kept_subject: str = ""
    """The subject of the mail that is answered, opening or not."""


@dataclass(frozen=True, kw_only=True)
class ToCheck:
    """One case with its draft."""

    basis: CheckBasis
    written: Written


def basis_of(
    wrote: CaseText,
    sender: Address,
    classification: Classification | None,
    briefing: Briefing,
    plans: Sequence[Plan] = (),
) -> CheckBasis:
    """Return what a case's drafts are checked against; `wrote` is what of its mail it answers."""
    return CheckBasis(
        text=wrote.text,
        subject=opening_subject(wrote.subject),
        kept_subject=wrote.subject,
        sender=sender,
        said=classification,
        briefing=briefing,
        plans=tuple(plans),
    )


def check_drafts(ground: Ground, cases: Sequence[ToCheck]) -> list[Examined]:
    """Check each draft, in the whole of it and in each part."""
    return [_examined(ground, case) for case in cases]


def check_draft(
    ground: Ground, basis: CheckBasis, draft: Draft, places: Sequence[int] | None = None
) -> Checked:
    """Return what the check says of a draft.

    The stage, a preview, a decision and `postern try` all ask it here.

    Args:
        ground: what everything that is said for the organization rests on.
        basis: what the case's drafts are checked against.
        draft: the reply, whoever wrote it.
        places: of the intents that it answers; None for a reply to all of them.

    """
    understanding, text, plans = basis.said, basis.text, basis.plans
    if understanding is not None and places is not None:
        spoken = words_of(basis.text, understanding.intents)
        order = [place for place in order_of(understanding.intents, basis.text) if place in places]
        text = "\n".join(spoken[place] for place in order)
        plans = [basis.plans[place] for place in places]
        understanding = narrow_classification(understanding, places)
    return check(
        draft,
        basis.briefing,
        new_text=text,
        whole_text=basis.text,
        subject=basis.subject if places is None else "",
        kept_subject=basis.kept_subject,
        organization=ground.organization,
        policy=ground.policy,
        sender=basis.sender,
        saved_replies=ground.saved_replies,
        intents=understanding.intents if understanding else (),
        plans=plans if understanding else (),
        judged=understanding.judged.intents if understanding else (),
        canary=ground.canary,
    )


def _examined(ground: Ground, case: ToCheck) -> Examined:
    basis = case.basis
    checked = check_draft(ground, basis, case.written.whole)
    others = _write_others(ground, case, checked)
    return Examined(
        **dict(checked.model_copy(update={"alternatives": others})),
        branches=tuple(
            check_draft(ground, basis, part, [place])
            for place, part in enumerate(case.written.parts)
        ),
    )


def _write_others(ground: Ground, case: ToCheck, checked: Checked) -> tuple[Alternative, ...]:
    """Return other drafts beside one of low quality.

    They say what it says in fewer words, or less, and are no better by the same check; it is asked
    of the one that somebody takes.
    """
    low = checked.quality < ground.policy.confidence_threshold
    if not low or not case.written.body.strip():
        return ()
    others = alternatives(
        case.written.whole,
        case.basis.sender,
        ground.organization,
        ground.policy,
        case.basis.said.confidence if case.basis.said else 0.0,
    )
    return tuple(
        Alternative(kind=kind, draft=other)
        for kind, other in list(others.items())[:MOST_ALTERNATIVES]
    )
