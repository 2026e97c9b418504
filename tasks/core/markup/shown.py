"""Elements of which HTML itself shows all, some or none: lists to choose from, drawings, formulas.

(HTML section 15.3 to 15.5, SVG 2 chapters 5 and 11.)
"""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from tasks.core.markup.color import read_color, too_near
from tasks.core.markup.css import Declarations, read_declarations

UNSHOWN = {
    "script": "script", "template": "template", "object": "fallback", "iframe": "fallback",
    "audio": "fallback", "video": "fallback", "canvas": "fallback", "title": "head",
    "noscript": "noscript", "noframes": "fallback", "noembed": "fallback", "datalist": "fallback",
    "progress": "fallback", "meter": "fallback", "annotation": "math", "annotation-xml": "math",
    "mphantom": "math", "maction": "math",
}  # fmt: skip
"""Elements whose content is not shown, and why; all of it is taken as one piece of text."""
SHOWING = frozenset({"option", "summary", "details", "svg", "rp", "input"})
"""Elements that show or hide by what they are."""

_UNDRAWN = frozenset({
    "defs", "symbol", "clippath", "mask", "marker", "pattern", "title", "desc", "metadata",
    "lineargradient", "radialgradient", "filter", "script", "style",
})  # fmt: skip
FIGURES = frozenset({
    "rect", "circle", "ellipse", "path", "polygon", "polyline", "line", "image", "use",
})  # fmt: skip
"""Elements of a drawing that hold no words."""
_ASKING = frozenset({"systemlanguage", "requiredextensions", "requiredfeatures"})
"""Attributes by which a reader's program chooses whether to draw an element."""
_SHAPES = "rect,circle,ellipse,path,polygon,image,use"
_MOST_SHAPES = 50
_PRESENTED = {
    "opacity": "opacity", "fill-opacity": "opacity",
    "font-size": "font-size", "display": "display", "visibility": "visibility", "x": "left",
    "y": "top", "transform": "transform", "clip-path": "clip-path", "filter": "filter",
}  # fmt: skip
"""Attributes of drawings, and what of style they are."""


@dataclass
class Choices:
    """Which option of each list is shown: the chosen one, or else the first."""

    shown: dict[int, int] = field(default_factory=dict)

    def is_shown(self, node: LexborNode) -> bool:
        """Whether an option's words are seen without opening its list."""
        above = node.parent
        for _ in range(3):
            if above is None or above.tag == "select":
                break
            above = above.parent
        if above is None or above.tag != "select":
            return True
        attributes = above.attributes
        if "multiple" in attributes or (attributes.get("size") or "1").strip() not in (
            "",
            "0",
            "1",
        ):
            return True
        if above.mem_id not in self.shown:
            options = above.css("option")
            chosen = [option for option in options if "selected" in option.attributes] or options[
                :1
            ]
            self.shown[above.mem_id] = chosen[-1].mem_id if chosen else 0
        return self.shown[above.mem_id] == node.mem_id


def is_heading(node: LexborNode) -> bool:
    """Whether a summary is what is seen of its closed details: the first one, right inside."""
    if node.parent is None or node.parent.tag != "details":
        return False
    before = node.prev
    for _ in range(20):
        if before is None:
            return True
        if before.tag == "summary":
            return False
        before = before.prev
    return False


def place_within(above: str, tag: str, attributes: dict[str, str | None]) -> tuple[str, str] | None:
    """Return where text in an element stands, and why it is not seen for good; None when as above.

    `above` and the first answer are empty, `folded` (in details that are not open; their heading is
    told by the caller), `svg` (between the figures of a drawing) or `drawn` (the words of one).
    """
    if tag == "details" and above == "folded":
        return ("folded", "folded")
    if tag == "details" and "open" not in attributes:
        return ("folded", "")
    if tag == "summary" and above == "folded":
        return ("", "")
    if tag == "svg" and above in ("", "drawn"):
        return ("svg", "zero_box" if _is_flat(attributes) else "")
    if above in ("svg", "drawn"):
        tag = tag.lower()
        if tag in _UNDRAWN:
            return (above, "svg")
        if tag == "textpath" or any(name.lower() in _ASKING for name in attributes):
            return (above, "svg")
        if tag == "text":
            return ("drawn", "")
        if tag == "foreignobject":
            return ("", "zero_box" if _is_flat(attributes) else "")
    return None


def _is_flat(attributes: dict[str, str | None]) -> bool:
    """Whether a drawing, or a page in it, has no width or no height."""
    return any((attributes.get(side) or "").strip() in ("0", "0px") for side in ("width", "height"))


def drawn_style(attributes: dict[str, str | None], style: Declarations) -> Declarations:
    """Return the declarations of an element of a drawing, its attributes being the weakest."""
    declarations = "".join(
        f"{name}:{(attributes[attribute] or '')[:200]};"
        for attribute, name in _PRESENTED.items()
        if attributes.get(attribute)
    )
    fill = style.get("fill") or (attributes.get("fill") or "").strip().lower()
    if fill:  # what is filled with nothing is not seen
        fill = "transparent" if fill == "none" else fill
        style = {**style, "-webkit-text-fill-color": fill}
    if declarations:
        style = {**read_declarations(f"position:absolute;{declarations}")[0], **style}
    return style


def figures_behind(node: LexborNode) -> bool:
    """Whether a drawing has figures other than white ones, which may be behind its words."""
    for shape in node.css(_SHAPES)[:_MOST_SHAPES]:
        fill = (shape.attributes.get("fill") or "black").strip().lower()
        color = read_color(fill)
        if color is None or not too_near(color[:3], (255, 255, 255)):
            return True
    return False
