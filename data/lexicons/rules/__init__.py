"""The words in which handling rules are written, by language; see `words.yaml`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from data.records.core.record import Record
from data.word_lists import word_list

_FOLDER = Path(__file__).parent


class RuleWords(Record):
    """The words of one language, as they are written down."""

    any: tuple[str, ...]
    every: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    """What begins a part, by its name: from, about, in, with, without."""
    attachments: tuple[str, ...]
    either: tuple[str, ...]
    also: tuple[str, ...]
    bare: tuple[str, ...]
    kinds: Mapping[str, tuple[str, ...]]
    """Kinds of mail as `field:value`, each with its words."""
    languages: Mapping[str, tuple[str, ...]]
    effects: Mapping[str, tuple[str, ...]]
    """What a rule does: ask, hold, file; and tag, assign, with `{x}`."""
    looser: tuple[str, ...]
    """What no rule may do."""


class FreeWords(Record):
    """How people write rules without a colon in one language; see `free.yaml`."""

    lead: tuple[str, ...]
    filler: tuple[str, ...]
    around: Mapping[str, tuple[str, ...]]
    limits: tuple[str, ...]
    linkers: tuple[str, ...]


@cache
def free_words() -> Mapping[str, FreeWords]:
    """Return how rules are written without a colon, by ISO 639-1 code."""
    words_by_code = word_list(_FOLDER / "free.yaml")
    return {code: FreeWords.model_validate(one) for code, one in words_by_code.items()}


@cache
def rule_words() -> Mapping[str, RuleWords]:
    """Return the words by ISO 639-1 code, English first."""
    return {code: _make_words(found) for code, found in word_list(_FOLDER / "words.yaml").items()}


def _make_words(raw_entry: dict[str, object]) -> RuleWords:
    return RuleWords.model_validate(
        {
            **{name: raw_entry[name] for name in ("any", "every", "attachments", "bare", "looser")},
            **{name: raw_entry[name] for name in ("kinds", "languages")},
            "either": raw_entry["or"],
            "also": raw_entry["and"],
            "parts": {name: raw_entry[name] for name in ("from", "about", "in", "with", "without")},
            "effects": {name: raw_entry[name] for name in ("ask", "hold", "file", "tag", "assign")},
        }
    )
