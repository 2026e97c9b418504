"""Promises as people word them in eight languages: active, passive, relative, and none."""

from datetime import date
from pathlib import Path

import pytest

from data.word_lists import word_list
from tasks.core.claims.promises import promises

SUNDAY = date(2026, 11, 22)
SAID = word_list(Path(__file__).with_name("promises.yaml"))["binding"]


@pytest.mark.parametrize(("language", "sentence", "due"), SAID)
def test_a_sentence_binds_to_its_day_or_not_at_all(
    language: str, sentence: str, due: str | None
) -> None:
    """What binds becomes an entry with its day; denials, requests and closing days do not."""
    letter = f"Hello,\n\n{sentence}\n\nKind regards"
    made = promises(letter, language, SUNDAY, within=5)
    days = [str(one.due) if one.dated else "undated" for one in made]
    assert days == ([due] if due else [])
