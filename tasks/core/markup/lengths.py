"""Lengths, numbers and angles of CSS in one unit each, what they are computed from included.

(CSS Values and Units 4: `calc()`, `min()`, `max()` and `clamp()` are worked out.)
"""

import math
from collections.abc import Callable
from functools import lru_cache

from tasks.core.patterns import compiled

VIEWPORT = (1024.0, 768.0)
"""Pixels of the window that style sheets are read for: that of a person at a desk."""
LONGEST = 1_000
"""Characters of a value that is worked out."""
_DEEPEST = 20
_LONGEST_SUM = 300

_PIXELS = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945,
    "vw": VIEWPORT[0] / 100, "vh": VIEWPORT[1] / 100, "vmin": 7.68, "vmax": 10.24,
    "vi": 10.24, "vb": 7.68, "dvw": 10.24, "dvh": 7.68, "svw": 10.24, "svh": 7.68, "lvw": 10.24,
    "lvh": 7.68, "cqw": 6.0, "cqh": 6.0,
}  # fmt: skip
_OF_FONT = {"em": 1.0, "ex": 0.5, "ch": 0.5, "cap": 0.7, "ic": 1.0, "lh": 1.2}
_OF_ROOT = {"rem": 1.0, "rlh": 1.2, "rex": 0.5, "rch": 0.5}
_DEGREES = {"deg": 1.0, "turn": 360.0, "rad": 57.29578, "grad": 0.9}
_KEYWORD_SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0,
    "x-large": 24.0, "xx-large": 32.0, "xxx-large": 48.0, "math": 16.0,
}  # fmt: skip
SIZE_WORDS = frozenset({"smaller", "larger", *_KEYWORD_SIZES})
"""Words that `font-size` takes."""

_NUMBER = r"[+-]?[0-9]*\.?[0-9]+(?:e[+-]?[0-9]{1,3})?"
_LENGTH = compiled(rf"^({_NUMBER})([a-z]{{1,4}}|%)?$")
_APART = str.maketrans({mark: f" {mark} " for mark in "(),*/"})
_FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "": lambda item: item[0],
    "calc": lambda item: item[0],
    "-webkit-calc": lambda item: item[0],
    "min": min,
    "max": max,
    "clamp": lambda item: max(item[0], min(item[1:])),
    "abs": lambda item: abs(item[0]),
    "sign": lambda item: float((item[0] > 0) - (item[0] < 0)),
    "mod": lambda item: item[0] % item[1],
    "rem": lambda item: math.fmod(item[0], item[1]),
    "pow": lambda item: math.pow(item[0], item[1]),
    "exp": lambda item: math.exp(item[0]),
    "sqrt": lambda item: math.sqrt(item[0]),
    "hypot": lambda item: math.hypot(*item),
    "sin": lambda item: math.sin(item[0]),
    "cos": lambda item: math.cos(item[0]),
    "tan": lambda item: math.tan(item[0]),
    "round": lambda item: round(item[0] / (item[1:] or [1.0])[0]) * (item[1:] or [1.0])[0],
}
_CONSTANTS = {
    "pi": math.pi, "e": math.e, "infinity": 1e9, "-infinity": -1e9, "nan": 0.0,
}  # fmt: skip
_Resolve = Callable[[float, str], float | None]


class _UnreadableError(Exception):
    """A value is none that can be worked out."""


@lru_cache(maxsize=2048)
def pixels(value: str, size: float, whole: float | None = None, root: float = 16.0) -> float | None:
    """Return a CSS length in pixels; None when it is none that is known.

    `size` is the font size, for `em`; `whole` is what percentages are of, by default `size`;
    `root` is the font size of the page, for `rem`. A bare number counts as pixels.
    """

    def resolve(number: float, unit: str) -> float | None:
        if unit in ("", "px"):
            return number
        if unit == "%":
            return number * (size if whole is None else whole) / 100
        if unit in _OF_FONT:
            return number * size * _OF_FONT[unit]
        if unit in _OF_ROOT:
            return number * root * _OF_ROOT[unit]
        return number * _PIXELS[unit] if unit in _PIXELS else None

    return _worked_out(value, resolve)


@lru_cache(maxsize=1024)
def fraction(value: str) -> float | None:
    """Return a number, or a percentage as a fraction of one; None when it is neither."""
    return _worked_out(value, lambda number, unit: {"": number, "%": number / 100}.get(unit))


@lru_cache(maxsize=512)
def degrees(value: str) -> float | None:
    """Return an angle in degrees, or None when it is none; zero needs no unit."""

    def resolve(number: float, unit: str) -> float | None:
        return number * _DEGREES[unit] if unit in _DEGREES else number if not unit else None

    return _worked_out(value, resolve)


def is_length(value: str) -> bool:
    """Whether a value is one number with a unit that is known, or with none."""
    match = _LENGTH.match(value)
    return match is not None and _has_unit(match.group(2) or "")


def is_bare_number(value: str) -> bool:
    """Whether a value is a number without a unit."""
    match = _LENGTH.match(value)
    return match is not None and match.group(2) is None


def _has_unit(unit: str) -> bool:
    return unit in ("", "%") or unit in _PIXELS or unit in _OF_FONT or unit in _OF_ROOT


def font_size(value: str, inherited: float, root: float = 16.0) -> float:
    """Return the font size that a value of `font-size` sets, in pixels."""
    if value in _KEYWORD_SIZES:
        return _KEYWORD_SIZES[value]
    if value in ("smaller", "larger"):
        return inherited * (5 / 6 if value == "smaller" else 1.2)
    if value in ("inherit", "unset", "revert", "revert-layer"):
        return inherited
    if value == "initial":
        return 16.0
    size_read = pixels(value, inherited, None, root)
    if size_read is None:
        return inherited
    return max(size_read, 0.0) if "(" in value else size_read if size_read >= 0 else inherited


def _worked_out(value: str, resolve: _Resolve) -> float | None:
    """Return the value of a number with its unit, or of a calculation with them."""
    match = _LENGTH.match(value)
    if match is not None:
        return resolve(float(match.group(1)), match.group(2) or "")
    if "(" not in value or len(value) > LONGEST:
        return None
    try:
        tokens = _tokens(value, resolve)
        result, at = _sum(tokens, 0, 0)
    except (_UnreadableError, ArithmeticError, ValueError, IndexError):
        return None
    return result if at >= len(tokens) else None


def _tokens(value: str, resolve: _Resolve) -> list[float | str]:
    """Return the numbers of a calculation, in one unit, and the signs and names between them."""
    tokens: list[float | str] = []
    for word in value.translate(_APART).split():
        if not (word[-1].isalnum() or word[-1] == "%") or word in _FUNCTIONS:
            tokens.append(word)
            continue
        match = _LENGTH.match(word)
        number = resolve(float(match.group(1)), match.group(2) or "") if match else None
        number = _CONSTANTS.get(word, number)
        if number is None or len(tokens) > _LONGEST_SUM:
            raise _UnreadableError
        tokens.append(number)
    return tokens


def _sum(tokens: list[float | str], at: int, depth: int) -> tuple[float, int]:
    """Return the value of `a + b - c` from `at`, and where it ends."""
    result, at = _product(tokens, at, depth)
    while at < len(tokens) and tokens[at] in ("+", "-"):
        other, after = _product(tokens, at + 1, depth)
        result += other if tokens[at] == "+" else -other
        at = after
    return result, at


def _product(tokens: list[float | str], at: int, depth: int) -> tuple[float, int]:
    """Return the value of `a * b / c` from `at`, and where it ends."""
    result, at = _single(tokens, at, depth)
    while at < len(tokens) and tokens[at] in ("*", "/"):
        other, after = _single(tokens, at + 1, depth)
        result = result * other if tokens[at] == "*" else result / other
        at = after
    return result, at


def _single(tokens: list[float | str], at: int, depth: int) -> tuple[float, int]:
    """Return the value of a number, a function or what stands in brackets."""
    sign = tokens[at]
    if isinstance(sign, float):
        return sign, at + 1
    name = "" if sign == "(" else sign
    at += sign != "("
    if name not in _FUNCTIONS or tokens[at] != "(" or depth > _DEEPEST:
        raise _UnreadableError
    numbers: list[float] = []
    while True:
        value, at = _sum(tokens, at + 1, depth + 1)
        numbers.append(value)
        if at >= len(tokens) or tokens[at] == ")":  # an open bracket is closed at the end
            break
        if tokens[at] != ",":
            raise _UnreadableError
    return _FUNCTIONS[name](numbers), at + 1
