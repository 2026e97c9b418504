"""Media queries, answered for a person who reads mail at a desk (Media Queries 4).

One reader is asked about: a window of 1024 by 768 pixels, in colour, in light mode. What is shown
on telephones only, or in dark mode only, is not what this reader sees.
"""

from collections.abc import Callable
from functools import lru_cache

from tasks.core.markup.css import is_understood
from tasks.core.markup.lengths import VIEWPORT, pixels
from tasks.core.patterns import compiled

_TYPES = frozenset({"all", "screen"})
_KEYWORDS = {
    "orientation": "landscape", "prefers-color-scheme": "light", "hover": "hover",
    "any-hover": "hover", "pointer": "fine", "any-pointer": "fine", "scan": "progressive",
    "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "forced-colors": "none", "inverted-colors": "none", "update": "fast", "grid": "0",
    "overflow-block": "scroll", "overflow-inline": "scroll", "scripting": "none",
    "display-mode": "browser", "color-gamut": "srgb", "dynamic-range": "standard",
}  # fmt: skip
_SIZES = {
    "width": VIEWPORT[0], "device-width": VIEWPORT[0], "height": VIEWPORT[1],
    "device-height": VIEWPORT[1], "color": 8.0, "monochrome": 0.0, "color-index": 0.0,
    "resolution": 1.0, "-webkit-device-pixel-ratio": 1.0, "device-pixel-ratio": 1.0,
    "aspect-ratio": 4 / 3, "device-aspect-ratio": 4 / 3,
}  # fmt: skip
_BRACKETS = compiled(r"\(([^()]*)\)")
_COMPARED = compiled(r"^([^<>=]*?)\s*(<=|>=|<|>|=)\s*([^<>=]*?)(?:\s*(<=|>=|<|>)\s*([^<>=]*))?$")
_ASKED = compiled(r"\b(?:selector|font-tech|font-format)\((?:[^()]|\([^()]*\))*\)")
"""What browsers of today understand of selectors and fonts is not told apart here."""
_RATIO = compiled(r"^([0-9.]+)\s*/\s*([0-9.]+)$")
QUERY_CHARACTERS = 2_000
"""Characters of a query that are read; a longer one does not hold."""


@lru_cache(maxsize=256)
def media_holds(query: str) -> bool:
    """Return whether any query of a comma-separated list (lower case) holds; an empty one does."""
    query = query.strip()
    if not query:
        return True
    if len(query) > QUERY_CHARACTERS:
        return False
    return any(_query_holds(part.strip()) for part in query.split(","))


@lru_cache(maxsize=256)
def supports_holds(condition: str) -> bool:
    """Return whether a browser would understand what `@supports` asks for (CSS Conditional 4)."""
    if len(condition) > QUERY_CHARACTERS:
        return False
    return _query_holds(_ASKED.sub("(display: block)", condition.strip()), _is_understood)


def _is_understood(feature: str) -> bool:
    """Whether a browser would understand a declaration."""
    name, colon, value = (part.strip() for part in feature.partition(":"))
    return bool(colon) and bool(value) and is_understood(name, value)


def _query_holds(query: str, holds: Callable[[str], bool] | None = None) -> bool:
    """Whether one query holds; `holds` tells whether what stands in brackets does."""
    negated = query.startswith(("not ", "not("))
    query = query.removeprefix("not").removeprefix(" only ").strip() if negated else query
    query = query.removeprefix("only ").strip()
    for _ in range(20):  # conditions in brackets, innermost first
        reduced = _BRACKETS.sub(
            lambda match: _condition(match.group(1), holds or _feature_holds), query
        )
        if reduced == query:
            break
        query = reduced
    return _all_words(query) is not negated


def _condition(inside: str, holds: Callable[[str], bool]) -> str:
    """Return `+` or `-` for what stands in brackets."""
    inside = " ".join(inside.split())
    if inside and set(inside.replace("and", "").replace("or", "").replace("not", "")) <= set("+- "):
        return "+" if _all_words(inside) else "-"
    return "+" if holds(inside) else "-"


def _all_words(condition: str) -> bool:
    """Return the value of media types and decided features joined by `and`, `or` and `not`."""
    return any(
        all(_word_holds(word.strip()) for word in part.split(" and "))
        for part in condition.split(" or ")
    )


def _word_holds(word: str) -> bool:
    """Whether a media type or a decided feature holds."""
    if word.startswith("not "):
        return not _word_holds(word[4:].strip())
    return word == "+" or word in _TYPES


def _feature_holds(feature: str) -> bool:
    """Whether a feature such as `min-width: 600px` or `width >= 600px` holds."""
    name, colon, value = (part.strip() for part in feature.partition(":"))
    if not colon:
        if match := _COMPARED.match(feature):
            return _range_holds(match.groups())
        return name in _KEYWORDS or _SIZES.get(name, 0.0) > 0
    if name in _KEYWORDS:
        return _KEYWORDS[name] == value
    # The older spelling puts the prefix inside: -webkit-min-device-pixel-ratio.
    for sign, test in (("min-", "<="), ("max-", ">=")):
        if name.startswith((sign, f"-webkit-{sign}")):
            size = _SIZES.get(name.replace(sign, "", 1))
            return size is not None and _compare(_number(value), test, size)
    return name in _SIZES and _compare(_number(value), "=", _SIZES[name])


def _range_holds(parts: tuple[str | None, ...]) -> bool:
    """Whether `a < b` or `a < b < c` holds."""
    left, sign, middle, second_sign, right = (part or "" for part in parts)
    if not _compare(_side(left), sign, _side(middle)):
        return False
    return not second_sign or _compare(_side(middle), second_sign, _side(right))


def _side(text: str) -> float | None:
    """Return the number that one side of a comparison stands for."""
    return _SIZES[text.strip()] if text.strip() in _SIZES else _number(text.strip())


def _number(value: str) -> float | None:
    """Return a length, a ratio or a resolution as a number."""
    if match := _RATIO.match(value):
        try:
            return float(match.group(1)) / float(match.group(2))
        except (ValueError, ZeroDivisionError):
            return None
    for unit, size in (("dppx", 1.0), ("dpi", 96.0), ("dpcm", 37.8)):
        if value.endswith(unit):
            length = pixels(value.removesuffix(unit), 16.0)
            return None if length is None else length / size
    return pixels(value, 16.0)


def _compare(left: float | None, sign: str, right: float | None) -> bool:
    """Compare two numbers; what is not known compares false."""
    if left is None or right is None:
        return False
    return {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
        "=": abs(left - right) < 0.01,
    }[sign]
