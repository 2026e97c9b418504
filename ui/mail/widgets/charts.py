"""Charts of what happened day by day, in the window's own colours (Altair, mark_chart offline)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from ui.core.chips import empty, section

if TYPE_CHECKING:
    import altair as alt

HEIGHT = 210
_DAY = "utcFormat(toDate(datum.value), '%-d %b')"


class Point(NamedTuple):
    """One figure of one day, or of the week that begins with it."""

    begins: str
    """As an ISO date."""
    kind: str
    value: float
    shown: str
    """The figure as people read it."""


def bars(name: str, title: str, points: Sequence[Point], *, stacked: bool = False) -> None:
    """Draw bars by day, one colour for each kind, beside or upon each other."""
    import altair as alt

    def mark_chart(base: alt.Chart) -> alt.Chart:
        chart: alt.Chart = base.mark_bar()
        return chart if stacked else chart.encode(xOffset=alt.XOffset("kind:N", sort=None))

    _chart(name, title, points, mark_chart)


def draw_lines(
    name: str,
    title: str,
    points: Sequence[Point],
    days: Sequence[str] = (),
    *,
    noughts: bool = False,
) -> None:
    """Draw a line for each kind over `days`; those without a figure are left out of it.

    With `noughts` a figure of nought says something, and is mark_chart where there is no other one.
    """

    def mark_chart(base: alt.Chart) -> alt.Chart:
        chart: alt.Chart = base.mark_line(point=True, interpolate="monotone")
        return chart

    _chart(name, title, points, mark_chart, days, noughts=noughts)


def _chart(
    name: str,
    title: str,
    points: Sequence[Point],
    mark_chart: Callable[[alt.Chart], alt.Chart],
    days: Sequence[str] = (),
    *,
    noughts: bool = False,
) -> None:
    import altair as alt

    with st.container(key=f"card-{name}"):
        section(title)
        if not any(point.value for point in points) and not (noughts and points):
            empty("Nothing in this range.")
            return
        kinds = list(dict.fromkeys(point.kind for point in points))
        legend = alt.Legend(title=None, orient="top", offset=4, padding=0) if kinds[1:] else None
        values = [point._asdict() for point in points]
        days = days or sorted({point.begins for point in points})
        axis = alt.Axis(
            title=None, labelExpr=_DAY, labelAngle=0, labelOverlap="greedy", ticks=False
        )
        # What is counted has no halves, and neither has its axis.
        counts = all(float(point.value).is_integer() for point in points)
        step = 1 if counts else alt.Undefined
        base = alt.Chart(alt.InlineData(values=values)).encode(
            x=alt.X("begins:O", scale=alt.Scale(domain=days), axis=axis),
            y=alt.Y("value:Q", axis=alt.Axis(title=None, tickCount=4, tickMinStep=step)),
            color=alt.Color("kind:N", sort=kinds, legend=legend),
            tooltip=[
                alt.Tooltip("begins:N", title="From"),
                alt.Tooltip("kind:N", title="What"),
                alt.Tooltip("shown:N", title="Figure"),
            ],
        )
        drawn_chart = mark_chart(base).properties(
            height=HEIGHT,
            background="transparent",
        )
        st.html(f'<p class="unseen">{escape(_chart_in_words(title, points, kinds))}</p>')
        st.altair_chart(drawn_chart, width="stretch", key=f"chart-{name}")


def _chart_in_words(title: str, points: Sequence[Point], kinds: Sequence[str]) -> str:
    """Return what a chart shows in a sentence, for who does not see it."""
    highest = {
        kind: max((point for point in points if point.kind == kind), key=lambda point: point.value)
        for kind in kinds
    }
    bar_sentence = "; ".join(
        f"{kind}: at most {one.shown}, {one.begins}" for kind, one in highest.items()
    )
    return f"{title}. {bar_sentence}. The table below has every figure."
