"""The top of every page: what it is, one sentence, and who is signed in."""

from html import escape

import streamlit as st

from ui.core.address import go_to
from ui.core.pages import page_file
from ui.core.session import me, notices, organization, sign_out
from ui.core.text.inert import make_inert
from ui.core.widgets.bell import bell
from ui.core.widgets.key_sheet import key_sheet


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
            _way_to_first_steps()
        with st.container(horizontal=True, width="content", gap="small", wrap=False, key="corner"):
            key_sheet(title)
            bell()
            _account()
    if is_told:
        notices()


def _way_to_first_steps() -> None:
    """Draw the way back to the first steps, once somebody has seen that some are left."""
    if done := str(st.session_state.get("setup-way") or ""):
        with st.container(key="setup-way-back", width="content"):
            st.page_link(
                page_file("setup"), label=f"First steps: {done}", icon=":material/checklist:"
            )


def _account() -> None:
    who, opened = me(), organization()
    label = make_inert(f"{who.user} · {opened.name}" if opened else who.user, limit=48)
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
                on_change=turn_to_organization,
            )
        st.button("Sign out", key="sign-out", on_click=sign_out, icon=":material/logout:")


_STAYS = frozenset({"token", "client", "me", "returning", "organization"})
"""What the session knows of the person, whichever organization is open."""


def turn_to_organization() -> None:
    """Show the organization that was chosen, from its first page on.

    The fields of a page are those of its next drawing too, in the browser, so that another page has
    to be drawn: what was typed for one organization must not stand in a form of another.
    """
    forget_page()
    go_to("overview")


def forget_page() -> None:
    """Forget all that is open, typed, chosen or read, which is the organization's before."""
    for name in list(st.session_state):
        if name not in _STAYS:
            del st.session_state[name]
