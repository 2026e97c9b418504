"""Why an element with all that is in it is not seen: boxes, shifts, clips and transforms of CSS.

(CSS 2.2 chapters 9 to 11, CSS Masking 1, CSS Transforms 2, HTML section 15.3.)
"""

import re2

from tasks.html_color import read_color
from tasks.html_css import SIDES_OF, SMALL, VIEWPORT, Declarations, fraction, pixels

FAR_BACK = 400.0
"""Pixels to the left or above beyond which a shift puts text off the screen."""
FAR_ON = 2_000.0
"""Pixels to the right or below beyond which it does."""
FAINT = 0.05
"""Opacity up to which nothing is seen."""

_CALL = re2.compile(r"([a-z0-9-]+)\(([^()]*)\)")
_ANY_COLOR = re2.compile(r"(?:rgb|hsl|hwb)a?\([^()]*\)|\#[0-9a-f]{3,8}|\b[a-z]+\b")
_HIDING_OVERFLOW = ("hidden", "clip", "scroll", "auto")
_BOX = ("width", "height", "max-width", "max-height")
_SHIFTS = {
    "text-indent": 1, "margin-left": 1, "margin-top": 1, "left": 1, "top": 1, "right": -1,
    "bottom": -1, "padding-left": 1,
}  # fmt: skip


def hiding(style: Declarations, attributes: dict[str, str | None]) -> str:
    """Return why an element is not seen whatever is inside it, or an empty string."""
    if "hidden" in attributes and style.get("display") in (None, "none"):
        return "hidden_attribute"
    if (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return "aria_hidden"
    if not style:
        return ""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return "display_none"
    if style.get("mso-hide") == "all":
        return "mso_hide"
    if _empty_box(style):
        return "zero_box"
    if _off_screen(style):
        return "off_screen"
    if _clipped(style):
        return "clipped"
    return ""


def _calls(style: Declarations, *names: str) -> list[tuple[str, str]]:
    """Return the functions in the value of the first of these properties that is set."""
    for name in names:
        if (value := style.get(name)) and "(" in value:
            return [(call, inside) for call, inside in _CALL.findall(value)]
    return []


def opacity_of(style: Declarations) -> float:
    """Return the opacity that an element sets, from 0 to 1."""
    opacity = 1.0
    for name in ("opacity", "-moz-opacity", "-khtml-opacity"):
        if name in style and (found := fraction(style[name])) is not None:
            opacity = min(opacity, max(0.0, found))
    for name, inside in _calls(style, "filter"):
        value = inside.strip().removeprefix("opacity=")
        if (found := fraction(value)) is not None and name in ("opacity", "alpha"):
            scale = 100 if name == "alpha" else 1
            opacity = min(opacity, max(0.0, found / scale))
    mask = style.get("mask-image") or style.get("-webkit-mask-image") or ""
    if "gradient" in mask and all(color[3] <= FAINT for color in colors_in(mask) or [(0, 0, 0, 1)]):
        return 0.0
    return opacity


def scale_of(style: Declarations) -> float:
    """Return by how much an element is made smaller, at most 1."""
    scale = 1.0
    if (zoom := fraction(style.get("zoom", ""))) is not None and zoom > 0:
        scale = zoom
    if "scale" in style:
        scale = min(
            [scale, *(abs(n) for n in map(fraction, style["scale"].split()) if n is not None)]
        )
    for name, inside in _calls(style, "transform", "-webkit-transform"):
        values = [
            found for one in inside.split(",") if (found := fraction(one.strip())) is not None
        ]
        if name.startswith("scale") and name != "scalez" and values:
            scale = min([scale, *(abs(value) for value in values[:2])])
        elif name == "matrix" and len(values) == 6:
            scale = min(
                scale, max(abs(values[0]), abs(values[1])), max(abs(values[2]), abs(values[3]))
            )
        elif name == "matrix3d" and len(values) == 16:
            scale = min(scale, max(map(abs, values[:2])), max(map(abs, values[4:6])))
        elif name in ("rotatex", "rotatey") and _edgewise(inside):
            scale = 0.0
    return min(scale, 1.0)


def _edgewise(angle: str) -> bool:
    """Whether a turn about a line in the page leaves nothing to be seen."""
    angle = angle.strip()
    number = fraction(angle.removesuffix("deg").removesuffix("turn"))
    if number is None:
        return False
    degrees = number * 360 if angle.endswith("turn") else number
    return abs(abs(degrees) % 180 - 90) < 2


def colors_in(value: str) -> list[tuple[int, int, int, float]]:
    """Return the colours that a gradient names."""
    found = (read_color(word) for word in _ANY_COLOR.findall(value))
    return [color for color in found if color is not None]


def _empty_box(style: Declarations) -> bool:
    """Whether the box has no room, and what does not fit is cut off."""
    if not any(word in _HIDING_OVERFLOW for word in style.get("overflow", "").split()):
        return False
    for name in _BOX:
        value = style.get(name, "")
        size = pixels(value, 16.0, VIEWPORT[0])
        if size is not None and (size == 0 if "%" in value else size <= SMALL):
            return True
    indent = pixels(style.get("text-indent", ""), 16.0, VIEWPORT[0])
    return indent is not None and indent >= VIEWPORT[0] * 0.9


def _off_screen(style: Declarations) -> bool:
    """Whether the element is shifted out of sight."""
    centred = any(style.get(name, "").endswith("%") for name in ("left", "top"))
    for name, sign in _SHIFTS.items():
        if name not in style or (centred and name.startswith("margin")):
            continue
        shift = pixels(style[name], 16.0, 600.0)
        if shift is not None and not -FAR_BACK < sign * shift < FAR_ON:
            return True
    moves = [style["translate"].split()] if "translate" in style else []
    calls = _calls(style, "transform", "-webkit-transform")
    moves += [inside.split(",") for name, inside in calls if name.startswith("translate")]
    for move in moves:
        for one in move:
            shift = pixels(one.strip(), 16.0, 450.0)
            if shift is not None and not -FAR_BACK < shift < FAR_ON:
                return True
    return False


def _clipped(style: Declarations) -> bool:
    """Whether nothing is left of the element after `clip` or `clip-path`."""
    for name, inside in _calls(style, "clip"):
        sides = [pixels(one, 16.0) for one in inside.replace(",", " ").split()]
        if name == "rect" and len(sides) == 4:
            top, right, bottom, left = sides
            if _thin(top, bottom) or _thin(left, right):
                return True
    calls = _calls(style, "clip-path", "-webkit-clip-path")
    return any(_no_area(name, inside) for name, inside in calls)


def _thin(start: float | None, end: float | None) -> bool:
    """Whether nothing to speak of lies between two sides; `auto` is not known."""
    return end is not None and end - (start or 0.0) <= SMALL


def _no_area(name: str, inside: str) -> bool:
    """Whether a basic shape of `clip-path` has no area; percentages are of 100 pixels."""
    words = inside.partition(" round ")[0].partition(" at ")[0].replace(",", " ").split()
    sizes = [found for one in words if (found := pixels(one, 16.0, 100.0)) is not None]
    if not sizes or name not in ("inset", "circle", "ellipse", "polygon"):
        return False
    if name == "inset":
        sides = [sizes[index] for index in SIDES_OF[min(len(sizes), 4)]]
        return sides[0] + sides[2] >= 100 or sides[1] + sides[3] >= 100
    if name in ("circle", "ellipse"):
        return min(sizes) <= SMALL
    across, down = sizes[0::2], sizes[1::2]
    return max(across) - min(across) <= SMALL or not down or max(down) - min(down) <= SMALL
