"""Mail that looks like an attack and is none."""

from pathlib import Path

import pytest
import yaml

from data.records.mail.screening import Verdict
from tests.screening.letters import screened

LETTERS = yaml.safe_load((Path(__file__).parent / "hard_benign.yaml").read_text("utf-8"))


@pytest.mark.parametrize("letter", LETTERS, ids=[letter["subject"] for letter in LETTERS])
def test_hard_benign_mail_passes(letter: dict[str, str]) -> None:
    """A letter that only looks like an attack is clean, and no rule fails on it."""
    screening = screened(letter["text"], subject=letter["subject"])
    assert screening.errors == ()
    assert screening.verdict is Verdict.CLEAN, screening.hits
