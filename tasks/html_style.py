"""How text at one place of an HTML document looks, and whether it is seen (CSS 2.2, Cascade 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import re2

from tasks.html_color import Color, Shade, blend, read_attribute_color, read_color, too_near
from tasks.html_css import SMALL, Declarations, font_size, fraction, pixels, read_declarations
from tasks.html_hiding import FAINT, colors_in, hiding, opacity_of, scale_of

_FONT_ATTRIBUTE = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
_VARIABLE = re2.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)")

LOOKS = frozenset({
    "style", "color", "bgcolor", "background", "size", "hidden", "aria-hidden", "text", "link",
})  # fmt: skip
"""Attributes that say something about the look; most elements of a mail have none of them."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text at one place of the document looks; inherited downwards."""

    hidden: str = ""
    """Why it is not seen, whatever is inside; empty when it is."""
    invisible: bool = False
    """`visibility: hidden`, which a child may undo."""
    thin: bool = False
    """Inside a box whose height is that of its lines, which have none; a child may undo it."""
    size: float = 16.0
    """Font size, pixels."""
    scale: float = 1.0
    """By how much all is made smaller."""
    opacity: float = 1.0
    """Opacity of the whole, from 0 to 1."""
    color: Color | None = (0, 0, 0, 1.0)
    """Text colour; None when it is not known."""
    background: Shade | None = (255, 255, 255)
    """Colour behind the text; None when it is not known, e.g. an image."""
    variables: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Custom properties."""
    reason: str = ""
    """Why text with this look is not seen; empty when it is."""


_INHERITED = tuple(name for name in Look.__dataclass_fields__ if name != "reason")


def _reason(look: Look) -> str:
    """Return why text with this look is not seen, or an empty string."""
    if look.hidden:
        return look.hidden
    if look.invisible:
        return "visibility"
    if look.opacity <= FAINT:
        return "opacity"
    if look.size * look.scale <= SMALL:
        return "zero_size"
    if look.thin:
        return "zero_box"
    if look.color is None:
        return ""
    if look.color[3] * look.opacity <= FAINT:
        return "transparent"
    if look.background is not None:
        faded = (*look.color[:3], look.color[3] * look.opacity)
        if too_near(blend(faded, look.background), look.background):
            return "same_color"
    return ""


def cascade(
    sheets: tuple[Declarations, Declarations], attributes: dict[str, str | None]
) -> Declarations:
    """Return the declarations that hold for an element, the style attribute with them."""
    ordinary, important = sheets
    own = attributes.get("style")
    if not own:
        return {**ordinary, **important} if important else ordinary
    own_ordinary, own_important = read_declarations(own)
    if not ordinary and not important and not own_important:
        return own_ordinary
    return {**ordinary, **own_ordinary, **important, **own_important}


def look_of(parent: Look, tag: str, attributes: dict[str, str | None], style: Declarations) -> Look:
    """Return the look inside an element with these declarations."""
    change: dict[str, Any] = {}
    variables = parent.variables
    if any(name.startswith("--") for name in style):
        own = {name: value for name, value in style.items() if name.startswith("--")}
        variables = change["variables"] = {**variables, **own}
    if any("var(" in value for value in style.values()):
        style = {name: _substitute(value, variables) for name, value in style.items()}
    _paint(parent, tag, attributes, style, change)
    if "font-size" in style:
        change["size"] = font_size(style["font-size"], parent.size)
    elif tag == "font" and (attributes.get("size") or "") in _FONT_ATTRIBUTE:
        change["size"] = _FONT_ATTRIBUTE[attributes["size"] or ""]
    visibility = style.get("visibility", "inherit")
    if visibility != "inherit":
        change["invisible"] = visibility in ("hidden", "collapse")
    if style:
        _shrink(parent, style, change)
    if not parent.hidden and (reason := hiding(style, attributes)):
        change["hidden"] = reason
    elif tag == "dialog" and "open" not in attributes and "display" not in style:
        change["hidden"] = parent.hidden or "display_none"
    if not change:
        return parent
    values = {name: change.get(name, getattr(parent, name)) for name in _INHERITED}
    look = Look(**values, reason=parent.reason)
    reason = _reason(look)
    return look if reason == look.reason else Look(**values, reason=reason)


def _shrink(parent: Look, style: Declarations, change: dict[str, Any]) -> None:
    """Note what makes an element fainter, smaller, or flat."""
    if (opacity := opacity_of(style)) < 1.0:
        change["opacity"] = parent.opacity * opacity
    if (scale := scale_of(style)) < 1.0:
        change["scale"] = parent.scale * scale
    if line := style.get("line-height"):
        size = change.get("size", parent.size)
        times = fraction(line) if not line.endswith("%") else None
        height = pixels(line, size) if times is None else times * size
        if height is None or height > SMALL:
            change["thin"] = False
        elif "hidden" in style.get("overflow", "") and "height" not in style:
            change["thin"] = True


def _substitute(value: str, variables: Mapping[str, str]) -> str:
    """Return a value with its custom properties filled in (CSS Variables 1)."""
    for _ in range(5):
        if "var(" not in value or len(value) > 1_000:
            break
        value = _VARIABLE.sub(
            lambda match: variables.get(match.group(1), match.group(2) or "").strip()[:200], value
        )
    return value.strip()


def _paint(
    parent: Look,
    tag: str,
    attributes: dict[str, str | None],
    style: Declarations,
    change: dict[str, Any],
) -> None:
    """Note the colours that an element sets."""
    if (color := style.get("-webkit-text-fill-color") or style.get("color")) is not None:
        if color not in ("inherit", "currentcolor", "unset", "revert"):
            change["color"] = (0, 0, 0, 1.0) if color == "initial" else read_color(color)
    elif word := attributes.get("color") or (tag == "body" and attributes.get("text")):
        change["color"] = read_attribute_color(word) or parent.color
    if shade := style.get("background-color"):
        change["background"] = _behind(shade, parent.background)
    elif word := attributes.get("bgcolor"):
        found = read_attribute_color(word)
        change["background"] = found[:3] if found else parent.background
    image = style.get("background-image", "none")
    if image != "none" and image != "initial":
        change["background"] = _image(image, change.get("background", parent.background))
        if "text" in (style.get("background-clip"), style.get("-webkit-background-clip")):
            change["color"] = None  # the image is what the letters are filled with
    elif attributes.get("background"):
        change["background"] = None


def _behind(shade: str, inherited: Shade | None) -> Shade | None:
    """Return what lies behind the text after a background colour was painted."""
    color = read_color(shade)
    if color is None:
        return inherited if shade in ("inherit", "initial", "unset", "revert", "") else None
    if color[3] >= 1.0:
        return color[:3]
    if color[3] <= FAINT:
        return inherited
    return None if inherited is None else blend(color, inherited)


def _image(image: str, inherited: Shade | None) -> Shade | None:
    """Return the colour of a gradient that has only one; an image is not known."""
    if "url(" in image or "image(" in image:
        return None
    colors = colors_in(image)
    if not colors:
        return None
    shades = [color[:3] if inherited is None else blend(color, inherited) for color in colors]
    return shades[0] if all(too_near(shades[0], shade) for shade in shades) else None
