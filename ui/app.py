"""The review window's entry: signs in, draws what every page shares, opens the page.

Started by `postern ui` as `streamlit run ui/app.py`. Streamlit puts this folder first on the
module path, so nothing in it may bear the name of a package.
"""

from pathlib import Path

import streamlit as st

from ui import returning
from ui.parts_of_page import redrawn
from ui.session import guarded, me, token
from ui.widgets import stop, undo

HERE = Path(__file__).parent

PAGES = (
    ("overview", "Overview", ":material/monitoring:"),
    ("review", "Review queue", ":material/rate_review:"),
    ("chats", "Chats", ":material/forum:"),
    ("agents", "Agents", ":material/smart_toy:"),
    ("agenda", "Tasks & calendar", ":material/calendar_month:"),
    ("inbox", "Inbox", ":material/inbox:"),
    ("quarantine", "Quarantine", ":material/gpp_maybe:"),
    ("knowledge", "Knowledge", ":material/menu_book:"),
    ("memory", "Memory", ":material/psychology:"),
    ("business", "Business profile", ":material/storefront:"),
    ("outbox", "Outbox", ":material/outbox:"),
    ("tickets", "Tickets", ":material/confirmation_number:"),
    ("questions", "Questions", ":material/contact_support:"),
    ("rules", "Rules", ":material/rule:"),
    ("audit", "Audit log", ":material/history:"),
    ("help", "Help", ":material/help:"),
)


def main() -> None:
    """Draw the window."""
    st.set_page_config(page_title="Postern", page_icon=HERE / "static" / "icon.png", layout="wide")
    st.html(HERE / "style.css")
    st.logo(HERE / "static" / "logo.svg", size="large")
    if not (signed_in := token()):
        returning.clear()
        st.navigation([st.Page("views/sign_in.py", title="Sign in")], position="hidden").run()
        return
    with guarded():
        me()
        returning.remember(signed_in)
        page = st.navigation(
            [
                st.Page(f"views/{name}.py", title=title, icon=icon, default=name == "overview")
                for name, title, icon in PAGES
            ],
            position="top",
        )
        redrawn("undo")
        stop.banner()
        page.run()
        undo.undo()


if __name__ == "__main__":
    main()
