"""Figures as people read them: tables, and counts with a bar each."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from data.records.mail.report_views import DecisionFigures, DurationFigures


def write_duration(seconds: float | None) -> str:
    """Return how long something took, in minutes or hours; a dash where nothing was measured."""
    if seconds is None:
        return "–"
    if seconds < 5400:
        return f"{max(1, round(seconds / 60)) if seconds else 0}\N{NO-BREAK SPACE}min"
    hours = seconds / 3600
    return f"{hours:.1f}\N{NO-BREAK SPACE}h" if hours < 100 else f"{hours:,.0f}\N{NO-BREAK SPACE}h"


def write_spread(spread: DurationFigures) -> str:
    """Return how long nine of ten took."""
    return f"9 of 10 within {write_duration(spread.p90)}" if spread.count else "none in this range"


def dollars(cost: float) -> str:
    """Return a cost; what is less than a cent is not nothing."""
    return "under $0.01" if 0 < cost < 0.005 else f"${cost:,.2f}"


def judged_of(judged: DecisionFigures) -> int:
    """Return how many drafts people decided on."""
    return judged.unchanged + judged.edited + judged.rejected + judged.closed


def figures(
    head: Sequence[str], rows: Sequence[Sequence[str]], name: str, *, text_columns: int = 1
) -> None:
    """Draw a table that scrolls by itself; `name` is what who does not see it is told.

    The first `text_columns` hold words, which begin on the left; in the others stand figures. On a
    phone a row with three of them stands as lines below each other.
    """
    look = "figures wordy" if text_columns > 2 else "figures"

    def drawn_row(tag: str, cells: Sequence[str]) -> str:
        opened = [f'<{tag} class="words">'] * text_columns + [f"<{tag}>"] * len(cells)
        return "".join(
            f"{start}{escape(cell)}</{tag.split()[0]}>"
            for start, cell in zip(opened, cells, strict=False)
        )

    heads = drawn_row('th scope="col"', head)
    drawn = "".join(f"<tr>{drawn_row('td', row)}</tr>" for row in rows)
    st.html(
        f'<div class="{look}" role="region" tabindex="0" aria-label="{escape(name)}"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{drawn}</tbody></table></div>"
    )


def draw_counted(counts: Sequence[tuple[str, int]]) -> None:
    """Draw each name with its bar and its number."""
    most = max((value for _, value in counts), default=0) or 1
    rows = "".join(
        f'<dt>{escape(name)}</dt><dd><span class="meter" aria-hidden="true">'
        f'<i style="width:{round(100 * value / most)}%"></i></span></dd><dd>{value:,}</dd>'
        for name, value in counts
    )
    st.html(f'<dl class="counted">{rows}</dl>')
