"""Mail that looks like an attack and is none."""

from pathlib import Path

import pytest

from data.records.core.screening import Verdict
from data.word_lists import word_list
from tests.core.screening.letters import screened

LETTERS = word_list(Path(__file__).parent / "hard_benign.yaml")


@pytest.mark.parametrize("letter", LETTERS, ids=[letter["subject"] for letter in LETTERS])
def test_hard_benign_mail_passes(letter: dict[str, str]) -> None:
    """A letter that only looks like an attack is clean, and no rule fails on it."""
    screening = screened(letter["text"], subject=letter["subject"])
    assert screening.errors == ()
    assert screening.verdict is Verdict.CLEAN, screening.hits
