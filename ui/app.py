"""The review window's entry: signs in, draws what every page shares, opens the page.

Started by `postern ui` as `streamlit run ui/app.py`. Streamlit puts this folder first on the
module path, so nothing in it may bear the name of a package.
"""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ui.agents.widgets.matter import open_chat_about
from ui.core import staying_signed_in
from ui.core.address import follow
from ui.core.crossing import Crossing, join
from ui.core.pages import page_file, switch_to
from ui.core.parts_of_page import note_fragments
from ui.core.session import (
    guard_refusals,
    me,
    organization,
    reopen_organization,
    setup_secret,
    token,
)
from ui.core.widgets import counts, kill_switch, undo
from ui.core.widgets.blank_page import watch_blank_page
from ui.core.widgets.menu_roles import mend_menu
from ui.core.widgets.steps_back import steps_back
from ui.mail.referable import list_referable

HERE = Path(__file__).parent

SECTIONS = {
    "": (
        ("overview", "Overview", ":material/monitoring:"),
        ("review", "Review queue", ":material/rate_review:"),
        ("chats", "Chats", ":material/forum:"),
        ("reports", "Reports", ":material/bar_chart:"),
    ),
    "Mail": (
        ("inbox", "Inbox", ":material/inbox:"),
        ("quarantine", "Quarantine", ":material/gpp_maybe:"),
        ("outbox", "Outbox", ":material/outbox:"),
        ("tickets", "Tickets", ":material/confirmation_number:"),
        ("questions", "Questions", ":material/contact_support:"),
    ),
    "Agents": (
        ("agents", "Agents", ":material/smart_toy:"),
        ("intents", "Plain questions", ":material/quickreply:"),
        ("agenda", "Tasks & calendar", ":material/calendar_month:"),
        ("memory", "Memory", ":material/psychology:"),
    ),
    "Knowledge": (
        ("knowledge", "Knowledge", ":material/menu_book:"),
        ("business", "Business profile", ":material/storefront:"),
        ("rules", "Rules", ":material/rule:"),
    ),
    "Administration": (
        ("setup", "First steps", ":material/checklist:"),
        ("policy", "Policy", ":material/tune:"),
        ("organizations", "Organizations", ":material/domain:"),
        ("access", "People & access", ":material/group:"),
        ("mailboxes", "Mailboxes", ":material/mark_email_unread:"),
        ("models", "Models", ":material/neurology:"),
        ("settings", "Settings", ":material/settings:"),
        ("backups", "Backups", ":material/backup:"),
        ("health", "Health", ":material/monitor_heart:"),
        ("audit", "Audit log", ":material/history:"),
    ),
    "More": (("help", "Help", ":material/help:"),),
}
"""The pages by section: name of the file, title and icon. Those without a section stand open."""
FIRST = "overview"
"""The page that is open at first."""
ROOT = "start"
"""What the first page is called where it needs a name; its address is the root."""


def main() -> None:
    """Draw the window."""
    join(Crossing(open_chat_about=open_chat_about, list_referable=list_referable))
    st.set_page_config(page_title="Postern", page_icon=HERE / "static" / "icon.png", layout="wide")
    st.html(HERE / "style.css")
    st.logo(HERE / "static" / "logo.svg", size="large")
    signed_in = token()
    if setup_secret():
        _page_alone("first_organization", "Welcome")
        return
    if not signed_in:
        staying_signed_in.clear()
        _page_alone("sign_in", "Sign in")
        return
    with guard_refusals():
        known = me()
        reopen_organization()
        opened = organization()
        staying_signed_in.remember(signed_in, opened.slug if opened else "")
        if st.session_state.get("begun") or (known.administers and not known.organizations):
            _page_alone("first_organization", "Welcome")
            return
        page = st.navigation(_pages(), position="top")
        follow()
        note_fragments("undo")
        counts.draw_counts()
        mend_menu()
        steps_back()
        watch_blank_page()
        kill_switch.banner()
        page.run()
        undo.undo()


def _pages() -> dict[str, list[StreamlitPage]]:
    """Return the pages by section, made once in a session: that takes as long as a call does."""
    if "pages" not in st.session_state:
        sections = {
            section: [
                st.Page(
                    page_file(name),
                    title=title,
                    icon=icon,
                    default=name == FIRST,
                    url_path=ROOT if name == FIRST else name,
                )
                for name, title, icon in pages
            ]
            for section, pages in SECTIONS.items()
        }
        # The first page stands at the root; whoever types its name is led there.
        first_page = st.Page(_lead_to_first, title="Overview", url_path=FIRST, visibility="hidden")
        sections[""].append(first_page)
        st.session_state["pages"] = sections
    pages_made: dict[str, list[StreamlitPage]] = st.session_state["pages"]
    return pages_made


def _lead_to_first() -> None:
    switch_to(FIRST)


def _page_alone(name: str, title: str) -> None:
    """Draw a page that stands before all others, without the bar of pages.

    It stands at every address, so that whoever was sent one is there once signed in.
    """
    file = page_file(name)
    others = [other for pages in SECTIONS.values() for other, _, _ in pages if other != FIRST]
    pages = [st.Page(file, title=title, default=True, url_path=ROOT)]
    pages += [st.Page(file, title=title, url_path=other) for other in others]
    st.navigation(pages, position="hidden").run()


if __name__ == "__main__":
    main()
