"""Which display names are a person's, and which are a company's, a family's or a desk's."""

from pathlib import Path
from typing import Any

import pytest

from data.records.core.parsed_mail import Address
from data.word_lists import word_list
from tasks.mail.draft.names import safe_name

NAMES: dict[str, list[Any]] = word_list(Path(__file__).with_name("names_greeted.yaml"))


@pytest.mark.parametrize(("written", "name"), NAMES["persons"])
def test_small_words_and_titles_are_parts_of_a_name(written: str, name: str) -> None:
    """Particles stay where they stand, titles, degrees and asides are left out."""
    assert safe_name(Address(name=written, email="x@y.example")) == name


@pytest.mark.parametrize("written", NAMES["nobody"])
def test_what_is_no_persons_name_is_not_greeted(written: str) -> None:
    """A company, a desk, a family, an order, a prize, a header and what is shouted get none."""
    assert safe_name(Address(name=written, email="x@y.example")) == ""
