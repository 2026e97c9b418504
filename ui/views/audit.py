"""The audit log: who decided what, and when."""

import streamlit as st

from data.records.outgoing_views import AuditView
from ui.clock import exact
from ui.inert import one_line
from ui.runs import Line, line, run
from ui.session import desk, guarded
from ui.widgets.chips import chips, empty, muted
from ui.widgets.heading import heading
from ui.widgets.marked import marked
from ui.widgets.pager import SIZE, offset, pager
from ui.words import plural, word


def show() -> None:
    """Draw the page."""
    heading("Audit log", "Who decided what, and when; the newest first.")
    with guarded():
        found = desk().audit(limit=SIZE, offset=offset("audit"))
        if not found.items:
            empty("Nobody has decided anything yet.", "Each decision of a person is noted here.")
            return
        chips(muted(plural(found.total, "decision")))
        with st.container(key="card-audit"):
            marked([_line(entry) for entry in found.items], "list", key="audit")
        pager("audit", found.total)


def _line(entry: AuditView) -> Line:
    return line(
        run(f"{exact(entry.at, st.context.timezone)}  ", "quiet"),
        run(entry.actor, "strong"),
        run(f"  {word(entry.action).replace('-', ' ')}  "),
        run(one_line(entry.subject, 80), "code"),
        run(f"\n{one_line(entry.detail, 300)}" if entry.detail else "", "quiet"),
        icon="dot",
    )


if __name__ == "__main__":
    show()
