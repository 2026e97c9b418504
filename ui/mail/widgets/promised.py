"""Promises of replies that have left, the next due first."""

import streamlit as st

from data.counting import plural
from data.records.mail.overview_views import Overview
from data.records.mail.promises import PromiseView
from ui.core.chips import chips, make_muted, section
from ui.core.session import attempt, say
from ui.core.text.text_runs import Icon, TextLine, line, run
from ui.core.widgets.marked import draw_marked
from ui.mail.api.desk import mail_desk

SHOWN = 8
SIGNS: dict[str, Icon] = {"overdue": "no", "open": "dot", "closed": "yes"}


def draw_promised(overview: Overview) -> None:
    """Draw the promises that nobody has closed; nothing when there are none."""
    if not overview.promises_open:
        return
    with st.container(key="card-promises"):
        section("Promised")
        late = f", {overview.promises_overdue:,} overdue" if overview.promises_overdue else ""
        chips(
            make_muted(
                f"{plural(overview.promises_open, 'promise')} in replies that have left{late}"
            )
        )
        promises = [
            item
            for state in ("overdue", "open")
            for item in mail_desk().promises.find(state, SHOWN).items
        ]
        for promise in promises[:SHOWN]:
            with st.container(horizontal=True, vertical_alignment="center"):
                draw_marked([_line(promise)], "list", key=f"promise-{promise.id}")
                st.button(
                    "Done",
                    key=f"promise-done-{promise.id}",
                    type="tertiary",
                    on_click=_close_promise,
                    args=(promise.id,),
                )


def _line(promise_view: PromiseView) -> TextLine:
    when = (
        f"{promise_view.due_on:%a %d %b}"
        if promise_view.dated
        else f"{promise_view.due_on:%a %d %b}, no day was named"
    )
    return line(
        run(f"{when}  ", "strong"),
        run(promise_view.sentence),
        run(f"  to {promise_view.contact_email}", "quiet"),
        icon=SIGNS[promise_view.state],
    )


def _close_promise(id: str) -> None:
    if attempt(lambda: mail_desk().promises.close(id, "")):
        say("done", "The promise is closed.")
