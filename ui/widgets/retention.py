"""What is kept how long, where that is set, and what the last upkeep removed."""

import streamlit as st

from data.records.core.retention_views import KeptFor
from ui.chips import chips, moment, muted, section
from ui.clock import now
from ui.session import desk
from ui.widgets.figures import figures


def retention() -> None:
    """Draw what is kept how long."""
    view = desk().retention()
    with st.container(key="card-settings-retention"):
        section("What is kept how long")
        figures(("What", "Kept", "Set by"), [_row(one) for one in view.kept], "What is kept")
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


def _row(one: KeptFor) -> tuple[str, str, str]:
    what = f"{one.what}. {one.remark}" if one.remark else f"{one.what}."
    return what, one.words, one.setting or "fixed"
