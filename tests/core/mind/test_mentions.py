"""Whom a note names with `@`."""

import pytest

from tasks.core.words.mentions import Colleague, find_mentions

ANA = Colleague(key="user:1", name="Ana Silva", email="ana@kettle.example")
BO = Colleague(key="user:2", name="Bo Lund", email="lund@kettle.example")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@Ana, call them", ["Ana Silva"]),
        ("@ana.", ["Ana Silva"]),
        ("(@ana.silva) and @BoLund", ["Ana Silva", "Bo Lund"]),
        ("ask @lund@kettle.example: now", ["Bo Lund"]),
        ("@Ana's call", ["Ana Silva"]),
        ("mail me@ana and a..@bo", []),
        ("@ana@elsewhere.example", []),
        ("@Ana-Maria and @ana.bauer and @ana_b", []),
        ("@Anabel", []),
    ],
)
def test_whom_a_text_names(text: str, names: list[str]) -> None:
    """A name counts whole: what it begins, a longer name or an address, is somebody else."""
    assert [colleague.name for colleague in find_mentions(text, [ANA, BO]).colleagues] == names


def test_a_longer_name_that_nobody_has_is_unclear() -> None:
    """What was not understood is said, and is not the nearest colleague."""
    assert find_mentions("@Ana-Maria, look", [ANA, BO]).unclear == ("Ana-Maria",)
