"""What is kept how long, where that is set, and what the last upkeep removed."""

import streamlit as st

from data.records.core.retention_views import KeptFor
from ui.chips import chips, moment, muted, section
from ui.clock import now
from ui.session import desk


def retention() -> None:
    """Draw what is kept how long."""
    view = desk().retention()
    with st.container(key="card-settings-retention"):
        section("What is kept how long")
        for one in view.kept:
            with st.container(gap=None):
                st.text(f"{one.what}: {one.words}")
                chips(muted(_said_by(one)))
        st.text(
            "These settings are of the installation: write them into postern.toml, in days (0 "
            "keeps raw mail and chats for ever), and restart Postern. What is old enough goes "
            "every night."
        )
        if not view.upkeeps:
            chips(muted("The nightly upkeep has not run yet."))
            return
        last = view.upkeeps[0]
        chips(muted("Last upkeep"), moment(last.tidied_at, now()), muted(last.sentence))


def _said_by(one: KeptFor) -> str:
    """Return what says so, and what else is to be known."""
    by = f"Setting {one.setting}." if one.setting else "Fixed."
    return f"{by} {one.remark}".strip()
