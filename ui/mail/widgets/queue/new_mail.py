"""Beginning a mail to any address; it opens as a case to be written."""

import streamlit as st

from data.records.mail.new_mail import WriteMail
from ui.core.pages import switch_to
from ui.core.session import attempt, say
from ui.core.widgets.typed import make_order
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import decisions
from ui.mail.deciding.undoing import select

_LABELS = {"to": "To", "name": "Name", "subject": "Subject"}


def new_mail(place: str) -> None:
    """Draw the button with its fields; `place` names the page that it stands on."""
    turn = st.session_state.get("new-mail-turn", 0)  # what was begun leaves a closed, empty one
    with (
        st.popover(
            "New mail", type="tertiary", key=f"new-mail-{place}-{turn}", help="Write to any address"
        ),
        st.form(f"new-mail-form-{place}", border=False),
    ):
        st.text_input("To", key=_key("to", place), placeholder="name@domain")
        st.text_input("Name, for the greeting", key=_key("name", place))
        st.text_input("Subject", key=_key("subject", place))
        if st.form_submit_button("Begin the mail", type="primary", key=f"new-mail-begin-{place}"):
            _begin(place)


def _key(name: str, place: str) -> str:
    return f"new-mail-{name}-{place}"


def _begin(place: str) -> None:
    """Have the mail begun and open it; what is refused stays in the fields."""
    fields_typed = {
        name: str(st.session_state.get(_key(name, place)) or "").strip() for name in _LABELS
    }
    if not fields_typed["to"] or not fields_typed["subject"]:
        say("warning", "Write an address and a subject first.")
        st.rerun()
    order = make_order(WriteMail, fields_typed, _LABELS)
    letter = attempt(lambda: mail_desk().letters.write_mail(order)) if order else None
    if letter is None:
        st.rerun()
    for name in _LABELS:
        st.session_state.pop(_key(name, place), None)
    st.session_state["new-mail-turn"] = st.session_state.get("new-mail-turn", 0) + 1
    select(letter.id)
    decisions.panel("edit")
    switch_to("review")
