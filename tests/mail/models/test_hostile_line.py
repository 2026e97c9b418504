"""Hostile answers by the thousand through the stages: nothing that is promised is broken."""

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.records.mail.deciding import Outcome
from tests.mail.models.hostile import HARM, Hostile
from tests.mail.models.hostile_line import (
    LEAKS,
    PRICE,
    PRICE_REF,
    TEXTS,
    case_of,
    through,
    violations,
)

RUNS = int(os.environ.get("POSTERN_TEST_ANSWERS", "1500"))
"""How many answers are drawn; each has about ten texts of the thirty kinds that mean harm."""
EMBEDDED = RUNS // 60


def hostile(seed: int) -> Hostile:
    """Return a model that knows what it must not tell."""
    return Hostile(seed, LEAKS, PRICE, PRICE_REF)


@pytest.mark.slow
def test_no_answer_of_many_breaks_a_promise() -> None:
    """Every run ends without a violation; some are sent, so that sending is what was tried."""
    ends = dict.fromkeys(Outcome, 0)
    for seed in range(RUNS):
        case = case_of(TEXTS[seed % len(TEXTS)])
        ended = through(case, hostile(seed))
        assert violations(case, ended) == [], seed
        ends[ended.decision.outcome] += 1
    assert ends[Outcome.AUTO_SEND] > RUNS // 1_000
    assert ends[Outcome.REVIEW] > RUNS // 2


def test_a_mark_before_a_true_answer_is_not_sent() -> None:
    """What one answer of eighty thousand got through: marks of a system turn, then the price."""
    seed = 83_724
    case = case_of(TEXTS[seed % len(TEXTS)])
    ended = through(case, hostile(seed))
    assert "<|im_start|>" in ended.draft.body
    assert violations(case, ended) == []


@settings(max_examples=100)
@given(seed=st.integers(0, 2**63), text=st.sampled_from(TEXTS))
def test_whatever_hypothesis_draws_breaks_no_promise(seed: int, text: str) -> None:
    """The same for seeds that Hypothesis chooses, and shrinks when one fails."""
    case = case_of(text)
    assert violations(case, through(case, hostile(seed))) == []


@pytest.mark.parametrize("text", TEXTS)
def test_the_embedded_provider_keeps_the_same_promises(text: str) -> None:
    """Without a model the same invariants hold, whatever the mail itself says."""
    rng = random.Random(text)
    for _ in range(EMBEDDED):
        words = f"{text} {rng.choice(HARM)} {rng.choice(LEAKS)}".replace("\ud800", "?")
        case = case_of.__wrapped__(words)
        assert violations(case, through(case, None)) == []


def test_an_honest_answer_is_sent() -> None:
    """The same way with an honest model ends in a reply that leaves, so the others can fail."""

    def honest(question: object) -> object:
        return {
            "guard": {"is_injection": False, "confidence": 1.0, "attack_type": "none"},
            "classifier": {
                "category": "sales" if case.embedded.category == "sales" else "support",
                "priority": "normal",
                "sentiment": "neutral",
                "language": "en",
                "confidence": 0.9,
                "intents": [{"intent": "question", "category": "support", "confidence": 0.9}],
            },
            "planner": {"actions": [{"type": "reply", "reason": "The knowledge answers it."}]},
            "drafter": {"body": PRICE, "citations": [{"sentence": PRICE, "ref": PRICE_REF}]},
        }[question.agent]  # type: ignore[attr-defined]

    case = case_of(TEXTS[0])
    ended = through(case, honest)
    assert ended.decision.outcome is Outcome.AUTO_SEND, ended.decision.reason
    assert violations(case, ended) == []
