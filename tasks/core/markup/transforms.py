"""The effect of transforms on an element: how small they make it and where they move it.

(CSS Transforms 1 and 2, CSS Viewport's `zoom`.)
"""

import math

from tasks.core.markup.css import Declarations
from tasks.core.markup.lengths import VIEWPORT, degrees, fraction, pixels
from tasks.core.patterns import compiled

_CALL = compiled(r"([a-z0-9-]+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_BLOCK_WIDTH, _BLOCK_HEIGHT = 600.0, 450.0
"""Pixels that percentages of a shift are of: nothing is laid out here."""
_EDGE = math.sin(math.radians(3))
_TURNS = {"rotatex": (1.0, 0.0, 0.0), "rotatey": (0.0, 1.0, 0.0)}
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def calls(style: Declarations, name: str) -> list[tuple[str, str]]:
    """Return the functions in the value of a property, with what stands in their brackets."""
    value = style.get(name, "")
    return _CALL.findall(value) if "(" in value else []


def scale_of(style: Declarations) -> float:
    """Return by how much an element is made smaller, at most 1; 0 when it is seen edgewise."""
    scale = 1.0
    if (zoom := fraction(style.get("zoom", ""))) is not None and zoom > 0:
        scale = zoom
    if "scale" in style:
        scale *= _smallest(style["scale"].split()[:2])
    turned = 1.0
    if "rotate" in style:
        *axis, angle = style["rotate"].split()
        turned = _facing(_AXES.get(axis[0]) if len(axis) == 1 else _numbers(axis), angle)
    for name, inside in calls(style, "transform"):
        values = inside.split(",")
        if name.startswith("scale") and name != "scalez":
            scale *= _smallest(values[:2])
        elif name.startswith("matrix"):
            scale *= _of_matrix(_numbers(values))
        elif name in _TURNS:
            turned *= _facing(_TURNS[name], inside)
        elif name == "rotate3d":
            turned *= _facing(_numbers(values[:3]), values[-1])
        elif name.startswith("skew"):
            angles = (degrees(value.strip()) for value in values)
            if any(
                turn_angle is not None and abs(math.cos(math.radians(turn_angle))) < _EDGE
                for turn_angle in angles
            ):
                return 0.0
    if abs(turned) < _EDGE or (turned < 0 and style.get("backface-visibility") == "hidden"):
        return 0.0
    return min(scale, 1.0)


def moves_of(style: Declarations) -> list[tuple[float, float]]:
    """Return the shifts that transforms make, in pixels to the right and downwards."""
    moves = [style["translate"].split()] if "translate" in style else []
    moves_read = []
    for name, inside in calls(style, "transform"):
        values = inside.split(",")
        if name in ("translate", "translate3d", "translatex"):
            moves.append(values)
        elif name == "translatey":
            moves.append(["0", *values])
        elif name == "matrix" and len(values) == 6:
            moves.append(values[4:])
        elif name == "matrix3d" and len(values) == 16:
            moves.append(values[12:14])
    for across, *down in moves:
        right = pixels(across.strip(), 16.0, _BLOCK_WIDTH) or 0.0
        below = pixels(down[0].strip(), 16.0, _BLOCK_HEIGHT) if down else 0.0
        moves_read.append((right, below or 0.0))
    return moves_read


def too_far(move: tuple[float, float], back: float, on: float) -> bool:
    """Whether a shift leads out of sight: `back` left or up, a window to the right, `on` down."""
    right, below = move
    return not (-back < right < VIEWPORT[0] and -back < below < on)


def _numbers(values: list[str]) -> tuple[float, ...] | None:
    """Return numbers, or None when one of them is none."""
    numbers = [fraction(value.strip()) for value in values]
    return None if None in numbers else tuple(number for number in numbers if number is not None)


def _smallest(values: list[str]) -> float:
    """Return the smallest of some factors; those that cannot be read do not count."""
    sizes = [abs(size) for size in map(fraction, map(str.strip, values)) if size is not None]
    return min(sizes, default=1.0)


def _of_matrix(values: tuple[float, ...] | None) -> float:
    """Return by how much a matrix scales the direction that it scales least."""
    if values is None or len(values) not in (6, 16):
        return 1.0
    first, second = (values[:2], values[2:4]) if len(values) == 6 else (values[:2], values[4:6])
    return min(math.hypot(*first), math.hypot(*second))


def _facing(axis: tuple[float, ...] | None, angle: str) -> float:
    """Return how much of an element faces the reader after a turn: 1 all, 0 its edge, -1 none."""
    angle_degrees = degrees(angle.strip())
    if axis is None or angle_degrees is None or len(axis) != 3:
        return 1.0
    length = math.hypot(*axis)
    if length == 0:
        return 1.0
    depth = (axis[2] / length) ** 2
    return depth + (1 - depth) * math.cos(math.radians(angle_degrees))
