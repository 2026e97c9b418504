"""Settings of the installation as they are, and where each one is set."""

from pathlib import PurePath

import streamlit as st

from data.records.core.setting_views import SettingList, SettingView
from ui.inert import inert
from ui.widgets.figures import figures


def set_where(known: SettingList, *beginnings: str) -> None:
    """Draw the settings whose names begin so: those that are set, and the others folded away."""
    shown = [one for one in known.items if one.name.startswith(beginnings)]
    given = [one for one in shown if one.source != "default"]
    others = [one for one in shown if one.source == "default"]
    st.caption(f"File: {inert(known.file, limit=300)}")
    head = ("Setting", "Value", "From")
    if given:
        figures(head, [_row(one) for one in given], "Settings that are set")
    if others:
        with st.expander(f"{len(others)} as they come", key=f"set-{beginnings[0]}"):
            figures(head, [_row(one) for one in others], "Settings as they come")


def _row(one: SettingView) -> tuple[str, str, str]:
    """Return name, value and where it is from, or by which variable it could be set."""
    if one.source == "default":
        return one.name, one.value or "–", f"default; {one.variable}"
    where = PurePath(one.source).name if "/" in one.source else one.source
    return one.name, one.value or "–", where
