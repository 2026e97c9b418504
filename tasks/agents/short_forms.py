"""Short forms that people type, written out: *pls remind me tmrw*, *3rd of dec* (docs/agents.md).

Only what can stand for one thing is: a short form that is a word in another language is read where
what stands beside it says so. What a query says stays as it is.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import data.lexicons.agents as lexicon
from data.word_lists import word_list
from tasks.agents.alternations import build_alternation
from tasks.core.language.lists import LANGUAGES, language_of
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import asking_words
from tasks.core.words.sentences import fold, is_stop_word

if TYPE_CHECKING:
    import re2

_FILE = Path(lexicon.__file__).with_name("short_forms.yaml")
_ORDINAL = r"(?:st|nd|rd|th|er|\.)?"
_CLOCK = r"\s+(?:at\s+|um\s+|à\s+|a las\s+)?\d{1,2}(?:[:.]\d{2}|\s?h\b|\s?[ap]m\b|\s+uhr\b)"
_EDGE, _END = r"(?:^|[\s(¿¡,;])", r"(?:$|[^\pL\-])"


class _Form(NamedTuple):
    """Where short forms stand, between what stays as it is, and what each stands for, folded."""

    pattern: "re2._Regexp"
    stands_for: dict[str, str]


def write_out_short_forms(text: str) -> str:
    """Return a message with its short forms written out; as it is where it has none.

    What more than one language shortens alike is read in the language of the message.
    """
    if fold(text).lstrip().startswith(("select ", "with ")):
        return text
    spoken = language_of(text)
    for language in ("", *sorted(LANGUAGES, key=lambda each: each != spoken)):
        for form in _read_forms(language):
            text = _write_out_form(
                _write_out_form(text, form), form
            )  # what stands side by side shares a space
    return _write_out_letters(text, spoken)


def _write_out_letters(text: str, language: str) -> str:
    """Return a question with its single letters written out: *how many cases r open*."""
    runs = text.split(" ")
    letters: dict[str, str] = word_list(_FILE)["letters"].get(language, {})
    lead = 1 + is_stop_word(fold(runs[0]))  # *at what time*
    opening = {fold(letters.get(run, run)) for run in runs[:lead]}
    if "?" not in text and asking_words().isdisjoint(opening):
        return text
    return " ".join(letters.get(run, run) for run in runs)


def _write_out_form(text: str, form: _Form) -> str:
    """Return a text with one kind of forms written out; a full stop of theirs goes with them.

    Capitals among small letters are an abbreviation of its own: *KI* is no *qui*, *HR* no hour.
    """
    pieces, end = [], 0
    loud = text.isupper()
    for match in form.pattern.finditer(text):
        if match.group(1).isupper() and len(match.group(1)) > 1 and not loud:
            continue
        pieces += [text[end : match.start(1)], form.stands_for[fold(match.group(1))]]
        end = match.end(2) if text[match.end(2) :].strip() else match.end(1)
    return "".join((*pieces, text[end:]))


@cache
def _read_forms(language: str) -> tuple[_Form, ...]:
    """Return the forms of a language; without one those of any language."""
    table: dict[str, Any] = word_list(_FILE)
    if not language:
        return (_build_form("", table["words"], ""), _build_form("", table["counted"], r"\s+\d"))
    months, weekdays = table["months"][language], table["weekdays"][language]
    before, parts = (
        build_alternation(table["before"][language]),
        build_alternation(table["parts"][language]),
    )
    return (
        _build_form(rf"\d{{1,2}}{_ORDINAL}\s+(?:of\s+|de\s+)?", months, ""),
        _build_form("", months, rf"\s+\d{{1,2}}{_ORDINAL}(?:\s|[,.!?]|$)"),
        _build_form(rf"(?:{before})\s+", weekdays, ""),
        _build_form("", weekdays, rf"\s+(?:{parts})\b"),
        _build_form("", weekdays, _CLOCK),
    )


def _build_form(before: str, stands_for: dict[str, str], behind: str) -> _Form:
    listed = "|".join(sorted(map(fold, stands_for), key=len, reverse=True))
    accented = "|".join(sorted(stands_for, key=len, reverse=True))
    pattern = compiled(rf"(?i){_EDGE}{before}({accented}|{listed})(\.?){behind or _END}")
    return _Form(pattern, {fold(form): whole for form, whole in stands_for.items()})
