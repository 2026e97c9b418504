"""The colour of letters behind filters (Filter Effects 1, chapter 9)."""

from tasks.core.markup.color import Color
from tasks.core.markup.css import Declarations
from tasks.core.markup.lengths import fraction
from tasks.core.markup.transforms import calls

FLAT = 0.1
"""Difference of black and white, from 0 to 1, up to which everything is of one colour."""


def filtered(style: Declarations, color: Color | None) -> tuple[Color | None, bool]:
    """Return the colour of letters behind an element's filters, and whether all have the same."""
    filters = calls(style, "filter") if "filter" in style else []
    changing = [step for step in filters if step[0] in ("brightness", "contrast", "invert")]
    if not changing or color is None:
        return color, False
    black, white = _channel(0.0, changing), _channel(1.0, changing)
    red, green, blue = (round(255 * _channel(channel / 255, changing)) for channel in color[:3])
    return (red, green, blue, color[3]), abs(white - black) <= FLAT


def _channel(value: float, filters: list[tuple[str, str]]) -> float:
    """Return one channel, from 0 to 1, behind all filters."""
    for name, inside in filters:
        share = fraction(inside.strip())
        amount = 1.0 if share is None else max(0.0, share)
        if name == "brightness":
            value *= amount
        elif name == "contrast":
            value = (value - 0.5) * amount + 0.5
        else:
            value += min(amount, 1.0) * (1 - 2 * value)
        value = min(1.0, max(0.0, value))
    return value
