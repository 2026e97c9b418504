"""The menu at the head of a case: what is done with it beside deciding on its reply."""

import streamlit as st

from data.records.mail.views import CaseView
from ui.core.sources import open_thread


def case_menu(case: CaseView) -> None:
    """Draw the menu; each entry is a button or a link of its own."""
    with st.popover("More", icon=":material/more_horiz:", key=f"case-menu-{case.id}", help="More"):
        if case.thread and st.button(
            "The whole conversation", key=f"menu-thread-{case.id}", icon=":material/forum:"
        ):
            open_thread(case.thread.id)
        if case.run_url:
            st.link_button("The flow run", case.run_url, icon=":material/account_tree:")
