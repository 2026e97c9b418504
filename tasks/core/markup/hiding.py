"""Reasons why an element with all in it is not seen: boxes, shifts, clips and masks of CSS.

(CSS 2.2 chapters 9 to 11, CSS Masking 1, Filter Effects 1, HTML section 15.3.)
"""

from tasks.core.markup.color import Color, read_color
from tasks.core.markup.css import SIDES_OF, SMALL, Declarations
from tasks.core.markup.lengths import VIEWPORT, fraction, pixels
from tasks.core.markup.transforms import calls, moves_of, too_far
from tasks.core.patterns import compiled

FAR_BACK = 400.0
"""Pixels to the left or above beyond which a shift puts text off the screen."""
FAR_ON = 2_000.0
"""Pixels to the right or below beyond which it does."""
FAINT = 0.05
"""Opacity up to which a colour is not seen."""
BLURRED = 5.0
"""Pixels of a blur that leave nothing to be read."""
FLAT = 0.3
"""Height of a box in font sizes up to which a line that is cut off there is not read."""

_ANY_COLOR = compiled(r"(?:rgb|hsl|hwb)a?\([^()]*\)|\#[0-9a-f]{3,8}|\b[a-z]+\b")
_NUMBERS = compiled(r"-?[0-9]{1,9}(?:\.[0-9]+)?")
_HIDING_OVERFLOW = frozenset({"hidden", "clip", "scroll", "auto"})
_CONTAINED = frozenset({"paint", "strict", "content"})
_TRACKS = frozenset({"0", "0px", "0fr"})
_NO_BASIS = (["0", "0", "0"], ["0", "0", "0px"], ["0", "1", "0"], ["0", "1", "0px"])
_ROOMY = frozenset({"padding-top", "padding-bottom", "min-height"})
"""Properties that make a box higher than it is said to be."""
_HEIGHTS = ("height", "max-height")
_WIDTHS = ("width", "max-width")
CELLS = frozenset({"td", "th", "tr", "tbody", "table"})
"""Elements that take the room that they need."""
_SHIFTS = {
    "text-indent": 1, "margin-left": 1, "margin-top": 1, "left": 1, "top": 1, "right": -1,
    "bottom": -1, "padding-left": 1,
}  # fmt: skip
INNOCENT = frozenset({
    "color", "background-color", "background-image", "font-size", "line-height", "white-space",
    "padding-top", "padding-bottom", "margin-right", "margin-bottom", "letter-spacing",
    "min-width", "min-height", "visibility", "text-shadow", "-webkit-text-fill-color", "overflow",
})  # fmt: skip
"""Properties that by themselves give an element no reason not to be seen with all that is in it."""
_UNDRAWN = frozenset({"none", "table-column", "table-column-group"})


def hiding(
    style: Declarations, attributes: dict[str, str | None], tag: str = "", size: float = 16.0
) -> str:
    """Return why an element is not seen whatever is inside it, or an empty string.

    `size` is the font size in it, pixels.
    """
    if "hidden" in attributes and style.get("display") in (None, "none"):
        return "hidden_attribute"
    if (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return "aria_hidden"
    if "popover" in attributes and "display" not in style:
        return "display_none"
    if INNOCENT.issuperset(style):
        return ""
    if style.get("display") in _UNDRAWN or style.get("content-visibility") == "hidden":
        return "display_none"
    if style.get("mso-hide") == "all":
        return "mso_hide"
    if _empty_box(style, tag, size) or _no_tracks(style):
        return "zero_box"
    if _off_screen(style, size):
        return "off_screen"
    if _clipped(style):
        return "clipped"
    return "covered" if _behind_all(style) else ""


def opacity_of(style: Declarations) -> float:
    """Return the opacity that an element sets, from 0 to 1."""
    opacity = 1.0
    if "opacity" in style and (share_seen := fraction(style["opacity"])) is not None:
        opacity = min(opacity, max(0.0, share_seen))
    for name, inside in calls(style, "filter"):
        value = inside.strip().removeprefix("opacity=")
        if name == "blur" and (pixels(value, 16.0) or 0.0) >= BLURRED:
            return 0.0
        if (share_seen := fraction(value)) is not None and name in ("opacity", "alpha"):
            scale = 100 if name == "alpha" else 1
            opacity = min(opacity, max(0.0, share_seen / scale))
    mask = style.get("mask-image", "")
    if "gradient" in mask and all(color[3] <= FAINT for color in colors_in(mask) or [(0, 0, 0, 1)]):
        return 0.0
    if "url(" in mask and "gradient" not in mask:  # not fetched, and what is no image masks all
        return 0.0
    sizes = [pixels(part, 16.0, 100.0) for part in style.get("mask-size", "").split()]
    return 0.0 if mask not in ("", "none") and 0.0 in sizes else opacity


def colors_in(value: str) -> list[Color]:
    """Return the colours that a gradient names."""
    colors = (read_color(word) for word in _ANY_COLOR.findall(value))
    return [color for color in colors if color is not None]


def cuts_off(style: Declarations) -> bool:
    """Whether what does not fit into the box is cut off."""
    return not (
        _HIDING_OVERFLOW.isdisjoint(style.get("overflow", "").split())
        and _CONTAINED.isdisjoint(style.get("contain", "").split())
    )


def _empty_box(style: Declarations, tag: str, size: float) -> bool:
    """Whether the box has no room, and what does not fit is cut off.

    A table's cells take the room that their words need, whatever width is wished for; words that
    do not fit are still seen on the padding, and a smallest height or width wins.
    """
    if not cuts_off(style):
        return False
    if _no_room(style, _HEIGHTS, max(SMALL, FLAT * size)) and not any(
        (pixels(style.get(name, ""), size, VIEWPORT[0]) or 0.0) > size
        for name in ("padding-top", "padding-bottom", "min-height")
    ):
        return True
    if style.get("flex", "").split()[:3] in _NO_BASIS:
        return True
    # Of a line that is not broken a width of one letter shows one letter.
    wide = size if style.get("white-space") in ("nowrap", "pre") else max(SMALL, FLAT * size)
    if (
        tag not in CELLS
        and _no_room(style, _WIDTHS, wide)
        and (pixels(style.get("min-width", ""), size, VIEWPORT[0]) or 0.0) <= size
    ):
        return True
    indent = pixels(style.get("text-indent", ""), size, VIEWPORT[0])
    return indent is not None and VIEWPORT[0] * 0.9 <= indent < FAR_ON


def _no_room(style: Declarations, names: tuple[str, ...], least: float) -> bool:
    """Whether one of these sizes is set and leaves no room; a share of the page may be anything."""
    for name in names:
        value = style.get(name, "")
        size = pixels(value, 16.0, VIEWPORT[0])
        if size is not None and (size == 0 if "%" in value else size <= least):
            return True
    return False


def room_in(style: Declarations, size: float) -> float | None:
    """Return the height in pixels beyond which an element cuts off what is in it, or None."""
    if not cuts_off(style) or not _ROOMY.isdisjoint(style):
        return None
    heights = (style.get(name, "") for name in _HEIGHTS)
    sizes = [pixels(height, size) for height in heights if height and "%" not in height]
    return min((height for height in sizes if height is not None), default=None)


def beyond(style: Declarations, size: float, room: float) -> bool:
    """Whether an element begins below the end of a box that cuts off what is in it."""
    placed = style.get("position", "static") != "static"
    shifts = [pixels(style.get("margin-top", ""), size, 600.0)]
    if placed:
        shifts.append(pixels(style.get("top", ""), size, room))
    return any(shift is not None and shift >= max(room, SMALL) for shift in shifts)


def _no_tracks(style: Declarations) -> bool:
    """Whether a grid leaves its rows or columns no room."""
    return style.get("display") in ("grid", "inline-grid") and any(
        (tracks := style.get(f"grid-template-{name}", "").split()) and _TRACKS.issuperset(tracks)
        for name in ("rows", "columns")
    )


def _off_screen(style: Declarations, size: float) -> bool:
    """Whether the element is shifted out of sight."""
    centred = any(style.get(name, "").endswith("%") for name in ("left", "top"))
    loose = style.get("position") in ("absolute", "fixed")
    for name, sign in _SHIFTS.items():
        if name not in style or (centred and name.startswith("margin")):
            continue
        shift = pixels(style[name], size, 600.0)
        if shift is None:
            continue
        back, on = FAR_BACK, FAR_ON
        if loose and name in ("left", "right"):
            back = min(back, pixels(style.get("width", ""), size, VIEWPORT[0]) or back)
            on = VIEWPORT[0]
        elif style.get("position") == "fixed" and name in ("top", "bottom"):
            on = VIEWPORT[1]
        if not -back < sign * shift < on:
            return True
    if "path" in style.get("offset-path", "") and any(
        not -FAR_BACK < float(number) < FAR_ON for number in _NUMBERS.findall(style["offset-path"])
    ):
        return True
    return any(too_far(move, FAR_BACK, FAR_ON) for move in moves_of(style))


def _behind_all(style: Declarations) -> bool:
    """Whether the element is put behind the page: first version, without looking at the page."""
    level = fraction(style.get("z-index", ""))
    return level is not None and level < 0 and style.get("position", "static") != "static"


def _clipped(style: Declarations) -> bool:
    """Whether nothing is left of the element after `clip` or `clip-path`."""
    for name, inside in calls(style, "clip"):
        sides = [pixels(part, 16.0) for part in inside.replace(",", " ").split()]
        if name == "rect" and len(sides) == 4:
            top, right, bottom, left = sides
            if _thin(top, bottom) or _thin(left, right):
                return True
    return any(_no_area(name, inside) for name, inside in calls(style, "clip-path"))


def _thin(start: float | None, end: float | None) -> bool:
    """Whether nothing to speak of lies between two sides; `auto` is not known."""
    return end is not None and end - (start or 0.0) <= SMALL


def _no_area(name: str, inside: str) -> bool:
    """Whether a basic shape of `clip-path` has no area; percentages are of 100 pixels."""
    if name == "url":  # nobody knows what is left; no honest mail cuts its words out by a drawing
        return True
    if name == "path":
        return not any(letter in inside for letter in "lhvcsqta")
    shape = inside.partition(" round ")[0].partition(" at ")[0]
    words = shape.split(",") if "(" in shape else shape.replace(",", " ").split()
    sizes = [found for word in words if (found := pixels(word.strip(), 16.0, 100.0)) is not None]
    if not sizes:
        return False
    if name == "inset":
        sides = [sizes[index] for index in SIDES_OF[min(len(sizes), 4)]]
        return sides[0] + sides[2] >= 100 or sides[1] + sides[3] >= 100
    if name == "rect" and len(sizes) == 4:
        return _thin(sizes[0], sizes[2]) or _thin(sizes[3], sizes[1])
    if name == "xywh" and len(sizes) == 4:
        return min(sizes[2:]) <= SMALL
    if name in ("circle", "ellipse"):
        return min(sizes) <= SMALL
    if name != "polygon":
        return False
    across, down = sizes[0::2], sizes[1::2]
    return max(across) - min(across) <= SMALL or not down or max(down) - min(down) <= SMALL
