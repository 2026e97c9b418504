"""Putting a case off: when it should come back, and why it did."""

import streamlit as st

from data.records.mail.snoozing import SnoozeEnd, SnoozeView
from data.records.mail.views import CaseView
from ui.core.chips import chips, make_muted
from ui.core.session import zone
from ui.core.text.clock import today, write_exactly
from ui.mail.deciding import snooze_callbacks
from ui.mail.deciding.decisions import OPEN
from ui.mail.deciding.double_press import key_of
from ui.mail.widgets.case.cancel import cancel

BACK = {
    SnoozeEnd.TIME: "It is back: {by} put it off until now.",
    SnoozeEnd.MESSAGE: "It is back: somebody wrote again. {by} had put it off.",
}
"""Why a case is back, where that tells something new to whoever looks at it."""


def panel(case: CaseView) -> None:
    """Draw the choices of when a case should come back."""
    chips(
        make_muted("It leaves the list, and comes back then or as soon as somebody writes again.")
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for number, (choice, label) in enumerate(snooze_callbacks.CHOICES.items(), start=1):
            st.button(
                label,
                key=key_of(f"snooze-{choice}", case.id),
                shortcut=str(number),
                on_click=snooze_callbacks.snooze,
                args=(case, choice),
            )
        day = st.date_input(
            "On a day",
            value=None,
            min_value=today(zone()),
            key=f"snooze-day-{case.id}",
            label_visibility="collapsed",
        )
        st.button(
            "On that day",
            key=key_of("snooze-on-day", case.id),
            disabled=day is None,
            on_click=snooze_callbacks.snooze_until_day,
            args=(case,),
        )
        cancel()


def put_off(case: CaseView) -> None:
    """Draw until when a case is put off, or why it is back; nothing where neither is so."""
    if case.snooze is None or case.state not in OPEN:
        return
    chips(make_muted(_sentence(case.snooze)))
    if case.snooze.ended_at is None:
        st.button(
            "Bring it back",
            key=key_of("unsnooze", case.id),
            icon=":material/undo:",
            on_click=snooze_callbacks.unsnooze,
            args=(case.id, case.version),
        )


def _sentence(snooze: SnoozeView) -> str:
    if snooze.ended_at is None:
        until = write_exactly(snooze.until, zone()) if snooze.until else "they answer"
        return f"{snooze.snoozed_by} put it off until {until}."
    because = SnoozeEnd(snooze.ended_because or SnoozeEnd.PERSON)
    return BACK.get(because, "").format(by=snooze.snoozed_by)
