"""Lengths and angles of CSS, calculations with them, and what transforms leave of an element."""

import pytest

from tasks.core.markup.css import read_declarations
from tasks.core.markup.lengths import degrees, font_size, fraction, pixels
from tasks.core.markup.transforms import moves_of, scale_of


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("12px", 12.0),
        ("1.5em", 24.0),
        ("2rem", 20.0),
        ("50%", 300.0),
        ("1e-2px", 0.01),
        ("100vw", 1024.0),
        ("calc(100% - 20px)", 580.0),
        ("calc(2 * (3px + 1px) / 4)", 2.0),
        ("min(0px, 14px)", 0.0),
        ("max(1px, .5px)", 1.0),
        ("clamp(0px, 5vw, 1px)", 1.0),
        ("calc(1px", 1.0),
        ("calc(1px / 0)", None),
        ("calc(1px + )", None),
        ("calc()", None),
        ("5foo", None),
        ("auto", None),
        (f"calc({'(' * 500}1px{')' * 500})", None),
    ],
)
def test_lengths_are_worked_out(value: str, size: float | None) -> None:
    """Units and calculations become pixels; what cannot be read or goes too deep gives none."""
    found = pixels(value, 16.0, 600.0, 10.0)
    assert found == (None if size is None else pytest.approx(size))


def test_numbers_angles_and_font_sizes() -> None:
    """Percentages are fractions, angles are degrees, and font sizes fall back to the inherited."""
    assert fraction("40%") == pytest.approx(0.4)
    assert fraction("calc(1 - .25)") == pytest.approx(0.75)
    assert fraction("1px") is None
    assert degrees(".25turn") == pytest.approx(90)
    assert degrees("100grad") == pytest.approx(90)
    assert font_size("smaller", 12.0) == pytest.approx(10)
    assert font_size("nonsense", 12.0) == 12.0
    assert font_size("calc(1px - 9px)", 12.0) == 0.0


@pytest.mark.parametrize(
    ("style", "scale"),
    [
        ("transform:scale(.5)", 0.5),
        ("transform:scale(2)", 1.0),
        ("transform:scale(.5) scale(.5)", 0.25),
        ("transform:matrix(1,0,0,0,0,0)", 0.0),
        ("transform:rotate(90deg)", 1.0),
        ("transform:rotateX(90deg)", 0.0),
        ("transform:rotateY(180deg)", 1.0),
        ("transform:rotateY(180deg);backface-visibility:hidden", 0.0),
        ("rotate:x 90deg", 0.0),
        ("transform:skewX(20deg)", 1.0),
        ("zoom:50%", 0.5),
        ("transform:none", 1.0),
    ],
)
def test_transforms_make_smaller(style: str, scale: float) -> None:
    """Scales multiply, what is seen edgewise or from behind has no size, nothing gets bigger."""
    assert scale_of(read_declarations(style)[0]) == pytest.approx(scale)


def test_transforms_move() -> None:
    """Shifts are told in pixels, to the right and downwards."""
    assert moves_of(read_declarations("transform:translate(10px, -5px)")[0]) == [(10.0, -5.0)]
    assert moves_of(read_declarations("transform:matrix(1,0,0,1,7,8)")[0]) == [(7.0, 8.0)]
    assert moves_of(read_declarations("translate:1em 2px")[0]) == [(16.0, 2.0)]
