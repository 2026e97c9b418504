"""The top of every page: what it is, one sentence, and who is signed in."""

from html import escape

import streamlit as st

from ui import stepping
from ui.inert import inert
from ui.session import forget_lately, me, notices, organization, sign_out
from ui.widgets.bell import bell
from ui.widgets.first_steps import way_to_first_steps
from ui.widgets.key_sheet import key_sheet


def heading(
    title: str,
    lead: str = "",
    *,
    is_told: bool = True,
    bare: bool = False,
    leads_back: bool = True,
) -> None:
    """Draw the page's name and sentence (both ours), the organization and the user.

    Without `is_told` the page itself draws the notices that wait, in a part that renews itself. A
    `bare` one takes no room on a desk, where the bar of pages names the page. One that
    `leads_back` shows the way to the first steps, as long as some are left.
    """
    with st.container(
        key="heading",
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute",
    ):
        st.html(
            f'<h1 class="title{" bare" if bare else ""}">{escape(title)}</h1>'
            f'<span class="lead">{escape(lead)}</span>',
            width="content",
        )
        if leads_back and not bare:
            way_to_first_steps()
        with st.container(horizontal=True, width="content", gap="small", wrap=False, key="corner"):
            key_sheet(title)
            bell()
            _account()
    if is_told:
        notices()


def _account() -> None:
    who, opened = me(), organization()
    label = inert(f"{who.user} · {opened.name}" if opened else who.user, limit=48)
    with st.popover(label, icon=":material/account_circle:", type="tertiary", key="account"):
        st.text(f"Signed in as {who.user}" + (f", {who.role}" if who.role != who.user else ""))
        if len(who.organizations) > 1:
            names = {entry.slug: entry.name for entry in who.organizations}
            st.selectbox(
                "Organization",
                list(names),
                key="organization",
                index=list(names).index(opened.slug) if opened else 0,
                format_func=lambda slug: names[slug],
                persist_state="session",
                on_change=forget_page,
            )
        st.button("Sign out", key="sign-out", on_click=sign_out, icon=":material/logout:")


def forget_page() -> None:
    """Forget what is open and was read lately, which belongs to the organization before."""
    for name in (*stepping.OPENED.values(), "undo", "closed", "panel", "outcomes"):
        st.session_state.pop(name, None)
    forget_lately()
    for name in stepping.OPENED:
        st.session_state.pop(f"ids-{name}", None)
