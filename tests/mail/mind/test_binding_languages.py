"""What binds survives every tier, in eight languages."""

from pathlib import Path

import pytest

from data.records.core.briefing import Tier
from data.word_lists import word_list
from tests.mail.mind.examples import briefing, message

TALK = "The river ran slowly past the old mill while we talked about paddles and the weather. "
SAID = word_list(Path(__file__).with_name("what_binds.yaml"))["in one message"]


@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize(("share", "tier"), [(2, Tier.COMPACTED), (5, Tier.EMERGENCY)])
def test_promises_and_questions_outlive_the_cut(language: str, share: int, tier: Tier) -> None:
    """Our promise, our question and theirs are still there when the talk around them is not."""
    promise, question = SAID[language]
    thread = [
        message(1, f"{TALK * 20}{promise} {question} {TALK * 20}", outbound=True),
        message(2, f"{TALK * 10}What does it weigh? {TALK * 5}"),
        *(message(number, TALK * 25) for number in range(3, 12)),
    ]
    size = briefing(thread=thread, budget_tokens=10**6).tokens
    cut = briefing(thread=thread, budget_tokens=size // share)
    kept = " ".join(snippet.text for snippet in cut.snippets)
    assert cut.tier is tier
    assert all(one in kept for one in (promise, question, "What does it weigh?"))


def test_the_tiers_change_at_the_budget_and_at_three_times_it() -> None:
    """What fits exactly is whole, and what is exactly three times too large is compacted."""
    thread = [message(number, TALK * 3) for number in (1, 2)]
    size = briefing(thread=thread, budget_tokens=10**6).tokens
    third = -(-size // 3)
    budgets = (size, size - 1, third, third - 1)
    tiers = [briefing(thread=thread, budget_tokens=one).tier for one in budgets]
    assert tiers == [Tier.NORMAL, Tier.COMPACTED, Tier.COMPACTED, Tier.EMERGENCY]
