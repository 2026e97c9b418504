"""Honest mail that quotes attacks, speaks of assistants or gives people orders: 250 letters."""

from collections import Counter
from pathlib import Path

from data.word_lists import word_list
from tests.core.screening.letters import FLAGGED, by_rules
from training.screening.families import LANGUAGES

LETTERS: list[dict[str, str]] = word_list(Path(__file__).with_name("fresh_honest.yaml"))
AIM = 0.03
"""The share of such mail that the rules may flag."""


def test_rules_flag_hardly_any_honest_letter() -> None:
    """Of reports, release notes, tickets, prompts, games and the like the rules flag under 3 %."""
    wrong = [
        letter["subject"]
        for letter in LETTERS
        if by_rules(letter["text"], letter["subject"]) >= FLAGGED
    ]
    assert len(wrong) <= AIM * len(LETTERS), wrong


def test_letters_are_of_every_kind_in_every_language() -> None:
    """There are 250 different letters, half of them English, and five or more of each language."""
    languages = Counter(letter["language"] for letter in LETTERS)
    assert len({letter["text"] for letter in LETTERS}) == len(LETTERS) == 250
    assert set(languages) == set(LANGUAGES)
    assert min(languages.values()) >= 5
    assert languages["en"] >= 125
