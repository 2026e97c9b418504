"""The way from a case or its contact to one's own chat about it."""

import streamlit as st

from ui.core.crossing import crossing


def ask_case(case_id: str) -> None:
    """Draw the button that opens the person's chat about a case, or begins one."""
    if not st.button(
        "Ask an agent",
        key="ask-case",
        icon=":material/chat_bubble:",
        shortcut="Y",
        help="Ask an agent about this case",
    ):
        return
    crossing().open_chat_about(f"case:{case_id}")


def ask_contact(email: str) -> None:
    """Draw the button that opens the person's chat about a contact, or begins one."""
    if st.button(
        "Ask an agent about this contact",
        key="ask-contact",
        icon=":material/chat_bubble:",
        type="tertiary",
    ):
        crossing().open_chat_about(f"contact:{email}")
