"""The colours of both themes can be read (WCAG 2.1, success criterion 1.4.3)."""

from pathlib import Path

import pytest

import ui

STYLE = (Path(ui.__file__).parent / "style.css").read_text(encoding="utf-8")
READ_ON = (
    ("ink", "paper"), ("ink", "desk"), ("quiet", "paper"), ("quiet", "desk"), ("quiet", "soft"),
    ("text", "paper"), ("text", "accent-soft"), ("quiet", "accent-soft"), ("ink", "hover"),
    ("bad-ink", "bad-soft"), ("warn-ink", "warn-soft"), ("good-ink", "good-soft"),
    ("info-ink", "info-soft"), ("accent-ink", "accent-soft"), ("bad", "paper"), ("warn", "paper"),
    ("warn-ink", "paper"), ("bar-ink", "bar"), ("bar-ink", "bar-soft"),
)  # fmt: skip


def colours(block: int) -> dict[str, str]:
    """Return the variables of the first (light) or second (dark) `:root`."""
    told = STYLE.split(":root {")[block].partition("}")[0]
    pairs = (entry.partition(":") for entry in told.split(";") if "--" in entry)
    return {name.strip().removeprefix("--"): value.strip() for name, _, value in pairs}


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [1, 2], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), READ_ON)
def test_text_stands_out_from_its_ground(text: str, ground: str, theme: int) -> None:
    """At least 4.5 to 1, in daylight and in the dark."""
    known = colours(theme)
    one, other = sorted((luminance(known[text]), luminance(known[ground])), reverse=True)
    assert (one + 0.05) / (other + 0.05) >= 4.5


def test_both_themes_name_the_same_colours() -> None:
    """None of them falls back to a colour of the other."""
    assert set(colours(1)) == set(colours(2))
