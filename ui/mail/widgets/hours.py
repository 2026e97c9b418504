"""The last 24 hours as bars of our own HTML: drawn at once, in the colours of the page."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from data.records.mail.overview_views import HourCount
from ui.core.chips import empty, section
from ui.core.session import zone
from ui.core.text.clock import zone_of

KINDS = ("received", "quarantined", "replied")


def hours(hour_counts: Sequence[HourCount]) -> None:
    """Draw a group of bars for each hour; a quiet day is said, not drawn."""
    last = hour_counts[-24:]  # more would name an hour twice
    with st.container(key="card-chart"):
        section("The last 24 hours")
        if not any(entry.received or entry.replied for entry in last):
            empty("A quiet day.", "No mail came in the last 24 hours.")
            return
        most = max(max(_counts(entry)) for entry in last)
        legend = "".join(f'<span><i class="{kind}"></i>{kind}</span>' for kind in KINDS)
        columns = "".join(_hour(entry, most) for entry in last)
        st.html(
            f'<div class="legend">{legend}<span class="most">the highest bar: {most:,}</span></div>'
            f'<div class="hours" role="list">{columns}</div>'
        )


def _hour(entry: HourCount, most: int) -> str:
    name = entry.hour.astimezone(zone_of(zone())).strftime("%H")
    counts = _counts(entry)
    counts_text = ", ".join(f"{count:,} {kind}" for kind, count in zip(KINDS, counts, strict=True))
    bars = "".join(
        f'<i class="{kind}" style="height:{max(3, round(100 * count / most))}%"></i>'
        if count
        else "<i></i>"
        for kind, count in zip(KINDS, counts, strict=True)
    )
    title = escape(f"{name}:00, {counts_text}")
    return (
        f'<div role="listitem" title="{title}" aria-label="{title}">'
        f'<div class="bars">{bars}</div><span>{name}</span></div>'
    )


def _counts(entry: HourCount) -> tuple[int, int, int]:
    return entry.received, entry.quarantined, entry.replied
