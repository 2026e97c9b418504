"""The effect of elements, attributes and styles on the look of text (CSS 2.2, Cascade 4)."""

from collections.abc import Mapping
from typing import Any

from tasks.core.markup.css import SMALL, Declarations, read_declarations
from tasks.core.markup.filters import filtered
from tasks.core.markup.hiding import (
    CELLS,
    INNOCENT,
    beyond,
    cuts_off,
    hiding,
    opacity_of,
    room_in,
)
from tasks.core.markup.lengths import font_size, fraction, pixels
from tasks.core.markup.shown import SHOWING, drawn_style, place_within
from tasks.core.markup.substitution_functions import filled_in
from tasks.core.markup.text_colors import paint
from tasks.core.markup.text_look import Look, LookChange, why_unseen
from tasks.core.markup.transforms import scale_of

CRAMMED = -0.4
"""Space between letters, in font sizes, from which they lie on one another."""

_FONT_ATTRIBUTE = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
_OWN_SIZES = {
    "small": 5 / 6, "sub": 5 / 6, "sup": 5 / 6, "big": 1.2, "rt": 0.5, "h1": 2.0, "h2": 1.5,
    "h3": 1.17,
}  # fmt: skip
_CONTROLS = frozenset({"button", "input", "select", "textarea"})
_CONTROL_SIZE = 13.33
_NOT_INHERITED = frozenset({"unset", "revert", "initial"})
_LIGHTENING = frozenset({"screen", "lighten", "color-dodge", "plus-lighter"})

_OF_FORMULAS = {
    "mathsize": "font-size", "mathcolor": "color", "mathbackground": "background-color",
}  # fmt: skip
LOOKS = frozenset({
    "style", "color", "bgcolor", "background", "size", "hidden", "aria-hidden", "text", "link",
    "popover", "mathsize", "mathcolor", "mathbackground",
})  # fmt: skip
"""Attributes that say something about the look; most elements of a mail have none of them."""
LOOKING = frozenset(
    {*_OWN_SIZES, *_CONTROLS, *SHOWING, "a", "mark", "font", "body", "html", "dialog"}
)
"""Elements that have a look of their own."""

_INHERITED = tuple(name for name in Look.__dataclass_fields__ if name != "reason")


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


def look_of(
    parent: Look,
    tag: str,
    attributes: dict[str, str | None],
    style: Declarations,
    unseen: str = "",
) -> Look:
    """Return the look inside an element with these declarations.

    `unseen` is why it is not seen, when the caller knows that already.
    """
    change: LookChange = {}
    if (inside := place_within(parent.place, tag, attributes)) is not None:
        change["place"], reason = inside
        unseen = unseen or reason
    if change.get("place", parent.place) in ("svg", "drawn"):
        style = drawn_style(attributes, style)
    if not _OF_FORMULAS.keys().isdisjoint(attributes):
        style = {**_formula_style(attributes), **style}
    variables = parent.variables
    if any(name.startswith("--") for name in style):
        own = {name: value for name, value in style.items() if name.startswith("--")}
        variables = change["variables"] = {**variables, **own}
    style = filled_in(style, variables, attributes)
    paint(parent, tag, attributes, style, change)
    if "filter" in style and "background" not in change:
        before = change.get("color", parent.color)
        change["color"], flat = filtered(style, before)
        change["filled"] = flat or change.get("filled", parent.filled)
    _letters(parent, tag, attributes, style, change)
    visibility = style.get("visibility", "inherit")
    if visibility != "inherit":
        change["invisible"] = visibility in ("hidden", "collapse")
    size = change.get("size", parent.size)
    if style:
        if not INNOCENT.issuperset(style):
            _shrink(parent, style, change)
        _space(parent, style, size, change)
    if style:
        if not unseen and parent.room is not None and beyond(style, size, parent.room):
            unseen = "clipped"
        if tag not in CELLS and (room := room_in(style, size)) is not None:
            change["room"] = room
    unseen = unseen or hiding(style, attributes, tag, size)
    if not parent.hidden and unseen:
        change["hidden"] = unseen
    elif tag == "dialog" and "open" not in attributes and "display" not in style:
        change["hidden"] = parent.hidden or "display_none"
    elif style.get("-webkit-text-security", "none") not in ("none", *_NOT_INHERITED):
        change["hidden"] = parent.hidden or "masked"
    elif style.get("mix-blend-mode") in _LIGHTENING and parent.background == (255, 255, 255):
        change["hidden"] = parent.hidden or "same_color"
    if all(value == getattr(parent, name) for name, value in change.items()):
        return parent
    changed: Mapping[str, Any] = change
    values = {name: changed.get(name, getattr(parent, name)) for name in _INHERITED}
    look = Look(**values, reason=parent.reason)
    reason = why_unseen(look)
    return look if reason == look.reason else Look(**values, reason=reason)


def _formula_style(attributes: dict[str, str | None]) -> Declarations:
    """Return the declarations that attributes of a formula stand for (MathML Core 2.1.5)."""
    declarations = ";".join(
        f"{name}:{(attributes[attribute] or '')[:100]}"
        for attribute, name in _OF_FORMULAS.items()
        if attribute in attributes
    )
    return read_declarations(declarations)[0]


def _letters(
    parent: Look,
    tag: str,
    attributes: dict[str, str | None],
    style: Declarations,
    change: LookChange,
) -> None:
    """Note the size of the letters."""
    if "font-size" in style:
        change["size"] = font_size(style["font-size"], parent.size, parent.root)
    elif tag in _OWN_SIZES:
        change["size"] = parent.size * _OWN_SIZES[tag]
    elif tag in _CONTROLS:
        change["size"] = _CONTROL_SIZE
    elif tag == "font" and (attributes.get("size") or "") in _FONT_ATTRIBUTE:
        change["size"] = _FONT_ATTRIBUTE[attributes["size"] or ""]
    if tag == "html" and "size" in change:
        change["root"] = change["size"]


def _shrink(parent: Look, style: Declarations, change: LookChange) -> None:
    """Note what makes an element fainter or smaller as a whole."""
    if (opacity := opacity_of(style)) < 1.0:
        change["opacity"] = parent.opacity * opacity
    if (scale := scale_of(style)) < 1.0:
        change["scale"] = parent.scale * scale
    if "font-size-adjust" in style and fraction(style["font-size-adjust"]) == 0:
        change["scale"] = 0.0


def _space(parent: Look, style: Declarations, size: float, change: LookChange) -> None:
    """Note lines without height, and letters without room between them."""
    if line := style.get("line-height"):
        times = fraction(line) if not line.endswith("%") else None
        height = pixels(line, size, None, parent.root) if times is None else times * size
        if height is None or height > SMALL:
            change["thin"] = False
        elif cuts_off(style) and "height" not in style:
            change["thin"] = True
    if spacing := style.get("letter-spacing"):
        room = pixels(spacing, size, None, parent.root)
        change["crammed"] = room is not None and room <= CRAMMED * size
