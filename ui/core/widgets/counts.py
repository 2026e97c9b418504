"""Numbers of what waits, beside the names of the pages, on every page."""

import streamlit as st

from data.errors import PosternError
from data.records.mail.overview_views import Waiting
from ui.core.session import core_desk, read_lately

PAGES = {"review": "review", "questions": "questions", "quarantine": "quarantine", "calls": "chats"}
"""By what waits the page on which it is decided."""
FOLDED = ("questions", "quarantine")
"""The pages of these that the bar of pages folds away, below its first section."""
MOST = 999
_RENEWED = 15.0
"""Seconds after which the numbers are asked for anew, whatever is drawn meanwhile."""


@st.fragment(run_every=_RENEWED, key="counts")
def draw_counts() -> None:
    """Give each page's name its number; none while the engine is away."""
    try:
        waiting = read_lately(
            "counts", lambda: core_desk().notifications.count_waiting(), _RENEWED - 1
        )
    except PosternError:
        return
    with st.container(key="counts"):
        st.html(f'<i class="st-only-style"></i><style>{rules(waiting)}</style>')


def rules(waiting: Waiting) -> str:
    """Return the style that writes the numbers beside the names; nothing for 0.

    The names belong to Streamlit, which draws them anew as it likes; what a style adds stays.
    """
    count_by_page = {PAGES[name]: number for name, number in waiting.model_dump().items() if number}
    written = [_rule(_LINK.format(page=page), number) for page, number in count_by_page.items()]
    if folded := sum(count_by_page.get(page, 0) for page in FOLDED):
        written.append(_rule(_FIRST_SECTION, folded))
    return " ".join(written)


_LINK = 'a:is([data-testid^="stTopNav"], [data-testid^="stSidebarNav"])[href$="/{page}"]'
_FIRST_SECTION = (
    '[data-testid="stTopNav"] > :nth-child(1 of :has(> [data-testid="stTopNavSection"])) > button p'
)


def _rule(place: str, number: int) -> str:
    shown = f"{MOST}+" if number > MOST else str(number)
    return f'{place}::after {{ content: "{shown}"; {_LOOK} }}'


_LOOK = (
    "margin-left: 0.4rem; padding: 0.1rem 0.35rem; border-radius: 999px; font-size: 0.72rem; "
    "font-weight: 650; line-height: 1.2; background: var(--accent-soft); color: var(--accent-ink);"
)
