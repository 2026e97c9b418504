"""The audit log: who decided what, and when."""

from functools import partial

import streamlit as st

from data.counting import plural
from data.records.core.audit_views import AuditChoices, AuditFilter, AuditView
from ui.core import address
from ui.core.chips import chips, empty, make_muted
from ui.core.pages import switch_to
from ui.core.session import core_desk, guard_refusals, zone
from ui.core.text.audit_words import place, tell_action, tell_detail
from ui.core.text.clock import ago, now, write_exactly
from ui.core.text.inert import make_inert, one_line
from ui.core.text.text_runs import TextLine, line, run
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.pager import SIZE, first_page, pager, read_page

ADDRESS = {"who": "audit-who", "what": "audit-what", "words": "audit-words"}
"""What the page's address names, and the session's keys of it."""


def show() -> None:
    """Draw the page."""
    heading("Audit log", "Who decided what, and when; the newest first.")
    with guard_refusals():
        only = _narrow(core_desk().audit.choices())
        audit_page = read_page(
            "audit", lambda skipped: core_desk().audit.events(limit=SIZE, offset=skipped, only=only)
        )
        if not audit_page.items and only == AuditFilter():
            empty("Nobody has decided anything yet.", "Each decision of a person is noted here.")
            return
        if not audit_page.items:
            empty(
                "Nothing like that was done.", "Choose other days, another person or other words."
            )
            return
        chips(make_muted(plural(audit_page.total, "decision")))
        with st.container(horizontal=True, vertical_alignment="center"):
            _files(only)
            _chain()
        with st.container(key="card-audit"):
            for entry in audit_page.items:
                _entry(entry)
        pager("audit", audit_page.total)


def _narrow(audit_choices: AuditChoices) -> AuditFilter:
    """Draw what the log is narrowed by; return it."""
    address.take("audit", ADDRESS, {"who": audit_choices.actors, "what": audit_choices.actions})
    # What was chosen, and is of another organization, is no choice here.
    for name, choices in (
        ("audit-who", audit_choices.actors),
        ("audit-what", audit_choices.actions),
    ):
        if st.session_state.get(name) not in ("", None, *choices):
            st.session_state[name] = ""
    with st.container(horizontal=True, vertical_alignment="bottom", key="audit-filters"):
        st.selectbox(
            "Who",
            ["", *audit_choices.actors],
            format_func=lambda name: make_inert(name, limit=40) if name else "Everybody",
            key="audit-who",
            width=200,
            persist_state="session",
            on_change=first_page,
            args=("audit",),
        )
        st.selectbox(
            "What",
            ["", *audit_choices.actions],
            format_func=lambda name: tell_action(name).capitalize() if name else "Everything",
            key="audit-what",
            width=330,
            persist_state="session",
            on_change=first_page,
            args=("audit",),
        )
        days = st.date_input(
            "From and until", value=[], key="audit-days", width=230, on_change=first_page,
            args=("audit",),
        )  # fmt: skip
        st.text_input(
            "Words",
            key="audit-words",
            max_chars=200,
            width=220,
            persist_state="session",
            on_change=first_page,
            args=("audit",),
        )
    address.tell(ADDRESS)
    day_range = days if isinstance(days, tuple) else (days,)
    who, what, words_typed = (str(st.session_state.get(name) or "") for name in ADDRESS.values())
    return AuditFilter(
        actor=who,
        action=what,
        words=words_typed.strip(),
        since=day_range[0] if day_range else None,
        until=day_range[-1] if day_range else None,
    )


def _files(only: AuditFilter) -> None:
    for form, label in (("csv", "CSV"), ("parquet", "Parquet")):
        st.download_button(
            label,
            data=partial(core_desk().audit.file, only, form),
            file_name=f"audit.{form}",
            mime="text/csv" if form == "csv" else "application/vnd.apache.parquet",
            key=f"audit-file-{form}",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )


def _chain() -> None:
    """Draw the button that verifies the chain of hashes, and what it gave."""
    if not st.button("Verify the chain", key="audit-verify", icon=":material/verified:"):
        return
    chain = core_desk().audit.chain()
    for fault in chain.faults.values():
        st.error(f"{fault} Compare with a backup.")
    if not chain.faults:
        st.success(
            f"{plural(chain.events, 'event')} fit their hashes: none was changed or removed, and "
            "agents have done what stands of their turns."
        )


def _entry(entry: AuditView) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", wrap=False, key=f"audit-{entry.sequence}"
    ):
        draw_marked([_line(entry)], "list", key=f"audit-words-{entry.sequence}")
        subject_place = place(entry)
        if subject_place and st.button("Open", key=f"audit-open-{entry.sequence}", type="tertiary"):
            page, name, id = subject_place
            st.session_state[name] = id
            if name in ("message", "thread"):
                st.session_state["inbox-next"] = (
                    "Messages" if name == "message" else "Conversations"
                )
            switch_to(page)


def _line(entry: AuditView) -> TextLine:
    at = write_exactly(entry.at, zone())
    detail = one_line(tell_detail(entry.detail, entry.subject), 300)
    return line(
        run(f"{ago(entry.at, now(), zone())}  ", "quiet", at),
        run(entry.actor, "strong"),
        run(f"  {tell_action(entry.action)}", "plain", f"{entry.action}: {entry.subject}"),
        run(f"\n{one_line(entry.title, 300)}" if entry.title else "", "plain"),
        run(f"\n{detail}" if detail else "", "quiet"),
        icon="dot",
    )


if __name__ == "__main__":
    show()
