"""Drafting a batch of cases on the embedded provider."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.core.briefing import Briefing
from data.records.core.parsed_mail import Address
from data.records.core.understanding import Classification, Intent
from data.records.mail.drafting import Draft
from data.records.mail.planning import Plan
from data.records.mail.redrafting import RedraftWish
from data.records.mail.stage_outputs import Written
from tasks.mail.classify.message_parts import narrow_classification, order_of, words_of
from tasks.mail.draft.alternatives import redraft
from tasks.mail.draft.drafting import draft
from tasks.mail.draft.merging import merge_parts
from tasks.mail.ground import Ground


@dataclass(frozen=True, kw_only=True)
class ToDraft:
    """One case, as far as its reply goes."""

    text: str
    subject: str
    sender: Address
    said: Classification
    language: str
    """What the reply is to be written in; mostly the classification's."""
    plans: tuple[Plan, ...]
    """One for each intent."""
    briefing: Briefing


def whole_reply(
    ground: Ground, case: ToDraft, parts: Sequence[Draft], wish: RedraftWish | None = None
) -> Written:
    """Return one reply of what is said to each branch, in the order in which the sender asks.

    `wish` is what a person wanted otherwise; a model was told of it when it wrote the parts.
    """
    reply = parts[0]
    if len(parts) > 1:
        ordered = [parts[place] for place in order_of(case.said.intents, case.text)]
        reply = merge_parts(ordered, case.sender, ground.organization, ground.policy)
    if wish is not None and reply.provider == "local":
        reply = redraft(reply, wish, case.sender, ground.organization, ground.policy)
    return Written(**dict(reply), parts=tuple(parts) if len(parts) > 1 else ())


def draft_cases(ground: Ground, cases: Sequence[ToDraft]) -> list[tuple[Draft, ...]]:
    """Return what is said to each branch of the cases; a case with one has one draft."""
    return [_drafts(ground, case) for case in cases]


def _drafts(ground: Ground, case: ToDraft) -> tuple[Draft, ...]:
    understanding, intents = case.said, case.said.intents
    if len(intents) < 2:
        in_own_language = understanding.model_copy(update={"language": case.language})
        return (_draft(ground, case, intents, case.plans, in_own_language, case.text),)
    return tuple(
        _draft(
            ground,
            case,
            [intents[place]],
            [case.plans[place]],
            narrow_classification(understanding, [place]).model_copy(
                update={"language": case.language}
            ),
            words,
        )
        for place, words in enumerate(words_of(case.text, intents))
    )


def _draft(
    ground: Ground,
    case: ToDraft,
    intents: Sequence[Intent],
    plans: Sequence[Plan],
    classification: Classification,
    text: str,
) -> Draft:
    return draft(
        intents=intents,
        plans=plans,
        new_text=text,
        subject=case.subject,
        sender=case.sender,
        classification=classification,
        briefing=case.briefing,
        organization=ground.organization,
        policy=ground.policy,
        saved_replies=ground.saved_replies,
    )
