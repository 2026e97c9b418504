"""Colours that are not given in red, green and blue, as such (CSS Color 4, sections 9 to 11)."""

import math
from collections.abc import Sequence

SPACES: dict[str, tuple[float, float, float]] = {
    "lab": (100.0, 125.0, 125.0),
    "lch": (100.0, 150.0, 360.0),
    "oklab": (1.0, 0.4, 0.4),
    "oklch": (1.0, 0.4, 360.0),
    "srgb": (1.0, 1.0, 1.0),
    "srgb-linear": (1.0, 1.0, 1.0),
    "display-p3": (1.0, 1.0, 1.0),
}
"""Name of a function or space to what 100 % of each part is; display-p3 is taken for sRGB."""

_LAB = (
    (3.1338561, -1.6168667, -0.4906146),
    (-0.9787684, 1.9161415, 0.0334540),
    (0.0719453, -0.2289914, 1.4052427),
)
"""XYZ under D50 to linear sRGB."""
_WHITE = (0.9642956, 1.0, 0.8251046)
_OKLAB_TO_LMS = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_LMS = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def to_srgb(space: str, parts: Sequence[float]) -> tuple[float, ...]:
    """Return red, green and blue, from 0 to 1, of a colour of one of `SPACES`."""
    first, second, third = (max(-1e3, min(1e3, part)) for part in parts)
    if space in ("srgb", "display-p3"):
        return (first, second, third)
    if space in ("lch", "oklch"):
        angle = math.radians(third)
        second, third = second * math.cos(angle), second * math.sin(angle)
    if space in ("oklab", "oklch"):
        roots = _times(_OKLAB_TO_LMS, (first, second, third))
        return tuple(map(_encoded, _times(_LMS, tuple(root**3 for root in roots))))
    if space in ("lab", "lch"):
        middle = (first + 16) / 116
        steps = (middle + second / 500, middle, middle - third / 200)
        xyz = tuple(_unbent(step) * white for step, white in zip(steps, _WHITE, strict=True))
        return tuple(map(_encoded, _times(_LAB, xyz)))
    return tuple(map(_encoded, (first, second, third)))


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def _unbent(step: float) -> float:
    return step**3 if step > 6 / 29 else 3 * (6 / 29) ** 2 * (step - 4 / 29)


def _encoded(linear: float) -> float:
    """Return a part of sRGB with its curve."""
    linear = max(0.0, min(1.0, linear))
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
