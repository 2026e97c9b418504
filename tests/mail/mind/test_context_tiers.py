"""Random conversations in every drafting language: what binds survives every tier, in its room."""

import random
from pathlib import Path

import pytest

from data.records.core.briefing import Briefing, SourceKind, Tier
from data.records.core.knowledge import HistoryEntry
from data.word_lists import word_list
from tasks.mail.context.compacting import count_tokens
from tests.core.mind.entries import KNOWLEDGE
from tests.mail.mind.examples import briefing, message

SAID = word_list(Path(__file__).with_name("what_binds.yaml"))["in random talk"]


def thread(rng: random.Random, language: str, count: int) -> tuple[list[HistoryEntry], set[str]]:
    """Return messages of random length, and the sentences of them that bind."""
    filler, promise, question = SAID[language]
    made: list[HistoryEntry] = []
    binds: set[str] = set()
    for number in range(count):
        outbound = rng.random() < 0.5
        parts = [filler.replace(".", f" {rng.randrange(10**6)}.") for _ in range(rng.randrange(40))]
        if rng.random() < 0.3:
            words, end = (promise, ".") if outbound else (question, "?")
            mine = f"{words.rstrip(' .?')} n{number}{end}"
            parts.insert(rng.randrange(len(parts) + 1), mine)
            binds.add(mine)
        made.append(message(number, " ".join(parts) or "Hm.", outbound=outbound))
    return made, binds


def told(made: Briefing) -> str:
    """Return what was said before, as it is told."""
    return " ".join(s.text for k in ("thread", "contact") for s in made.of(SourceKind(k)))


@pytest.mark.parametrize("language", SAID)
def test_what_binds_survives_whatever_is_cut(language: str) -> None:
    """Conversation or other mail, small budgets or large cases: promises and questions stay."""
    rng = random.Random(f"{language} 7")
    tiers = set()
    for count in (4, 12, 30):
        talk, binds = thread(rng, language, count)
        past, more = thread(rng, language, rng.randrange(1, 8))
        past = [one.model_copy(update={"ref": f"past:{one.ref}"}) for one in past]
        words = "red boat " * rng.choice((1, 1, 300, 3000))
        made = briefing(
            thread=talk,
            contact=past,
            case_text=words,
            knowledge=[(one, 0.5) for one in KNOWLEDGE],
            budget_tokens=rng.choice((1500, 2500)),
            recent_messages=rng.randrange(1, 6),
        )
        tiers.add(made.tier)
        missing = {one for one in binds | more if one not in told(made)}
        assert not missing, (made.tier, missing)
        room = max(made.budget - count_tokens(words), made.budget // 4)
        assert made.tokens - count_tokens(words) <= room
        assert made.of(SourceKind.ORGANIZATION)
    assert Tier.EMERGENCY in tiers


def test_knowledge_remains_beside_a_message_of_a_megabyte() -> None:
    """The message stays whole and is counted; a quarter of the budget is left to answer it with."""
    words = "When is the boathouse open? " * 40_000
    made = briefing(case_text=words, budget_tokens=4000)
    assert made.tier is Tier.EMERGENCY
    assert made.of(SourceKind.KNOWLEDGE)
    assert made.tokens >= count_tokens(words)


def test_nobody_asks_our_promises_away() -> None:
    """A flood of questions, or one without an end, gives way before what we have promised."""
    promise = "We promise to keep the red kayak for you."
    flood = [
        message(n, " ".join(f"Is boat {n} {k} free?" for k in range(60))) for n in range(1, 30)
    ]
    endless = message(50, "why " * 20_000 + "?")
    made = briefing(
        thread=[message(0, promise, outbound=True), *flood, endless], budget_tokens=1500
    )
    assert promise in told(made)
    assert made.tokens <= 1500
    assert "Is boat 29 0 free?" in told(made)
