"""What binds survives every tier in other languages than English too."""

from pathlib import Path

import pytest

from data.records.core.briefing import SourceKind, Tier
from data.records.core.knowledge import HistoryEntry
from data.word_lists import word_list
from tests.mail.mind.examples import briefing, message

SAID = word_list(Path(__file__).with_name("what_binds.yaml"))["in long talk"]


def talk(language: str, count: int) -> list[HistoryEntry]:
    """Return a long exchange with one commitment of ours and one question to us early in it."""
    filler, promise, question = SAID[language]
    long = filler * 12
    made = [message(n, f"{n}. {long}", outbound=n % 2 == 1) for n in range(count)]
    made[1] = message(1, f"{long}{promise} {long}", outbound=True)
    made[2] = message(2, f"{long}{question} {long}")
    return made


@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize(("count", "tier"), [(12, Tier.COMPACTED), (40, Tier.EMERGENCY)])
def test_commitments_and_questions_survive(language: str, count: int, tier: Tier) -> None:
    """However much is cut, the promise, the question and the newest message stay whole."""
    thread = talk(language, count)
    made = briefing(thread=thread, budget_tokens=2200, recent_messages=3)
    assert made.tier is tier
    text = " ".join(s.text for s in made.of(SourceKind.THREAD))
    _, promise, question = SAID[language]
    assert promise in text
    assert question in text
    assert made.of(SourceKind.THREAD)[-1].text == thread[-1].text
