"""Health: everything that can be wrong with the installation, and what to do about it."""

import streamlit as st

from data.counting import plural
from data.records.core.health import HealthFinding, HealthReport
from ui.core.chips import chip, chips, empty, moment
from ui.core.session import attempt, core_desk, guard_refusals, me
from ui.core.text.clock import now
from ui.core.text.inert import make_inert, one_line
from ui.core.text.words import Tone
from ui.core.widgets.figures import figures
from ui.core.widgets.heading import heading

GROUPS = {"machine": "The machine", "running": "What runs", "outside": "What others say"}
TONES: dict[str, tuple[str, Tone]] = {
    "ok": ("well", "good"),
    "warn": ("look at it", "warn"),
    "fail": ("wrong", "bad"),
}


def show() -> None:
    """Draw the page."""
    heading("Health", "What is wrong, and what to do about it.")
    with guard_refusals():
        if not me().administers:
            st.info("Only an administrator sees how the installation is.", icon=":material/info:")
            return
        report = _report()
        with st.container(horizontal=True, vertical_alignment="center", key="health-head"):
            _sum(report)
            st.button("Look again", key="health-again", icon=":material/refresh:",
                      on_click=_forget)  # fmt: skip
            st.button(
                "Ask others too",
                key="health-outside",
                help="Model providers, spam filters and the resolver are asked; no mail goes.",
                on_click=_ask_outside,
                disabled=report.outside,
            )
        _troubles(report)
        _well(report)


def _report() -> HealthReport:
    """Return the report of this session, made when the page was opened or asked for again."""
    report_kept = st.session_state.get("health")
    if (
        isinstance(report_kept, HealthReport)
        and (now() - report_kept.looked_at).total_seconds() < 30
    ):
        return report_kept
    report = core_desk().installation.health()
    st.session_state["health"] = report
    return report


def _forget() -> None:
    st.session_state.pop("health", None)


def _ask_outside() -> None:
    if (report := attempt(lambda: core_desk().installation.health(outside=True))) is not None:
        st.session_state["health"] = report


def _sum(report: HealthReport) -> None:
    wrong = sum(finding.status == "fail" for finding in report.findings)
    doubtful = sum(finding.status == "warn" for finding in report.findings)
    chips(
        chip(f"{wrong} wrong", "bad") if wrong else "",
        chip(f"{doubtful} to look at", "warn") if doubtful else "",
        chip("all is well", "good") if not wrong and not doubtful else "",
        moment(report.looked_at, now()),
    )


def _troubles(report: HealthReport) -> None:
    troubles = sorted(
        (bad_finding for bad_finding in report.findings if bad_finding.status != "ok"),
        key=lambda bad_finding: bad_finding.status != "fail",
    )
    if not troubles:
        empty("Nothing needs you.", "Each check below found what it should.")
        return
    for place, finding in enumerate(troubles):
        with st.container(key=f"card-health-{place}"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(one_line(_name_finding(finding), 80), width="content")
                chips(chip(*TONES[finding.status]))
            st.text(one_line(finding.sentence, 600))
            if finding.remedy:
                st.caption(_with_commands(finding.remedy))


def _with_commands(text: str) -> str:
    """Return what to do with its commands set apart, and all else as plain text."""
    pieces = text.split("`")
    return "".join(
        f"`{piece}`" if place % 2 else f" {make_inert(piece, limit=600)} "
        for place, piece in enumerate(pieces)
        if piece.strip()
    )


def _name_finding(health_finding: HealthFinding) -> str:
    """Return what a finding is about: its name, and the organization's where it is of one."""
    name = health_finding.name[:1].upper() + health_finding.name[1:]
    if health_finding.group in GROUPS or len(me().organizations) == 1:
        return name
    return f"{name}, {_group(health_finding.group)}"


def _group(group: str) -> str:
    name_by_slug = {entry.slug: entry.name for entry in me().organizations}
    return GROUPS.get(group, name_by_slug.get(group, group))


def _well(report: HealthReport) -> None:
    """Draw what is well, group by group."""
    for group in dict.fromkeys(finding.group for finding in report.findings):
        well = [
            finding
            for finding in report.findings
            if finding.group == group and finding.status == "ok"
        ]
        if not well:
            continue
        name = _group(group)
        with st.expander(f"{make_inert(name, limit=80)}: {plural(len(well), 'check')} well",
                         key=f"health-well-{group}"):  # fmt: skip
            figures(("What", "Found"), [(finding.name, finding.sentence) for finding in well], name,
                    text_columns=2)  # fmt: skip


if __name__ == "__main__":
    show()
