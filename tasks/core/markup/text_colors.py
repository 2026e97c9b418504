"""The colours of text and of what is behind it, as attributes, style and HTML itself set them.

(CSS Color 4, CSS Backgrounds 3, HTML section 15.3.)
"""

from tasks.core.markup.color import Color, Shade, blend, read_attribute_color, read_color, too_near
from tasks.core.markup.css import Declarations
from tasks.core.markup.hiding import FAINT, colors_in
from tasks.core.markup.lengths import pixels
from tasks.core.markup.text_look import Look, LookChange

_BLACK: Color = (0, 0, 0, 1.0)
_CONTROL: dict[str, Shade] = {
    "button": (239, 239, 239), "input": (255, 255, 255), "select": (255, 255, 255),
    "textarea": (255, 255, 255), "mark": (255, 255, 0),
}  # fmt: skip
"""What is behind the words of elements that browsers paint; the words are black."""
_GROUNDED = frozenset({
    "body", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "col", "colgroup", "marquee",
})  # fmt: skip
"""Elements whose attributes say what is behind their words."""
_INHERITING = frozenset({"inherit", "currentcolor", "unset"})
_SHADOW_OFFSET, _SHADOW_BLUR = 12.0, 6.0
"""Pixels up to which a shadow still has the shape of its letters."""


def paint(
    parent: Look,
    tag: str,
    attributes: dict[str, str | None],
    style: Declarations,
    change: LookChange,
) -> None:
    """Note the colours that an element sets; `change` grows by fields of `Look`."""
    _ink(parent, tag, attributes, style, change)
    if tag == "body" and (word := attributes.get("link")):
        change["link"] = read_attribute_color(word)
    own = change.get("color", parent.color)
    shade = style.get("background-color")
    if shade == "currentcolor":
        change["background"] = own[:3] if own is not None else None
    elif shade:
        change["background"] = _behind(shade, parent.background)
    elif tag in _GROUNDED and (word := attributes.get("bgcolor")):
        attribute_color = read_attribute_color(word)
        change["background"] = attribute_color[:3] if attribute_color else parent.background
    elif tag in _CONTROL:
        change["background"] = _CONTROL[tag]
    through = style.get("background-clip") == "text"
    if through and "background" in change and change.get("filled"):
        behind = change.pop("background")  # the letters are filled with it
        change["color"] = None if behind is None else (*behind, 1.0)
    image = style.get("background-image", "none")
    if image not in ("none", "initial") and _paints(image):
        found_shade = _image(image, change.get("background", parent.background))
        if through:
            change["color"] = None if found_shade is None else (*found_shade, 1.0)
        else:
            change["background"] = found_shade
    elif tag in _GROUNDED and attributes.get("background"):
        change["background"] = None
    if "text-shadow" in style:
        change["shadow"] = _shadow(style["text-shadow"])


def _ink(
    parent: Look,
    tag: str,
    attributes: dict[str, str | None],
    style: Declarations,
    change: LookChange,
) -> None:
    """Note the colour of the letters."""
    fill, color = style.get("-webkit-text-fill-color"), style.get("color")
    if fill is not None and fill not in _INHERITING:
        change["color"], change["filled"] = read_color(fill), True
        return
    if parent.filled and fill != "currentcolor":
        return
    if fill == "currentcolor":
        change["filled"] = False
    if color in _INHERITING:
        return
    if color is not None and color != "revert":
        change["color"] = _BLACK if color == "initial" else read_color(color)
    elif word := attributes.get({"font": "color", "body": "text"}.get(tag, "")):
        change["color"] = read_attribute_color(word) or parent.color
    elif tag == "a" and "href" in attributes:
        change["color"] = parent.link
    elif tag in _CONTROL:
        change["color"] = _BLACK


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


def _paints(image: str) -> bool:
    """Whether an image is more than an empty address."""
    _, begun, rest = image.partition("url(")
    return not begun or rest.partition(")")[0].strip("\"' ") != ""


def _image(image: str, inherited: Shade | None) -> Shade | None:
    """Return the colour of a gradient that has only one; an image is not known."""
    if "url(" in image or "image(" in image:
        return None
    colors = colors_in(image)
    if not colors:
        return None
    shades = [color[:3] if inherited is None else blend(color, inherited) for color in colors]
    return shades[0] if all(too_near(shades[0], shade) for shade in shades) else None


def _shadow(value: str) -> Color | None:
    """Return the colour of a shadow that has the shape of the letters, or None."""
    colors = colors_in(value)
    sizes = [
        found for part in value.split() if (found := pixels(part.rstrip(","), 16.0)) is not None
    ]
    if not colors or len(sizes) < 2 or max(map(abs, sizes[:2])) > _SHADOW_OFFSET:
        return None
    return colors[0] if len(sizes) < 3 or sizes[2] <= _SHADOW_BLUR else None
