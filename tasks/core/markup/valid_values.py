"""Values of properties that a browser of today would take; the others it throws away.

(CSS Syntax 3 section 9.) A value that is taken here and thrown away there would undo what hides.
"""

from tasks.core.markup.color import read_color
from tasks.core.markup.lengths import SIZE_WORDS, degrees, fraction, is_length, pixels
from tasks.core.patterns import compiled

EVERYWHERE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
"""Values that every property takes."""
FILLED_IN = ("var(", "env(", "attr(", "if(")
"""Functions in whose place something else is put before a value is read."""
_WORDS = {
    "display": frozenset({
        "none", "block", "inline", "inline-block", "flex", "inline-flex", "grid", "inline-grid",
        "table", "inline-table", "table-cell", "table-row", "table-row-group", "table-column",
        "table-column-group", "table-header-group", "table-footer-group", "table-caption",
        "list-item", "contents", "flow-root", "run-in", "block flow", "ruby", "-webkit-box",
        "-webkit-inline-box", "-webkit-flex", "-ms-flexbox",
    }),
    "visibility": frozenset({"visible", "hidden", "collapse"}),
    "position": frozenset({"static", "relative", "absolute", "fixed", "sticky"}),
    "mso-hide": frozenset({"all", "none", "screen"}),
    "content-visibility": frozenset({"visible", "hidden", "auto"}),
}  # fmt: skip
LENGTHS = frozenset({
    "width", "height", "max-width", "max-height", "text-indent", "line-height", "font-size",
    "left", "top", "right", "bottom", "margin-left", "margin-top", "margin-right",
    "margin-bottom", "padding-left", "padding-top", "padding-bottom", "min-height", "min-width",
    "letter-spacing", "z-index",
})  # fmt: skip
_LENGTH_WORDS = SIZE_WORDS | frozenset(
    {"auto", "none", "normal", "min-content", "max-content", "fit-content"}
)
_COLORS = frozenset({"color", "background-color", "-webkit-text-fill-color"})
_DRAWN = {
    "clip": frozenset({"rect"}),
    "clip-path": frozenset({
        "inset", "circle", "ellipse", "polygon", "path", "shape", "url", "rect", "xywh",
    }),
    "transform": frozenset({
        "matrix", "matrix3d", "perspective", *(
            f"{name}{axis}" for name in ("translate", "scale", "rotate", "skew")
            for axis in ("", "x", "y", "z", "3d")
        ),
    }),
    "filter": frozenset({
        "blur", "brightness", "contrast", "drop-shadow", "grayscale", "hue-rotate", "invert",
        "opacity", "saturate", "sepia", "url", "alpha",
    }),
    "offset-path": frozenset({"path", "ray", "url", "inset", "circle", "ellipse", "polygon"}),
}  # fmt: skip
"""Functions that say where and how an element is drawn."""
_DRAWN_WORDS = frozenset({
    "none", "auto", "border-box", "padding-box", "content-box", "margin-box", "fill-box",
    "stroke-box", "view-box",
})  # fmt: skip
_MEASURED = frozenset({"scale", "zoom", "translate", "rotate"})
_MEASURED_WORDS = frozenset({"none", "normal", "reset", "x", "y", "z"})
_OTHERS = frozenset({
    "background-image", "background-clip", "white-space", "mask-image", "mask-size",
    "backface-visibility", "text-shadow", "mix-blend-mode", "-webkit-text-security", "animation",
    "animation-name", "animation-fill-mode", "fill", "contain", "grid-template-rows",
    "grid-template-columns", "flex",
})  # fmt: skip
_NUMBERS = frozenset({"opacity", "fill-opacity", "font-size-adjust"})
_CALLS = compiled(r"([a-z][a-z0-9-]*)\(((?:[^()]|\([^()]*\))*)\)")


def valid(name: str, value: str) -> bool:
    """Whether a browser would take the value, for the properties that matter here."""
    if value in EVERYWHERE or ("(" in value and any(filled in value for filled in FILLED_IN)):
        return name in _KNOWN
    if name in _WORDS:
        return value in _WORDS[name]
    if name in LENGTHS:
        return (
            value in _LENGTH_WORDS
            or is_length(value)
            or ("(" in value and (value.startswith("fit") or pixels(value, 16.0, 1.0) is not None))
        )
    if name in _COLORS:
        return value == "currentcolor" or read_color(value) is not None
    if name in _NUMBERS:
        return is_length(value) or fraction(value) is not None
    if name in _DRAWN:
        return _is_drawn(name, value)
    if name in _MEASURED:
        return all(
            word in _MEASURED_WORDS or _is_measure(word)
            for word in (value.split() if "(" not in value else [value])
        )
    return name in _OTHERS


def _is_drawn(name: str, value: str) -> bool:
    """Whether a value is made of shapes, transforms or filters that there are."""
    calls_read = _CALLS.findall(value)
    if not calls_read:
        return all(word in _DRAWN_WORDS for word in value.split()) or value.startswith("progid")
    if any(called not in _DRAWN[name] for called, _ in calls_read):
        return value.startswith("progid")
    if name != "transform":
        return True
    return all(_is_measure(part.strip()) for _, inside in calls_read for part in inside.split(","))


def _is_measure(word: str) -> bool:
    """Whether a word is a number, a length, a share or an angle."""
    return pixels(word, 16.0) is not None or degrees(word) is not None or fraction(word) is not None


_KNOWN = frozenset({*_WORDS, *LENGTHS, *_COLORS, *_NUMBERS, *_DRAWN, *_MEASURED, *_OTHERS})
