"""Colours that are made of others: `color-mix()`, `rgb(from …)` and `calc()` in their parts.

(CSS Color 5.) Mixed is in red, green and blue whatever space is named: a first version, near enough
to tell whether letters are seen.
"""

from collections.abc import Callable

import re2

from tasks.core.markup.lengths import fraction
from tasks.core.patterns import compiled

_Color = tuple[int, int, int, float]
_MIX = compiled(r"^color-mix\(\s*(?:in [a-z0-9 -]+,)?(.*)\)$")
_PART = r"(?:[^\s()]+|calc\([^()]*\))"
_FROM = compiled(rf"^([a-z]+)\(\s*from\s+(.+?)\s+({_PART}(?:\s+{_PART}){{2,4}})\s*\)$")
_CALC = compiled(r"calc\(([^()]*)\)")
_SHARE = compiled(r"\s([0-9]*\.?[0-9]+)%$")
_LETTERS = frozenset({
    "r g b", "h s l", "h w b", "l a b", "l c h", "x y z", "r g b / alpha", "h s l / alpha",
    "h w b / alpha", "l a b / alpha", "l c h / alpha",
})  # fmt: skip
LONGEST = 300
"""Characters of a colour that is worked out."""


def mixed_color(value: str, read: Callable[[str], _Color | None]) -> _Color | None:
    """Return the colour of a value that names others, by a function that reads those."""
    if len(value) > LONGEST or "(" not in value:
        return None
    if match := _MIX.match(value):
        return _mixed(match.group(1), read)
    if match := _FROM.match(value):
        return _derived(match.group(1), match.group(2), match.group(3), read)
    if "calc(" in value:
        plain = _CALC.sub(_worked_out, value)
        return None if "calc(" in plain else read(plain)
    return None


def _worked_out(match: "re2._Match") -> str:
    """Return the number that a `calc()` comes to; a share stays one."""
    share = fraction(match.group())
    if share is None:
        return "?"
    return f"{share * 100:.3f}%" if "%" in match.group(1) else f"{share:.3f}"


def _mixed(inside: str, read: Callable[[str], _Color | None]) -> _Color | None:
    """Return the mixture of two colours with their shares."""
    halves, depth = [""], 0
    for mark_match in inside:
        depth += (mark_match == "(") - (mark_match == ")")
        if mark_match == "," and depth == 0:
            halves.append("")
        else:
            halves[-1] += mark_match
    if len(halves) != 2:
        return None
    halves = [half.strip() for half in halves]
    matches = [_SHARE.search(half) for half in halves]
    first, second = (
        read((half if one is None else half[: one.start()]).strip())
        for half, one in zip(halves, matches, strict=True)
    )
    if first is None or second is None:
        return None
    shares = [None if match is None else float(match.group(1)) for match in matches]
    share = (
        shares[0] if shares[0] is not None else 100 - shares[1] if shares[1] is not None else 50.0
    )
    other = shares[1] if shares[1] is not None else 100 - share
    part = share / (share + other) if share + other else 0.5
    red, green, blue = (
        round(a * part + b * (1 - part)) for a, b in zip(first[:3], second[:3], strict=True)
    )
    return (red, green, blue, first[3] * part + second[3] * (1 - part))


def _derived(
    name: str, source: str, parts: str, read: Callable[[str], _Color | None]
) -> _Color | None:
    """Return a colour whose parts are those of another, or are given anew."""
    color = read(source.strip())
    if color is None or " ".join(parts.split()) in _LETTERS:
        return color
    if name in ("rgb", "rgba"):
        values = {"r": color[0], "g": color[1], "b": color[2], "alpha": color[3]}
        parts = " ".join(str(values.get(part, part)) for part in parts.split())
    return read(f"{name}({parts})")
