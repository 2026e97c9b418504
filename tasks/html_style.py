"""The little of CSS that decides whether text is seen (CSS 2.1, HTML's presentational attributes).

A first version: style sheets count for the simple selectors `tag`, `.class`, `#id` and `tag.class`;
rules inside at-rules such as `@media` do not count.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import re2

SMALL = 2.0
"""Pixels of font size up to which nobody reads the text."""
FAR = 400.0
"""Pixels beyond which a shift puts text off the screen."""
SAME_COLOR = 8
"""Largest difference per channel at which text does not stand out from its background."""

SHEET_CHARACTERS = 300_000
"""Characters of one style sheet that are read."""
SELECTORS = 200
"""Selectors of one rule that are read."""

Declarations = dict[str, str]
"""Property to value, both lower-cased."""
Rules = dict[str, Declarations]
"""Simple selector to declarations."""
Color = tuple[int, int, int]

_RELEVANT = frozenset({
    "display", "visibility", "opacity", "font-size", "font", "color", "background",
    "background-color", "background-image", "width", "height", "max-width", "max-height",
    "overflow", "position", "left", "top", "right", "bottom", "text-indent", "margin-left",
    "margin-top", "clip", "line-height", "transform",
})  # fmt: skip
_COMMENT = re2.compile(r"(?s)/\*.*?\*/|<!--|-->")
_LENGTH = re2.compile(r"^(-?[0-9]*\.?[0-9]+)(px|pt|em|rem|ex|%|vw|vh|cm|mm|in|pc)?$")
_RGB = re2.compile(
    r"^rgba?\(\s*([0-9.]+)[\s,]+([0-9.]+)[\s,]+([0-9.]+)(?:[\s,/]+([0-9.]+%?))?\s*\)$"
)
_SELECTOR = re2.compile(r"^(?:[a-z][a-z0-9]*)?(?:[.#][a-z_-][a-z0-9_-]*)?$")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78}
_NAMED: dict[str, Color] = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "navy": (0, 0, 128),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
}
_FONT_ATTRIBUTE = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}


# Attributes that say something about the look; most elements of a mail have none of them.
_LOOKS = frozenset({"style", "color", "bgcolor", "background", "size", "hidden", "aria-hidden"})


@dataclass(frozen=True, slots=True)
class Look:
    """How text at one place of the document looks; inherited downwards."""

    hidden: str = ""
    """Why it is not seen; empty when it is."""
    invisible: bool = False
    """`visibility: hidden`, which a child may undo."""
    size: float = 16.0
    """Font size, pixels."""
    color: Color | None = (0, 0, 0)
    """Text colour; None when it is not known."""
    background: Color | None = (255, 255, 255)
    """Colour behind the text; None when it is not known, e.g. an image."""

    def reason(self) -> str:
        """Return why text with this look is not seen, or an empty string."""
        if self.hidden:
            return self.hidden
        if self.invisible:
            return "visibility"
        if self.size <= SMALL:
            return "zero_size"
        if self.color is not None and self.background is not None:
            pairs = zip(self.color, self.background, strict=True)
            if all(abs(a - b) <= SAME_COLOR for a, b in pairs):
                return "same_color"
        return ""


@lru_cache(maxsize=512)
def read_declarations(style: str) -> Declarations:
    """Return the declarations of a style attribute that matter here; not to be changed."""
    found: Declarations = {}
    if "/*" in style:
        style = _COMMENT.sub(" ", style)
    for declaration in style[:10_000].lower().split(";"):
        name, colon, value = declaration.partition(":")
        name = name.strip()
        if colon and name in _RELEVANT:
            found[name] = value.replace("!important", "").strip()
    return found


def read_sheet(sheet: str, rules: Rules) -> None:
    """Add the rules of one style sheet to `rules`; at-rules and complex selectors are skipped."""
    depth, selector = 0, ""
    for piece in _COMMENT.sub(" ", sheet[:SHEET_CHARACTERS]).lower().split("}"):
        head, opened, body = piece.rpartition("{")
        if opened:
            if depth == 0:
                selector = head.partition("{")[0].strip()
            depth += 1 + head.count("{")
            if depth == 1 and not selector.startswith("@"):
                _add_rule(selector, read_declarations(body), rules)
        depth = max(0, depth - 1)


def _add_rule(selectors: str, declarations: Declarations, rules: Rules) -> None:
    """Add one rule under each of its simple selectors."""
    if not declarations:
        return
    for selector in selectors.split(",")[:SELECTORS]:
        simple = selector.strip()
        if simple and _SELECTOR.match(simple):
            rules.setdefault(simple, {}).update(declarations)


def style_of(tag: str, attributes: dict[str, str | None], rules: Rules) -> Declarations:
    """Return the declarations that hold for an element, in the order of their weight."""
    found: Declarations = {}
    if rules:
        classes = (attributes.get("class") or "").lower().split()[:20]
        selectors = [tag]
        selectors += [f"{prefix}.{name}" for name in classes for prefix in ("", tag)]
        if identity := (attributes.get("id") or "").lower():
            selectors += [f"#{identity}", f"{tag}#{identity}"]
        for selector in selectors:
            if selector in rules:
                found.update(rules[selector])
    if style := attributes.get("style"):
        found.update(read_declarations(style))
    return found


def look_of(parent: Look, tag: str, attributes: dict[str, str | None], rules: Rules) -> Look:
    """Return the look inside an element."""
    if not rules and _LOOKS.isdisjoint(attributes):
        return parent
    style = style_of(tag, attributes, rules)
    look = parent
    color = style.get("color") or attributes.get("color")
    if color or (tag == "font" and color):
        look = replace(look, color=read_color(color, look.color))
    shade = style.get("background-color") or style.get("background") or attributes.get("bgcolor")
    if shade:
        look = replace(look, background=_background(shade, look.background))
    if style.get("background-image", "none") != "none" or attributes.get("background"):
        look = replace(look, background=None)
    if "font-size" in style or "font" in style:
        look = replace(look, size=_font_size(style, look.size))
    elif tag == "font" and (attributes.get("size") or "") in _FONT_ATTRIBUTE:
        look = replace(look, size=_FONT_ATTRIBUTE[attributes["size"] or ""])
    if "visibility" in style:
        look = replace(look, invisible=style["visibility"] in ("hidden", "collapse"))
    if not look.hidden and (reason := _hiding(style, attributes)):
        look = replace(look, hidden=reason)
    return look


def _hiding(style: Declarations, attributes: dict[str, str | None]) -> str:
    """Return why an element and everything in it is not seen, or an empty string."""
    if "hidden" in attributes:
        return "hidden_attribute"
    if attributes.get("aria-hidden") == "true":
        return "aria_hidden"
    if not style:
        return ""
    if style.get("display") == "none":
        return "display_none"
    opacity = style.get("opacity", "")
    if opacity and (number := _number(opacity)) is not None and number <= 0.05:
        return "opacity"
    if style.get("overflow", "").startswith(("hidden", "clip")):
        for name in ("width", "height", "max-width", "max-height"):
            if (size := pixels(style.get(name, ""), 16.0)) is not None and size <= SMALL:
                return "zero_box"
    if _off_screen(style):
        return "off_screen"
    return ""


def _off_screen(style: Declarations) -> bool:
    """Whether the element is shifted out of sight."""
    names = ["text-indent", "margin-left", "margin-top"]
    if style.get("position") in ("absolute", "fixed", "relative"):
        names += ["left", "top", "right", "bottom"]
        if style.get("clip", "").replace(" ", "").startswith("rect(0"):
            return True
    shifts = (pixels(style.get(name, ""), 16.0) for name in names)
    return any(shift is not None and shift <= -FAR for shift in shifts)


def _number(value: str) -> float | None:
    """Return a plain number or a percentage as a fraction, or None."""
    match = _LENGTH.match(value)
    if match is None:
        return None
    return float(match.group(1)) / (100 if match.group(2) == "%" else 1)


def pixels(value: str, size: float) -> float | None:
    """Return a CSS length in pixels; None when it is not one. `size` is the font size for em."""
    match = _LENGTH.match(value)
    if match is None:
        return None
    number, unit = float(match.group(1)), match.group(2) or "px"
    if unit in _PIXELS:
        return number * _PIXELS[unit]
    if unit in ("em", "%", "ex"):
        return number * size / (100 if unit == "%" else 1)
    return number * 16.0


def _font_size(style: Declarations, inherited: float) -> float:
    """Return the font size that `font-size` or the shorthand `font` sets."""
    values = [style["font-size"]] if "font-size" in style else style["font"].split()
    for value in values:
        found = pixels(value.partition("/")[0], inherited)
        if found is not None and (value[-1:].isalpha() or value.endswith("%") or found == 0):
            return found
    return inherited if values == ["inherit"] else max(inherited, 16.0)


def _background(value: str, inherited: Color | None) -> Color | None:
    """Return the background colour that a declaration sets; None when an image lies there."""
    if "url(" in value or "gradient" in value:
        return None
    return read_color(value, inherited)


def read_color(value: str | None, inherited: Color | None) -> Color | None:
    """Return a colour as red, green, blue; `inherited` for transparent, None when not known."""
    value = (value or "").strip().lower()
    if value in _NAMED:
        return _NAMED[value]
    digits = value.removeprefix("#")
    if len(digits) in (3, 4, 6, 8) and all(one in "0123456789abcdef" for one in digits):
        if len(digits) < 6:
            digits = "".join(one * 2 for one in digits)
        return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))
    if match := _RGB.match(value):
        if match.group(4) is not None and (_number(match.group(4)) or 0.0) <= 0.05:
            return inherited
        red, green, blue = (min(255, int(float(match.group(i)))) for i in (1, 2, 3))
        return (red, green, blue)
    if value in ("transparent", "inherit", "initial", "none", ""):
        return inherited
    return None
