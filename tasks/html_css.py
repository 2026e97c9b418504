"""Text of style sheets and style attributes as declarations (CSS Syntax 3, CSS Cascade 4).

What a browser would throw away is thrown away here, or `display:none;display:seen` would hide
text from its reader alone. Strings, comments and escapes are read as browsers read them.
"""

from functools import lru_cache

import re2

from tasks.html_color import read_color

Declarations = dict[str, str]
"""Property to value, both lower-cased."""

SMALL = 2.0
"""Pixels up to which nobody reads what is so big."""
VIEWPORT = (1024.0, 768.0)
"""Pixels of the window that style sheets are read for: that of a person at a desk."""
STYLE_CHARACTERS = 8_000
"""Characters of one style attribute that are read."""

_PIXELS = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "rem": 16.0,
    "vw": VIEWPORT[0] / 100, "vh": VIEWPORT[1] / 100, "vmin": 7.68, "vmax": 10.24,
}  # fmt: skip
_KEYWORD_SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0,
    "x-large": 24.0, "xx-large": 32.0, "xxx-large": 48.0,
}  # fmt: skip
_LENGTH = re2.compile(
    r"^([+-]?[0-9]*\.?[0-9]+(?:e[+-]?[0-9]{1,3})?)"
    r"(px|pt|em|rem|ex|ch|%|vw|vh|vmin|vmax|cm|mm|in|pc|q|deg)?$"
)
_ESCAPE = re2.compile(r"(?s)\\([0-9a-fA-F]{1,6})\s?|\\(.)")
_EVERYWHERE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_SIDES = ("top", "right", "bottom", "left")
SIDES_OF = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}
"""Which of so many values counts for top, right, bottom and left."""
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
_LENGTHS = frozenset({
    "width", "height", "max-width", "max-height", "text-indent", "line-height", "font-size",
    "left", "top", "right", "bottom", "margin-left", "margin-top", "margin-right",
    "margin-bottom", "padding-left", "padding-top",
})  # fmt: skip
_SIZE_WORDS = frozenset({"smaller", "larger", *_KEYWORD_SIZES})
_LENGTH_WORDS = _SIZE_WORDS | frozenset(
    {"auto", "none", "normal", "min-content", "max-content", "fit-content"}
)
_COLORS = frozenset({"color", "background-color", "-webkit-text-fill-color"})
_ANY = frozenset({
    "clip", "clip-path", "-webkit-clip-path", "transform", "-webkit-transform", "scale", "zoom",
    "filter", "background-image", "background-clip", "-webkit-background-clip", "white-space",
    "translate", "rotate", "mask-image", "-webkit-mask-image",
})  # fmt: skip
_SHORTHANDS = frozenset({
    "font", "background", "margin", "padding", "inset", "overflow", "overflow-x", "overflow-y",
    "mask", "-webkit-mask",
})  # fmt: skip
_NUMBERS = frozenset({"opacity", "-moz-opacity", "-khtml-opacity"})


def without_comments(css: str) -> str:
    """Return style text with each comment replaced by a space; an open one ends the text."""
    return " ".join(_split_comments(css)[0]) if "/*" in css else css


def comments(css: str) -> str:
    """Return the words of all comments of a style text, one comment per line."""
    if "/*" not in css:
        return ""
    return "\n".join(one.strip("*\n\t ") for one in _split_comments(css)[1])


def _split_comments(css: str) -> tuple[list[str], list[str]]:
    """Return what stands around the comments, and the comments; those in strings are none."""
    around: list[str] = []
    found: list[str] = []
    start = at = 0
    while (begin := css.find("/*", at)) >= 0:
        line = css[max(start, css.rfind("\n", start, begin)) : begin]
        quote = next((one for one in "\"'" if line.count(one) % 2), "")
        if quote and (closing := css.find(quote, begin)) >= 0 and "\n" not in css[begin:closing]:
            at = closing + 1
            continue
        end = css.find("*/", begin + 2)
        around.append(css[start:begin])
        found.append(css[begin + 2 : end if end >= 0 else len(css)])
        if end < 0:
            return around, found
        start = at = end + 2
    around.append(css[start:])
    return around, found


def unescape(css: str) -> str:
    """Return a CSS identifier or value with its escapes decoded (CSS Syntax 3 section 4.3.7)."""
    if "\\" not in css:
        return css
    return str(_ESCAPE.sub(lambda match: _character(match.group(1)) or match.group(2), css))


def _character(digits: str | None) -> str:
    """Return the character of a code point in hexadecimal digits."""
    if not digits:
        return ""
    point = int(digits, 16)
    return chr(point) if 0 < point < 0xD800 or 0xDFFF < point < 0x110000 else "\ufffd"


@lru_cache(maxsize=1024)
def read_declarations(style: str) -> tuple[Declarations, Declarations]:
    """Return the declarations that matter here, ordinary and important ones; not to be changed."""
    ordinary: Declarations = {}
    important: Declarations = {}
    style = without_comments(style[:STYLE_CHARACTERS])
    for piece in _pieces(style):
        name, colon, value = piece.partition(":")
        if not colon:
            continue
        name = unescape(name).strip().lower()
        value = " ".join(unescape(value).lower().split())
        target = ordinary
        if "!" in value:
            value, _, mark = value.rpartition("!")
            if mark.strip() != "important":
                continue
            value, target = value.rstrip(), important
        if not value:
            continue
        if name in _SHORTHANDS:
            _expand(name, value, target)
        elif name.startswith("--") or _valid(name, value):
            target[name] = value
    return ordinary, important


def _pieces(style: str) -> list[str]:
    """Return the declarations between semicolons; those in strings and brackets do not count."""
    pieces = style.split(";")
    if not ('"' in style or "'" in style or "(" in style or "\\" in style):
        return pieces
    found: list[str] = []
    pending = ""
    for piece in pieces:
        pending = f"{pending};{piece}" if pending else piece
        if not (_is_open(pending) and len(pending) < STYLE_CHARACTERS // 4):
            found.append(pending)
            pending = ""
    return [*found, pending]


def _is_open(text: str) -> bool:
    """Whether a string, a bracket or an escape of a declaration goes on behind its end."""
    return (
        text.count('"') % 2 == 1
        or text.count("'") % 2 == 1
        or text.count("(") > text.count(")")
        or text.endswith("\\")
    )


def _valid(name: str, value: str) -> bool:
    """Whether a browser would take the value, for the properties that matter here."""
    if name in _WORDS:
        return value in _WORDS[name] or value in _EVERYWHERE or "var(" in value
    if name in _LENGTHS:
        return (
            value in _LENGTH_WORDS
            or value in _EVERYWHERE
            or "(" in value
            or _LENGTH.match(value) is not None
        )
    if name in _COLORS:
        return (
            value in _EVERYWHERE
            or value == "currentcolor"
            or "(" in value
            or read_color(value) is not None
        )
    if name in _NUMBERS:
        return value in _EVERYWHERE or "(" in value or _LENGTH.match(value) is not None
    return name in _ANY


def _expand(name: str, value: str, target: Declarations) -> None:
    """Write what a shorthand sets."""
    if name == "font":
        _font(value, target)
    elif name == "background":
        _background(value, target)
    elif name in ("mask", "-webkit-mask"):
        target["mask-image"] = value
    elif name.startswith("overflow"):
        if name == "overflow" or "overflow" not in target or "visible" not in value:
            target["overflow"] = value
    elif value in _EVERYWHERE or len(value.split()) <= 4:
        words = value.split()
        for side, index in zip(_SIDES, SIDES_OF[len(words)], strict=True):
            full = side if name == "inset" else f"{name}-{side}"
            if full in _LENGTHS and _valid(full, words[index]):
                target[full] = words[index]


def _font(value: str, target: Declarations) -> None:
    """Write the size and line height of `font`; what a browser would refuse is left out."""
    for word in value.replace(" /", "/").replace("/ ", "/").split():
        size, _, line = word.partition("/")
        match = _LENGTH.match(size)
        weight = match is not None and match.group(2) is None and float(match.group(1)) >= 100
        if weight or (match is None and size not in _SIZE_WORDS):
            continue
        target["font-size"], target["line-height"] = size, line or "normal"
        return
    if value in _EVERYWHERE:
        target["font-size"] = value


def _background(value: str, target: Declarations) -> None:
    """Write the colour and the image of `background`."""
    target["background-image"] = value if "url(" in value or "gradient" in value else "none"
    target["background-color"] = next(
        (word for word in _words(value) if read_color(word) is not None or word == "currentcolor"),
        "transparent" if value not in _EVERYWHERE else value,
    )


def _words(value: str) -> list[str]:
    """Return the words of a value, a function with its arguments counting as one."""
    words, depth, start = [], 0, 0
    for at, one in enumerate(value + " "):
        if one == "(":
            depth += 1
        elif one == ")":
            depth = max(0, depth - 1)
        elif one in " ," and depth == 0:
            words.append(value[start:at])
            start = at + 1
    return [word for word in words if word]


@lru_cache(maxsize=1024)
def pixels(value: str, size: float, whole: float | None = None) -> float | None:
    """Return a CSS length in pixels; None when it is none that is known.

    `size` is the font size, for `em`; `whole` is what percentages are of, by default `size`.
    """
    if value.startswith(("calc(", "max(", "min(", "clamp(")):
        value = value[value.index("(") + 1 :].rstrip(") ")
        value = value.rpartition(",")[2].strip() if "," in value else value
    match = _LENGTH.match(value)
    if match is None:
        return None
    number, unit = float(match.group(1)), match.group(2) or "px"
    if unit in _PIXELS:
        return number * _PIXELS[unit]
    if unit == "%":
        return number * (size if whole is None else whole) / 100
    return number * size * (1.0 if unit == "em" else 0.5)


@lru_cache(maxsize=1024)
def fraction(value: str) -> float | None:
    """Return a number, or a percentage as a fraction of one; None when it is neither."""
    match = _LENGTH.match(value)
    if match is None or match.group(2) not in (None, "%"):
        return None
    return float(match.group(1)) / (100 if match.group(2) else 1)


def font_size(value: str, inherited: float) -> float:
    """Return the font size that a value of `font-size` sets, in pixels."""
    if value in _KEYWORD_SIZES:
        return _KEYWORD_SIZES[value]
    if value in ("smaller", "larger"):
        return inherited * (5 / 6 if value == "smaller" else 1.2)
    if value in _EVERYWHERE:
        return inherited if value != "initial" else 16.0
    found = pixels(value, inherited)
    return inherited if found is None or found < 0 else found
