"""Filters of lists, the review queue's above all; kept while other pages are visited."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from data.errors import PosternError
from data.records.core.screening import Verdict
from data.records.core.understanding import Category, Priority
from ui.core import list_navigation, people
from ui.core.session import organization, read_lately
from ui.core.text.words import LANGUAGES, language, word
from ui.core.widgets.pager import first_page
from ui.mail.api.cases import Filters
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.queue.search_field import search_field

STATES = {
    "mine": "Mine",
    "in_review": "Unassigned",
    "open": "All",
    "others": "With others",
    "escalated": "Handed over",
    "snoozed": "Snoozed",
    "failed": "Failed",
}
"""The views of the queue by the name that an address has for them."""
COUNTED = {"open": "all", "in_review": "unassigned", "escalated": "handed"}
"""The engine's names of the counts of views, where they are others."""
NARROW = ("category", "priority", "verdict", "language", "assignee", "tag")


ASKED = (*NARROW, "state", "q")
"""What a person narrows the queue by."""
HANDED = {"in_review": "false", "escalated": "true"}
"""By state of the switch whether the cases are with somebody, whom a person or the line chose."""
ADDRESS = {"case": "case", **{name: f"filter-{name}" for name in ASKED}}
"""What the address of the review queue names, and the session's keys of it."""
KNOWN = {
    "state": tuple(STATES),
    "category": tuple(Category),
    "priority": tuple(Priority),
    "verdict": (Verdict.CLEAN, Verdict.FLAGGED),
    "language": tuple(LANGUAGES),
}


def read_filters() -> Filters:
    """Return the filters as they stand."""
    filters_typed = {name: str(st.session_state.get(f"filter-{name}") or "") for name in ASKED}
    # Without a state the engine lists all that waits for a person, handed over or not.
    view = filters_typed["state"]
    narrowed = {
        "state": view if view == "failed" else "",
        "snoozed": "true" if view == "snoozed" else "",
        "handed": HANDED.get(view, ""),
        "whose": view if view in ("mine", "others") else "",
    }
    return Filters(**(filters_typed | narrowed))


def set_filters(**only: str) -> None:
    """Set the filters to exactly `only`, e.g. when a number of the overview was pressed."""
    for name in ASKED:
        st.session_state[f"filter-{name}"] = only.get(name, "")
    first_page("queue")


def filters() -> None:
    """Draw views, search and the narrower filters."""
    views()
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        search_field("filter-q", _changed)
        _draw_narrower()


@st.fragment(run_every="10s", key="views")
def views() -> None:
    """Draw the views with how many cases each holds; they renew themselves, as the list does."""
    if not st.session_state.get("filter-state"):
        st.session_state["filter-state"] = "open"
    st.pills(
        "View",
        list(STATES),
        format_func=partial(_view, _counts()),
        key="filter-state",
        label_visibility="collapsed",
        width="stretch",
        required=True,
        persist_state="session",
        on_change=_turn,
    )


def _turn() -> None:
    """Show another view, which changes more of the page than the choice of it."""
    _changed()
    st.rerun()


def next_view() -> None:
    """Turn to the next view that holds something, and open its first case."""
    names, counts = list(STATES), _counts()
    here = names.index(str(st.session_state.get("filter-state") or "open"))
    around = (*names[here + 1 :], *names[:here])
    view = next((tag for tag in around if counts.get(tag)), names[here])
    st.session_state["filter-state"] = view
    _changed()
    st.session_state["case"] = None
    st.rerun()


def _counts() -> dict[str, int]:
    """Return how many cases each view holds; nothing while the engine is away."""
    try:
        queue_counts = read_lately("queue-counts", lambda: mail_desk().cases.queue_counts(), 4.0)
    except PosternError:
        return {}
    return {view: int(getattr(queue_counts, COUNTED.get(view, view))) for view in STATES}


def _view(counts: Mapping[str, int], view: str) -> str:
    """Return a view's name with how many cases it holds, where there are any."""
    count = counts.get(view, 0)
    return f"{STATES[view]} {count:,}" if count else STATES[view]


def _draw_narrower() -> None:
    draw_choices("filter", NARROW, _changed)
    active = any(st.session_state.get(f"filter-{name}") for name in NARROW)
    if active:
        st.button("Clear", key="filters-clear", on_click=set_filters)


def draw_choices(
    key: str, names: Sequence[str], changed: Callable[..., None], *given: object
) -> None:
    """Offer choices of category, priority or assignee, kept under `key` and the name."""
    active = sum(bool(st.session_state.get(f"{key}-{name}")) for name in names)
    label = f"Filter · {active}" if active else "Filter"
    with st.popover(label, icon=":material/tune:", key=f"{key}-filters"):
        for name in names:
            st.selectbox(
                name.capitalize(),
                ["", *_options(name)],
                format_func=partial(_option, name),
                key=f"{key}-{name}",
                persist_state="session",
                on_change=changed,
                args=given,
            )


def _options(name: str) -> list[str]:
    kinds: dict[str, list[str]] = {
        "category": [str(entry) for entry in Category],
        "priority": [str(entry) for entry in Priority],
        "verdict": [str(Verdict.CLEAN), str(Verdict.FLAGGED)],
        "language": list(LANGUAGES),
    }
    if name == "tag":
        return _tags()
    return kinds.get(name) or _people()


def _tags() -> list[str]:
    """Return the tags that conversations bear, the one that is chosen too."""
    chosen = str(st.session_state.get("filter-tag") or "")
    try:
        tag_names = [
            tag.name for tag in read_lately("tags", lambda: mail_desk().threads.tags().items, 10.0)
        ]
    except PosternError:
        tag_names = []  # the list says that the engine is away
    return list(dict.fromkeys((*tag_names, *([chosen] if chosen else ()))))


def _people() -> list[str]:
    opened = organization()
    return [person.email for person in opened.people] if opened else []


def _option(name: str, option: str) -> str:
    if not option:
        return "any"
    if name == "tag":
        return option
    if name == "assignee":
        return people.name_of(option)
    return language(option) if name == "language" else word(option)


def _changed() -> None:
    first_page("queue")
    list_navigation.remember("queue", ())
    st.session_state["narrowed"] = read_filters() != Filters()


def choose_state(key: str, states: Mapping[str, str], listed: str) -> str:
    """Draw the states of the list `listed` side by side; return the chosen one, empty for all."""
    st.segmented_control(
        "State",
        list(states),
        key=key,
        default="open",
        required=True,
        format_func=lambda name: states[name],
        label_visibility="collapsed",
        persist_state="session",
        on_change=first_page,
        args=(listed,),
    )
    return str(st.session_state.get(key) or "open").replace("all", "")
