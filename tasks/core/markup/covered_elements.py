"""Elements that lie under an opaque one: first version, by what siblings declare themselves."""

from selectolax.lexbor import LexborNode

from tasks.core.markup.color import read_color
from tasks.core.markup.css import Declarations, read_declarations
from tasks.core.markup.lengths import fraction, pixels

CHILDREN = 30
"""Children of one element that are looked at."""
OPAQUE = 0.95
"""Opacity from which nothing shines through."""


def covered_by_others(node: LexborNode) -> set[int]:
    """Return the numbers of an element's children that a later child covers as a whole."""
    covered: set[int] = set()
    before: list[tuple[int, float]] = []
    child = node.first_child
    while child is not None and len(before) < CHILDREN:
        if child.is_element_node:
            ordinary, important = read_declarations(child.attributes.get("style") or "")
            style = {**ordinary, **important}
            level = fraction(style.get("z-index", "0")) or 0.0
            if _covers(style) and level >= 0:
                covered.update(number for number, other in before if other <= level)
            before.append((child.mem_id, level))
        child = child.next
    return covered


def _covers(style: Declarations) -> bool:
    """Whether an element lies over all of the one that holds it, and nothing shines through."""
    if style.get("position") not in ("absolute", "fixed") or "opacity" in style:
        return False
    color = read_color(style.get("background-color", ""))
    if color is None or color[3] < OPAQUE:
        return False
    across = _is_whole(style.get("width", "")) or _is_zero(style, "left", "right")
    return across and (_is_whole(style.get("height", "")) or _is_zero(style, "top", "bottom"))


def _is_whole(size: str) -> bool:
    return (pixels(size, 16.0, 100.0) or 0.0) >= 100.0 and size.endswith(("%", "vw", "vh"))


def _is_zero(style: Declarations, *sides: str) -> bool:
    return all(pixels(style.get(side, ""), 16.0) == 0.0 for side in sides)
