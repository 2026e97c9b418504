"""The verdict on what the rules found: who may only advise, and what an allowance excuses."""

from collections.abc import Iterable, Sequence

from data.records.core.organization import Policy
from data.records.core.screening import Hit, Screening, Verdict
from tasks.core.screen.classifier import InjectionClassifier, Linguist
from tasks.core.screen.scoring import (
    CLASSIFIER,
    SILENT,
    combine,
    has_classifier_answered,
    in_the_open,
    verdict_for,
)

LONG = 900
"""Characters from which a text is so long that an order in it may be missed among all the rest."""


def ask_classifier(
    hits: Sequence[Hit],
    misses: Iterable[str],
    size: int,
    classifier: InjectionClassifier | None,
) -> list[Hit]:
    """Return the hits, those whose words the classifier has read with what it makes of these.

    It has read those that stand in the open, in a language that it knows. In a text of few
    characters (`size`) it has read them among all that tells what they mean, and has said so; words
    from a `LONG` one it is asked about once more. Nothing is asked where it would change nothing.
    """
    if classifier is None or combine(hits) <= SILENT or not has_classifier_answered(hits, misses):
        return list(hits)
    knows = classifier.knows if isinstance(classifier, Linguist) else bool

    def asked(hit: Hit) -> Hit:
        if not in_the_open(hit) or hit.rule == CLASSIFIER or not knows(hit.excerpt):
            return hit
        opinion = classifier.score(hit.excerpt) if size >= LONG else 0.0
        return hit.model_copy(update={"heard": round(opinion, 4)})

    return [asked(hit) for hit in hits]


def judge_hits(
    hits: Sequence[Hit], policy: Policy, *, first_time: bool, errors: bool
) -> tuple[float, Verdict]:
    """Return score and verdict; hits that only advise may flag a message and never stop it."""
    score = combine(hits, first_time)
    verdict = verdict_for(score, policy, errors)
    firm = [hit for hit in hits if not hit.advisory]
    if verdict is Verdict.QUARANTINE and len(firm) < len(hits):
        verdict_held = verdict_for(combine(firm, first_time), policy, errors)
        verdict = verdict_held if verdict_held is Verdict.QUARANTINE else Verdict.FLAGGED
    return score, verdict


def with_excused(screening: Screening) -> Screening:
    """Return what a message comes to when nothing that a person has allowed is excused.

    Without allowances nothing changes.
    """
    if not screening.excused:
        return screening
    hits = sorted([*screening.hits, *screening.excused], key=lambda hit: -hit.score)
    return screening.model_copy(
        update={
            "verdict": screening.unexcused or screening.verdict,
            "score": max(screening.score, round(combine(hits), 4)),
            "hits": tuple(hits),
            "excused": (),
            "unexcused": None,
        }
    )
