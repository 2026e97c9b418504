"""From a message to its document in the index: one text of tokens, with a space between them.

First the fields, word by word in the order in which they are read, so that phrases are found; then
each field once more with its name before every token (`subject:invoic`); then what has no order:
joined parts (`e-mail` as `email`) and beginnings of words, marked by `<`. Between fields, and
between tokens that have no order, stands `|`, over which no phrase reaches. A run is what stands
between spaces, a part one of the words in it.
"""

from collections.abc import Iterator

from data.records.core.search import MailText
from tasks.core.search.words import parts_of, spelt_out, token_of

LONGEST_BODY = 60_000
"""Characters of a body that are searched."""
SHORTEST_BEGINNING, LONGEST_BEGINNING, LONGEST_OF_CODE = 3, 12, 24
"""Least and most characters of a beginning; more where it holds a digit, as serial numbers do."""
MOST_PARTS = 8
"""Parts of a run at which a beginning may begin, and most parts that are joined to one word."""
RUNS_AROUND = 4
"""Runs on each side of one with an umlaut that are written once more, so that phrases hold it."""
GAP, BEGINNING = "|", "<"
"""The token over which no phrase reaches, and what marks a beginning of a word."""
FIELDS = {"subject": "subject", "from": "sender", "to": "recipients", "file": "files"}
"""The operators that look into one field, and the field."""


def make_document(text: MailText, language: str) -> str:
    """Return the document of a message that is written in `language` (ISO 639-1).

    It begins and ends with a space, so that tokens stand in it exactly if they do between spaces.
    """
    tokens: list[str] = []
    unordered: dict[str, None] = {}
    for scope, name in FIELDS.items():
        runs = getattr(text, name).split()
        tokens += _ordered_tokens(runs, language, "")
        tokens += _ordered_tokens(runs, language, f"{scope}:")
        _add_unordered(unordered, runs, language, f"{scope}:")
        _add_unordered(unordered, runs, language, "")
    body = text.body[:LONGEST_BODY]
    runs = body.split()
    tokens += _ordered_tokens(runs, language, "")
    _add_unordered(unordered, runs, language, "")
    for token in unordered:
        tokens += (token,) if BEGINNING in token else (token, GAP)
    return f" {' '.join(tokens)} "


def beginning_token(word: str, scope: str = "") -> str | None:
    """Return the token for whatever begins with `word` (folded), or None where it has none."""
    longest = _longest_beginning(word)
    return f"{scope}{BEGINNING}{word}" if SHORTEST_BEGINNING <= len(word) <= longest else None


def _ordered_tokens(runs: list[str], language: str, scope: str) -> Iterator[str]:
    """Yield the tokens of runs in order, then those around umlauts with these spelt out."""
    if not runs:
        return
    for run in runs:
        for part in parts_of(run):
            yield scope + token_of(part, language)
    yield GAP
    spelt = [spelt_out(run) for run in runs]
    changed = [place for place, run in enumerate(spelt) if run != runs[place]]
    reached = -1
    for place in changed:
        first, last = max(reached + 1, place - RUNS_AROUND), min(len(runs) - 1, place + RUNS_AROUND)
        if first > reached + 1:
            yield GAP
        for run in spelt[first : last + 1]:
            for part in parts_of(run):
                yield scope + token_of(part, language)
        reached = max(reached, last)
    if changed:
        yield GAP


def _add_unordered(unordered: dict[str, None], runs: list[str], language: str, scope: str) -> None:
    """Add the tokens of runs that have no order: joined parts, and beginnings of words."""
    for run in dict.fromkeys(runs):
        spelt = spelt_out(run)
        for written in (run, spelt) if spelt != run else (run,):
            parts = parts_of(written)
            if 1 < len(parts) <= MOST_PARTS:
                unordered[scope + token_of("".join(parts), language)] = None
            for first in range(min(len(parts), MOST_PARTS)):
                word = "".join(parts[first : first + MOST_PARTS])
                for length in range(
                    SHORTEST_BEGINNING, min(len(word), _longest_beginning(word)) + 1
                ):
                    unordered[f"{scope}{BEGINNING}{word[:length]}"] = None


def _longest_beginning(word: str) -> int:
    """Return how many characters a beginning of a word may have."""
    return LONGEST_OF_CODE if any(map(str.isdigit, word)) else LONGEST_BEGINNING
