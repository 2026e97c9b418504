"""Tags for several cases at once: which are given, which are taken away, and what became of it."""

from collections.abc import Callable, Sequence

import streamlit as st
from pydantic import ValidationError

from data.counting import plural
from data.records.mail.orders import TagCases
from data.records.mail.views import CaseView
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, forget_lately, read_lately, say
from ui.core.text.inert import shorten_middle
from ui.core.widgets.lists import subject_line
from ui.mail.api.desk import mail_desk


def tag_fields(offered: Sequence[CaseView], picked: Sequence[CaseView]) -> None:
    """Draw which tags the cases that are picked get and lose, and what picks all of them."""
    tag_names = [
        one.name for one in read_lately("tags", lambda: mail_desk().threads.tags().items, 10.0)
    ]
    borne = sorted({tag for case in picked for tag in case.item.tags})
    with st.container(horizontal=True, vertical_alignment="bottom", key="several-tags"):
        st.multiselect("Tags to give", tag_names, key="several-tags-add", accept_new_options=True,
                       placeholder="Choose, or write a new one")  # fmt: skip
        st.multiselect("Tags to take away", borne, key="several-tags-remove",
                       placeholder="What the picked ones bear")  # fmt: skip
        every = len(picked) == len(offered)
        st.button("Pick none" if every else "Pick all", key="several-pick-all", on_click=_pick,
                  args=([case.id for case in offered], not every))  # fmt: skip


def tag_buttons(picked: Sequence[CaseView], *, on_cancel: Callable[[], None]) -> None:
    """Draw the button that tags the cases that are picked, and the way back."""
    with st.container(key="actions"), st.container(horizontal=True, gap="small"):
        st.button(
            f"Tag {plural(len(picked), 'case')}",
            key="several-now",
            type="primary",
            disabled=not picked or not (_chosen("add") or _chosen("remove")),
            on_click=_tag,
            args=(picked,),
        )
        st.button("Cancel", key="several-cancel", shortcut="Esc", type="tertiary",
                  on_click=on_cancel)  # fmt: skip


def _pick(ids: Sequence[str], picked: bool) -> None:
    for id in ids:
        st.session_state[f"several-tag-{id}"] = picked
    redraw("item")


def _chosen(name: str) -> tuple[str, ...]:
    return tuple(str(tag) for tag in st.session_state.get(f"several-tags-{name}") or ())


def _tag(picked: Sequence[CaseView]) -> None:
    try:
        order = TagCases(
            cases=tuple(case.id for case in picked), add=_chosen("add"), remove=_chosen("remove")
        )
    except ValidationError as error:
        say("warning", error.errors()[0]["msg"].removeprefix("Value error, "))
        return
    outcomes = attempt(lambda: mail_desk().cases.tag_several(order))
    if outcomes is not None:
        done = [one for one in outcomes if one.done]
        if done:
            say("done", f"{plural(len(done), 'case')} tagged.")
        subjects = {case.id: case.item.subject for case in picked}
        for outcome in outcomes:
            if not outcome.done:
                subject = shorten_middle(subject_line(subjects.get(outcome.id, "")), 60)
                say("warning", f"Not done: “{subject}”: {outcome.sentence}")
        for name in ("several", "several-tags-add", "several-tags-remove"):
            st.session_state.pop(name, None)
        forget_lately()
    redraw(*ALL)
