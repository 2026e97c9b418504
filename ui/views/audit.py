"""The audit log: who decided what, and when."""

import streamlit as st

from data.records.core.audit_views import AuditView
from ui.audit_words import about, did, place
from ui.chips import chips, empty, muted
from ui.clock import ago, exact, now
from ui.inert import one_line
from ui.runs import Line, line, run
from ui.session import desk, guarded, zone
from ui.widgets.heading import heading
from ui.widgets.marked import marked
from ui.widgets.pager import SIZE, offset, pager
from ui.words import plural


def show() -> None:
    """Draw the page."""
    heading("Audit log", "Who decided what, and when; the newest first.")
    with guarded():
        found = desk().audit(limit=SIZE, offset=offset("audit"))
        if not found.items:
            empty("Nobody has decided anything yet.", "Each decision of a person is noted here.")
            return
        chips(muted(plural(found.total, "decision")))
        _chain()
        with st.container(key="card-audit"):
            for entry in found.items:
                _entry(entry)
        pager("audit", found.total)


def _chain() -> None:
    """Draw the button that verifies the chain of hashes, and what it gave."""
    if not st.button("Verify the chain", key="audit-verify", icon=":material/verified:"):
        return
    chain = desk().audit_chain()
    if chain.broken_at is None:
        st.success(
            f"{plural(chain.events, 'event')} fit their hashes: none was changed or removed."
        )
    else:
        st.error(
            f"Event {chain.broken_at} does not fit its hash: it was changed, or one before it was "
            "removed, beside Postern. Compare the log with a backup."
        )


def _entry(entry: AuditView) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", wrap=False, key=f"audit-{entry.sequence}"
    ):
        marked([_line(entry)], "list", key=f"audit-words-{entry.sequence}")
        found = place(entry)
        if found and st.button("Open", key=f"audit-open-{entry.sequence}", type="tertiary"):
            page, name, id = found
            st.session_state[name] = id
            if name in ("message", "thread"):
                st.session_state["inbox-next"] = (
                    "Messages" if name == "message" else "Conversations"
                )
            st.switch_page(page)


def _line(entry: AuditView) -> Line:
    at = exact(entry.at, zone())
    detail = one_line(about(entry.detail, entry.subject), 300)
    return line(
        run(f"{ago(entry.at, now())}  ", "quiet", at),
        run(entry.actor, "strong"),
        run(f"  {did(entry.action)}", "plain", f"{entry.action}: {entry.subject}"),
        run(f"\n{detail}" if detail else "", "quiet"),
        icon="dot",
    )


if __name__ == "__main__":
    show()
