"""JSON that others have written, read without guessing: an object, each name once."""

import json
import math
from typing import Any, NoReturn

MOST_DEPTH = 32
"""Objects and lists within each other that anything of ours can take."""
_EXACT = 2**53
"""Below it a whole number is the same as a float."""


def read_object(text: str) -> dict[str, Any]:
    """Return the object that a text is.

    Raises:
        ValueError: it is none, a name is there twice, or a value is one that nothing takes; it says
            what and where.

    """
    try:
        read = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise ValueError(f"nested deeper than {MOST_DEPTH} levels") from error
    if not isinstance(read, dict):
        raise ValueError("no object")  # noqa: TRY004  # of a text, which has the right type
    if flaw := flaw_of(read):
        raise ValueError(flaw)
    return read


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in read if names.count(name) > 1)
        raise ValueError(f"{twice[:60]!r} is there twice")
    return read


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def flaw_of(value: object, place: str = "", depth: int = 1) -> str:
    """Return what of a value nothing takes, whatever it is for, with its place; empty for nothing.

    That is a number that is not finite, text with half of a pair of surrogates, and what is nested
    deeper than `MOST_DEPTH`.
    """
    begin = f"{place}: " if place else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"{begin}a number that is not finite"
    if isinstance(value, str):
        return "" if _is_text(value) else f"{begin}text that cannot be encoded"
    if not isinstance(value, dict | list | tuple):
        return ""
    if depth > MOST_DEPTH:
        return f"{place[:60]}: nested deeper than {MOST_DEPTH} levels"
    named_parts = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in named_parts:
        if isinstance(name, str) and not _is_text(name):
            return f"{begin}a name that cannot be encoded"
        within = f"{place}.{name}" if place else str(name)
        if flaw := flaw_of(part, within, depth + 1):
            return flaw
    return ""


def _is_text(text: str) -> bool:
    return text.isascii() or text.encode("utf-8", "replace").decode() == text


def with_whole_numbers(value: object) -> object:
    """Return a value in which 3.0 is 3, which for JSON is the same number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, dict):
        return {name: with_whole_numbers(part) for name, part in value.items()}
    return (
        [with_whole_numbers(part) for part in value] if isinstance(value, list | tuple) else value
    )
