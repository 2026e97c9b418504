"""From what a person types into a search field to what is looked for.

Words stand beside each other in any order; quotes hold words together; `from:`, `to:`, `subject:`
and `file:` look into one field; `before:`, `after:`, `has:`, `is:` and `tag:` are conditions; a
minus sign before anything leaves out what has it.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, tzinfo
from typing import Literal, NamedTuple

from data.errors import SearchError
from data.records.core.search import SearchCondition, SearchQuery, SearchTerm, SearchTokens
from data.states import CaseState, MessageStatus, ThreadStatus
from tasks.core.search.document import FIELDS, SHORTEST_BEGINNING, beginning_token
from tasks.core.search.words import parts_of, spelt_out, tokens_in_languages

LONGEST_QUERY, MOST_TERMS = 500, 24
CONDITIONS = ("before", "after", "has", "is", "tag")
OPERATORS = (*FIELDS, *CONDITIONS)
HAS = ("attachment",)
IS = tuple(
    dict.fromkeys(
        (
            *map(str, ThreadStatus),
            *map(str, MessageStatus),
            *map(str, CaseState),
            "clean",
            "flagged",
            "urgent",
            "automated",
        )
    )
)
"""What `is:` knows: states of messages, cases and conversations, verdicts, and two more."""
_OPENING = {'"': '"', "“": "”", "„": "“”", "«": "»", "”": "”"}
_OPERATORS_ELSEWHERE = frozenset(
    """
    cc bcc label in category larger smaller size older newer older_than newer_than filename
    attachment list deliveredto sender recipient body text date sent received since until status
    state priority assignee contains near not and or account folder flag
    """.split()  # noqa: SIM905  # a list of words reads best as one
)


class _Word(NamedTuple):
    """One piece of the typed text."""

    excluded: bool
    operator: str
    """Empty for a plain word or phrase."""
    text: str
    quoted: bool


def understand(typed: str, zone: tzinfo) -> SearchQuery:
    """Return what `typed` asks for; days begin where the organization is (`zone`).

    Raises:
        SearchError: an operator is unknown, or its value is none; the sentence says which are.

    """
    if len(typed) > LONGEST_QUERY:
        raise SearchError(f"a search has at most {LONGEST_QUERY} characters; leave some words out")
    terms: list[SearchTerm] = []
    conditions: list[SearchCondition] = []
    for word in _words(typed):
        if word.operator in CONDITIONS:
            conditions.append(_condition(word, zone))
        else:
            terms += _terms(word)
    if len(terms) > MOST_TERMS:
        raise SearchError(f"a search has at most {MOST_TERMS} words; leave some out")
    words = " ".join(typed.lower().split())
    return SearchQuery(terms=tuple(terms), conditions=tuple(conditions), typed=words)


def _words(typed: str) -> Iterator[_Word]:
    at, length = 0, len(typed)
    while at < length:
        if typed[at].isspace():
            at += 1
            continue
        excluded = typed[at] in "-−" and at + 1 < length and not typed[at + 1].isspace()
        at += excluded
        operator, at = _operator(typed, at)
        text, quoted, at = _value(typed, at)
        if operator and not text.strip():
            raise SearchError(_needs_value(operator))
        yield _Word(excluded, operator, text, quoted)


def _operator(typed: str, at: int) -> tuple[str, int]:
    """Return the operator that begins at `at`, or nothing, and where its value begins.

    Raises:
        SearchError: it looks like one and is none.

    """
    end = at
    while end < len(typed) and (typed[end].isalpha() or typed[end] == "_"):
        end += 1
    if end == at or typed[end : end + 1] not in (":", "："):
        return "", at
    name, value = typed[at:end], typed[end + 1 :].split(maxsplit=1)[:1]
    if name.lower() in OPERATORS:
        return name.lower(), end + 1
    if not value or typed[end + 1].isspace() or not _is_mistaken(name, value[0]):
        return "", at
    raise SearchError(
        f"there is no operator {name + ':'!r}; there are {_join_names(OPERATORS, ':')}. "
        f'To look for the text itself put it in quotes: "{name}:{value[0]}"'
    )


def _is_mistaken(name: str, value: str) -> bool:
    """Return whether `name:value` was meant as an operator, and is no link, time or number."""
    low = name.lower()
    if low in _OPERATORS_ELSEWHERE or any(_near(low, operator) for operator in OPERATORS):
        return True
    return name.islower() and not value.startswith("//") and not any(map(str.isdigit, value))


def _near(first: str, other: str) -> bool:
    """Return whether two words differ by one letter, or by two in each other's places."""
    if abs(len(first) - len(other)) > 1 or min(len(first), len(other)) < 3:
        return False
    short, long = sorted((first, other), key=len)
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), None)
    if same is None:
        return True
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same : same + 2] == long[same : same + 2][::-1]
    return short[same + 1 :] == long[same + 1 :] or (
        swapped and short[same + 2 :] == long[same + 2 :]
    )


def _value(typed: str, at: int) -> tuple[str, bool, int]:
    """Return the word or phrase that begins at `at`, whether it was quoted, and where it ends."""
    if closing := _OPENING.get(typed[at : at + 1]):
        end = next((i for i in range(at + 1, len(typed)) if typed[i] in closing), None)
        if end is None:
            raise SearchError(
                f"the quote before {typed[at + 1 : at + 31]!r} is not closed; close it, "
                "or leave it out"
            )
        return typed[at + 1 : end], True, end + 1
    end = at
    while end < len(typed) and not typed[end].isspace():
        end += 1
    return typed[at:end], False, end


def _terms(word: _Word) -> list[SearchTerm]:
    scope = f"{word.operator}:" if word.operator else ""
    if word.quoted:
        phrase = word.text.split()
        phrases = _phrases(phrase, scope)
        return [SearchTerm(alternatives=phrases, excluded=word.excluded)] if phrases else []
    starred = word.text.endswith("*")
    text = word.text.rstrip("*") if starred else word.text
    parts = parts_of(text)
    if starred and sum(map(len, parts)) < SHORTEST_BEGINNING:
        raise SearchError(
            f"{word.text!r} is too short; a beginning with * needs {SHORTEST_BEGINNING} letters"
        )
    if not parts:
        return []
    alternatives = dict.fromkeys(_phrases([text], scope))
    for written in dict.fromkeys((parts, parts_of(spelt_out(text)))):
        joined = "".join(written)
        if len(written) > 1:
            alternatives |= dict.fromkeys(
                (scope + token,) for (token,) in tokens_in_languages((joined,))
            )
        if start := beginning_token(joined, scope):
            alternatives[(start,)] = None
    return [SearchTerm(alternatives=tuple(alternatives), excluded=word.excluded)]


def _phrases(runs: Sequence[str], scope: str) -> tuple[SearchTokens, ...]:
    """Return these runs as tokens side by side, in every language and with umlauts either way."""
    plain = tuple(part for run in runs for part in parts_of(run))
    spelt = tuple(part for run in runs for part in parts_of(spelt_out(run)))
    token_rows = dict.fromkeys((*tokens_in_languages(plain), *tokens_in_languages(spelt)))
    return tuple(tuple(scope + token for token in tokens) for tokens in token_rows if tokens)


def _condition(word: _Word, zone: tzinfo) -> SearchCondition:
    value = word.text.strip().casefold()
    name: Literal["before", "after", "has", "is", "tag"] = word.operator  # type: ignore[assignment]
    at: datetime | None = None
    if name in ("before", "after"):
        day = _day(name, word.text.strip())
        value, at = day.isoformat(), datetime.combine(day, time.min, zone)
    elif name == "has":
        value = "attachment" if value in ("attachments", "file", "files") else value
        _check(name, value, HAS)
    elif name == "is":
        value = value.replace(" ", "_").replace("-", "_")
        _check(name, value, IS)
    return SearchCondition(field=name, value=value, at=at, excluded=word.excluded)


def _check(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise SearchError(f"{name}: knows no {value!r}; it knows {_join_names(allowed)}")


def _day(name: str, value: str) -> date:
    """Return the day of `2026-03-01`, or the first one of `2026-03` or `2026`."""
    pieces = value.replace("/", "-").replace(".", "-").split("-")
    numbers = [int(piece) for piece in pieces if piece.isascii() and piece.isdigit()]
    wrong = len(numbers) != len(pieces) or len(pieces[0]) != 4 or len(pieces) > 3
    try:
        year, month, day = (0, 0, 0) if wrong else (*numbers, 1, 1)[:3]
        return date(year, month, day)
    except ValueError as error:
        raise SearchError(
            f"{name}: needs a day as 2026-03-01, a month as 2026-03 or a year, not {value!r}"
        ) from error


def _needs_value(operator: str) -> str:
    examples = {"before": "2026-03-01", "after": "2026-03-01", "has": "attachment", "is": "urgent"}
    example = f"{operator}:{examples.get(operator, 'word')}"
    return f"{operator}: needs a value right behind it, as in {example}"


def _join_names(names: Sequence[str], mark: str = "") -> str:
    return ", ".join(f"{name}{mark}" for name in names)
