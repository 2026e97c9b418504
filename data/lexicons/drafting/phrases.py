"""Reads the word lists of drafting: one YAML file per language, and the concepts over all."""

from functools import cache
from pathlib import Path
from typing import Any

from data.records.core.record import Record
from data.word_lists import word_list

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl")
"""Languages that a local draft can be written in."""

INFORMAL = "informal"
"""The policy's word for it, and the key of what a language says otherwise then."""

_FOLDER = Path(__file__).parent


class Phrases(Record):
    """What a local draft says around its answers, and the words the check listens for."""

    greeting: str
    """First line, with `{name}`."""
    greeting_plain: str
    """First line when the name is not known or not fit to be repeated."""
    closing: str
    """Line before the signature."""
    unknown: str
    """The honest answer to a question that the knowledge does not answer; no date, no promise."""
    unknown_rest: str
    """The same, when other questions were answered."""
    rest_follows: str
    """Where a part of a message is answered by itself: that the others are, later."""
    ask_back: str
    """Asks the sender to say more, where an answer needs it."""
    request: str
    """To a request that only a person can carry out."""
    feature: str
    """To a suggestion."""
    apology: str
    """To a complaint: regret without admission."""
    handed: str
    """Who looks at it now, with `{person}`."""
    handed_plain: str
    """The same when no person is named."""
    information: str
    """To something we were told."""
    acknowledgment: str
    """To thanks or a confirmation."""
    follow_up: str
    """Where no answer has come to our last message."""
    attribution: str
    """Line above a quotation, with `{date}` and `{name}`."""
    stop_words: tuple[str, ...]
    """Words that carry no topic."""
    question_words: tuple[str, ...]
    """Words that open a question or a request even without a question mark."""
    closed_words: tuple[str, ...]
    """Words that open a question whether something is so, which an answer must be about."""
    person_words: tuple[str, ...]
    """Words that ask for a person, so that an answer that names nobody is hardly an answer."""
    quantity_words: tuple[str, ...]
    """Words that ask for a number, so that an answer without one is hardly an answer."""
    vague_words: tuple[str, ...]
    """Words that say nothing of a matter by themselves, though they are no stop words."""
    pointing_words: tuple[str, ...]
    """Words that stand for something that was said before, and are common words of no other
    language: no articles."""
    commitments: tuple[str, ...]
    """Phrases that bind the organization when it says them."""
    negations: tuple[str, ...]
    """Words that turn a sentence into its opposite."""
    numbers: tuple[str, ...]
    """Number words, starting at zero."""
    months: tuple[str, ...]
    """Names of the twelve months."""
    weekdays: tuple[str, ...]
    """Names of the seven days, Monday first."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentences that hold no fact and need no citation."""
        return (
            self.unknown,
            self.unknown_rest,
            self.rest_follows,
            self.ask_back,
            self.request,
            self.feature,
            self.apology,
            self.handed,
            self.handed_plain,
            self.information,
            self.acknowledgment,
            self.follow_up,
        )


def phrases(language: str, formality: str = "") -> Phrases:
    """Return the phrases of `language`; English for a language without a list.

    `formality` is the policy's: with `informal` they address the sender by du, tu and their like,
    and by the first name, in the languages that know the difference.
    """
    code = language if language in LANGUAGES else "en"
    return _phrases(code, informal=formality == INFORMAL)


@cache
def _phrases(code: str, *, informal: bool) -> Phrases:
    raw = _read(_FOLDER / f"{code}.yaml")
    otherwise = raw.pop(INFORMAL, {})
    return Phrases.model_validate(raw | otherwise if informal else raw)


@cache
def stop_words() -> frozenset[str]:
    """Return the words without topic of all languages, lower-cased, as written."""
    return frozenset(word for language in LANGUAGES for word in phrases(language).stop_words)


@cache
def concept_stems() -> dict[str, str]:
    """Return stem to concept over all languages; stems are lower-case and without accents."""
    table: dict[str, list[str]] = _read(_FOLDER / "concepts.yaml")
    return {stem: concept for concept, stems in table.items() for stem in stems}


@cache
def shared_words(name: str) -> tuple[str, ...]:
    """Return a list of `shared.yaml`: `endings`, `abbreviations`, `titles` or `functions`."""
    return tuple(_read(_FOLDER / "shared.yaml")[name])


@cache
def asked_words() -> dict[str, tuple[str, ...]]:
    """Return the lists of `asked.yaml`: what kind of thing questions ask for."""
    return {name: tuple(row) for name, row in _read(_FOLDER / "asked.yaml").items()}


@cache
def number_words() -> dict[str, tuple[str, ...]]:
    """Return the rows of `numbers.yaml`: numbers, units of time, forms of days and months."""
    return {name: tuple(row) for name, row in _read(_FOLDER / "numbers.yaml").items()}


def _read(path: Path) -> dict[str, Any]:
    """Return a YAML mapping of words; a string of words becomes a list at its commas."""
    raw: dict[str, object] = word_list(path)
    lists = set(Phrases.model_fields) - _TEXTS if path.stem in LANGUAGES else set(raw)
    return {
        key: [part.strip() for part in str(value).split(",") if part.strip()]
        if key in lists
        else value
        for key, value in raw.items()
    }


_TEXTS = {name for name, field in Phrases.model_fields.items() if field.annotation is str}
