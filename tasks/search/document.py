"""From a message to its document in the index: one text of tokens, with a space between them.

First the fields, word by word in the order in which they are read, so that phrases are found; then
each field once more with its name before every token (`subject:invoic`); then what has no order:
joined parts (`e-mail` as `email`) and beginnings of words, marked by `<`. Between fields, and
between tokens that have no order, stands `|`, over which no phrase reaches.
"""

from collections.abc import Iterator

from data.records.core.search import MailText
from tasks.search.words import parts_of, spelt_out, token_of

LONGEST_BODY = 60_000
"""Characters of a body that are searched."""
SHORTEST_BEGINNING, LONGEST_BEGINNING, LONGEST_OF_CODE = 3, 12, 24
"""Characters of a beginning that is found; more where it holds a digit, as serial numbers do."""
MOST_PARTS = 8
"""Parts of a run at which a beginning may begin."""
AROUND = 4
"""Words on each side of one with an umlaut that are written once more, so that phrases hold it."""
GAP, BEGINNING = "|", "<"
FIELDS = {"subject": "subject", "from": "sender", "to": "recipients", "file": "files"}
"""The operators that look into one field, and the field."""


def document(text: MailText, language: str) -> str:
    """Return the document of a message that is written in `language` (ISO 639-1).

    It begins and ends with a space, so that tokens stand in it exactly if they do between spaces.
    """
    tokens: list[str] = []
    loose: dict[str, None] = {}
    for scope, name in FIELDS.items():
        runs = getattr(text, name).split()
        tokens += _stream(runs, language, "")
        tokens += _stream(runs, language, f"{scope}:")
        _loosen(loose, runs, language, f"{scope}:")
        _loosen(loose, runs, language, "")
    body = text.body[:LONGEST_BODY]
    runs = body.split()
    tokens += _stream(runs, language, "")
    _loosen(loose, runs, language, "")
    for token in loose:
        tokens += (token,) if BEGINNING in token else (token, GAP)
    return f" {' '.join(tokens)} "


def beginning(word: str, scope: str = "") -> str | None:
    """Return the token for whatever begins with `word` (folded), or None where it has none."""
    longest = _longest(word)
    return f"{scope}{BEGINNING}{word}" if SHORTEST_BEGINNING <= len(word) <= longest else None


def _stream(runs: list[str], language: str, scope: str) -> Iterator[str]:
    """Yield the tokens in order, and once more with umlauts spelt out where there are any."""
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
        first, last = max(reached + 1, place - AROUND), min(len(runs) - 1, place + AROUND)
        if first > reached + 1:
            yield GAP
        for run in spelt[first : last + 1]:
            for part in parts_of(run):
                yield scope + token_of(part, language)
        reached = max(reached, last)
    if changed:
        yield GAP


def _loosen(loose: dict[str, None], runs: list[str], language: str, scope: str) -> None:
    """Add joined parts and beginnings of these runs to `loose`."""
    for run in dict.fromkeys(runs):
        spelt = spelt_out(run)
        for written in (run, spelt) if spelt != run else (run,):
            parts = parts_of(written)
            if 1 < len(parts) <= MOST_PARTS:
                loose[scope + token_of("".join(parts), language)] = None
            for first in range(min(len(parts), MOST_PARTS)):
                word = "".join(parts[first : first + MOST_PARTS])
                for length in range(SHORTEST_BEGINNING, min(len(word), _longest(word)) + 1):
                    loose[f"{scope}{BEGINNING}{word[:length]}"] = None


def _longest(word: str) -> int:
    return LONGEST_OF_CODE if any(map(str.isdigit, word)) else LONGEST_BEGINNING
