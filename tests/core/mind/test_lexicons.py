from pathlib import Path
from typing import Any

import pytest

from data.lexicons.drafting import LANGUAGES, concept_stems, phrases, shared_words, stop_words
from data.word_lists import word_list
from tasks.core.words.sentences import beginning_of, concept, fold, sentences, stem, terms, words

TEXTS: dict[str, list[Any]] = word_list(Path(__file__).with_name("texts_read.yaml"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_whole(language: str) -> None:
    """Each language has its own lines, twelve months, seven days and the numbers to twelve."""
    lists = phrases(language)
    assert (len(lists.months), len(lists.weekdays), len(lists.numbers)) == (12, 7, 13)
    assert "{name}" in lists.greeting
    assert "{person}" in lists.handed
    assert "{date}" in lists.attribution
    assert "{name}" in lists.attribution
    assert language == "en" or not set(lists.lines) & set(phrases("en").lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_honest_lines_promise_no_date(language: str) -> None:
    """What is said instead of an answer holds no number, no day and no month."""
    lists = phrases(language)
    said = set(words(f"{lists.unknown} {lists.unknown_rest} {lists.request} {lists.feature}"))
    dates = {fold(word) for word in (*lists.months, *lists.weekdays, *lists.numbers[2:])}
    assert not said & dates
    assert not any(word.isdigit() for word in said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_are_one_sentence_each(language: str) -> None:
    """A line is found again in a draft as the one sentence that it is."""
    for line in phrases(language).lines:
        assert sentences(line) == [" ".join(line.split())]


def test_an_unknown_language_reads_english() -> None:
    """A language without a list falls back to English, a path in its name included."""
    assert phrases("xx") == phrases("../en") == phrases("en")


def test_stems_of_concepts_are_folded() -> None:
    """A concept's stems have the form in which words are looked up."""
    assert all(stem_text == fold(stem_text) for stem_text in concept_stems())
    assert all(word == fold(word) for word in shared_words("endings"))


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("offnungszeiten", "hours"),
        ("livraison", "delivery"),
        ("facturas", "invoice"),
        ("stornieren", "cancel"),
        ("kayak", None),
        ("iban", None),
    ],
)
def test_words_lead_to_concepts(word: str, meaning: str | None) -> None:
    """Words of several languages share a concept; others have none."""
    assert concept(word) == meaning


def test_word_forms_share_a_stem() -> None:
    """Plural, past and gerund fall together, and numbers stay whole."""
    assert len({stem(word) for word in ("booking", "bookings", "booked", "books", "book")}) == 1
    assert stem("1200") == "1200"


def test_topic_terms_leave_small_words_out() -> None:
    """Only words with a topic remain, in every language."""
    assert terms("What is the price of this kayak, please?") == ["#price", stem("kayak")]
    assert "nicht" in stop_words()


@pytest.mark.parametrize(("text", "parts"), TEXTS["sentences"])
def test_sentences(text: str, parts: list[str]) -> None:
    """Sentences end where a reader would end them."""
    assert sentences(text) == parts


@pytest.mark.parametrize(("text", "longest", "expected"), TEXTS["beginnings"])
def test_the_beginning_of_a_text_ends_behind_a_word(text: str, longest: int, expected: str) -> None:
    """It says that it was cut, and is never longer than it may be."""
    assert beginning_of(text, longest) == expected
    assert len(expected) <= longest
