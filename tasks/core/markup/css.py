"""Text of style sheets and style attributes as declarations (CSS Syntax 3, CSS Cascade 4).

What a browser would throw away is thrown away here, or `display:none;display:seen` would hide
text from its reader alone. Strings, comments and escapes are read as browsers read them.
"""

from functools import lru_cache

from tasks.core.markup.color import read_color
from tasks.core.markup.css_text import unescape, without_comments
from tasks.core.markup.lengths import SIZE_WORDS, is_bare_number, is_length
from tasks.core.markup.valid_values import EVERYWHERE, FILLED_IN, LENGTHS, valid
from tasks.core.patterns import compiled

Declarations = dict[str, str]
"""Property to value, both lower-cased."""

SMALL = 2.0
"""Pixels up to which nobody reads what is so big."""
STYLE_CHARACTERS = 8_000
"""Characters of one style attribute that are read, the data in it aside; a longer one hides."""

_SIDES = ("top", "right", "bottom", "left")
_AXES = {"inline": ("left", "right"), "block": ("top", "bottom")}
SIDES_OF = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}
"""Which of so many values counts for top, right, bottom and left."""
_SAME = {
    "block-size": "height", "inline-size": "width", "max-block-size": "max-height",
    "max-inline-size": "max-width", "min-block-size": "min-height", "min-inline-size": "min-width",
    "inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top",
    "inset-block-end": "bottom", "margin-inline-start": "margin-left",
    "margin-inline-end": "margin-right", "margin-block-start": "margin-top",
    "padding-inline-start": "padding-left", "overflow-block": "overflow-y",
    "overflow-inline": "overflow-x",
    **{
        f"-webkit-{name}": name
        for name in (
            "transform", "filter", "clip-path", "mask", "mask-image", "mask-size", "opacity",
            "background-clip", "backface-visibility", "animation", "animation-name",
            "animation-fill-mode",
        )
    },
}  # fmt: skip
"""Other names of a property, for text from left to right and from top to bottom."""
_SHORTHANDS = frozenset({
    "font", "background", "margin", "padding", "inset", "overflow", "overflow-x", "overflow-y",
    "mask", "margin-inline", "margin-block", "inset-inline", "inset-block",
})  # fmt: skip

_OTHERS = frozenset({
    "animation", "appearance", "-webkit-appearance", "aspect-ratio", "backdrop-filter", "border",
    "border-radius", "box-shadow", "column-count", "flex", "flex-wrap", "float", "font-family",
    "font-weight", "gap", "grid", "grid-area", "grid-template-columns", "justify-content",
    "align-items", "object-fit", "text-align", "text-decoration", "transition", "vertical-align",
    "border-color", "cursor", "box-sizing", "-webkit-box-orient", "-webkit-line-clamp",
})  # fmt: skip
"""Properties that do not matter here, and which style sheets ask for."""
_ADDRESS = compiled(r"(?i)url\(\s*[\"']?data:[^()]*\)")
_BACKGROUND_WORDS = frozenset({
    "none", "repeat", "repeat-x", "repeat-y", "no-repeat", "space", "round", "top", "bottom",
    "left", "right", "center", "cover", "contain", "auto", "scroll", "fixed", "local",
    "border-box", "padding-box", "content-box", "text", "/",
})  # fmt: skip


@lru_cache(maxsize=1024)
def read_declarations(style: str) -> tuple[Declarations, Declarations]:
    """Return the declarations that matter here, ordinary and important ones; not to be changed."""
    ordinary: Declarations = {}
    important: Declarations = {}
    if len(style) > STYLE_CHARACTERS:
        style = _ADDRESS.sub("url(x)", style)
    if len(style) > STYLE_CHARACTERS:  # whatever stands behind may hide
        return {}, {"display": "none"}
    style = without_comments(style)
    for piece in _pieces(style):
        name, colon, value = piece.partition(":")
        if not colon:
            continue
        name = unescape(name).strip().lower()
        name = _SAME.get(name, name)
        value = " ".join(unescape(value).lower().split())
        target = ordinary
        if "!" in value:
            value, _, mark = value.rpartition("!")
            if mark.strip() != "important":
                continue
            value, target = value.rstrip(), important
        if not value and not name.startswith("--"):  # of which an empty one is one
            continue
        if name in _SHORTHANDS and not is_open_value(value):
            expand(name, value, target)
        elif name == "all" and value in EVERYWHERE:
            target.clear()
            if value == "initial":
                target.update({"color": value, "font-size": value, "visibility": "visible"})
        elif name.startswith("--") or name in _SHORTHANDS or valid(name, value):
            target[name] = value
    return ordinary, important


def is_open_value(value: str) -> bool:
    """Whether something has to be put into a value before it can be read."""
    return "(" in value and any(mark in value for mark in FILLED_IN)


def is_shorthand(name: str) -> bool:
    """Whether a property stands for several."""
    return name in _SHORTHANDS


def is_understood(name: str, value: str) -> bool:
    """Whether a browser of today would take a declaration, whether it matters here or not."""
    if name.startswith("--") or name in _OTHERS or name in _SHORTHANDS:
        return True
    return valid(_SAME.get(name, name), value)


def _pieces(style: str) -> list[str]:
    """Return the declarations between semicolons; those in strings and brackets do not count."""
    pieces = style.split(";")
    if not ('"' in style or "'" in style or "(" in style or "\\" in style):
        return pieces
    split_pieces: list[str] = []
    pending = ""
    for piece in pieces:
        pending = f"{pending};{piece}" if pending else piece
        if not (_is_open(pending) and len(pending) < STYLE_CHARACTERS // 4):
            split_pieces.append(pending)
            pending = ""
    return [*split_pieces, pending]


def _is_open(text: str) -> bool:
    """Whether a string, a bracket or an escape of a declaration goes on behind its end."""
    return (
        text.count('"') % 2 == 1
        or text.count("'") % 2 == 1
        or text.count("(") > text.count(")")
        or text.endswith("\\")
    )


def expand(name: str, value: str, target: Declarations) -> None:
    """Write what a shorthand sets."""
    if name == "font":
        _font(value, target)
    elif name == "background":
        _background(value, target)
    elif name == "mask":
        target["mask-image"] = value
    elif name.startswith("overflow"):
        if name == "overflow" or "overflow" not in target or "visible" not in value:
            target["overflow"] = value
    elif len(words := _words(value, " ")) <= 4:
        name, _, axis = name.partition("-")
        ends = _AXES.get(axis, _SIDES)
        chosen = SIDES_OF[len(words)] if not axis else (0, len(words) - 1)
        for side, index in zip(ends, chosen, strict=True):
            full = side if name == "inset" else f"{name}-{side}"
            if full in LENGTHS and valid(full, words[index]):
                target[full] = words[index]


def _font(value: str, target: Declarations) -> None:
    """Write the size and line height of `font`; what a browser would refuse is left out."""
    for word in _words(value.replace(" /", "/").replace("/ ", "/"), " "):
        size, _, line = word.partition("/") if "(" not in word else (word, "", "")
        heavy = is_bare_number(size) and float(size) >= 100
        if heavy or not (is_length(size) or "(" in size or size in SIZE_WORDS):
            continue
        target["font-size"], target["line-height"] = size, line or "normal"
        return
    if value in EVERYWHERE:
        target["font-size"] = value


def _background(value: str, target: Declarations) -> None:
    """Write the colour and the image of `background`, unless a browser would refuse it."""
    if not any(mark in value for mark in ("(", "currentcolor")) and not all(
        word in _BACKGROUND_WORDS
        or word in EVERYWHERE
        or is_length(word)
        or read_color(word) is not None
        for word in _words(value.replace("/", " / "))
    ):
        return
    target["background-image"] = value if "url(" in value or "gradient" in value else "none"
    target["background-color"] = next(
        (word for word in _words(value) if read_color(word) is not None or word == "currentcolor"),
        "transparent" if value not in EVERYWHERE else value,
    )


def _words(value: str, separators: str = " ,") -> list[str]:
    """Return the words of a value, a function with its arguments counting as one."""
    words, depth, start = [], 0, 0
    for at, letter in enumerate(f"{value} "):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif letter in separators and depth == 0:
            words.append(value[start:at])
            start = at + 1
    return [word for word in words if word]
