"""Settings of the installation as they are, and where each one is set."""

from pathlib import PurePath

import streamlit as st

from data.records.core.setting_views import SettingList, SettingView
from ui.inert import inert
from ui.widgets.figures import figures


def set_where(known: SettingList, *beginnings: str) -> None:
    """Draw the settings whose names begin so: those that are set, and the others folded away."""
    shown = [item for item in known.items if item.name.startswith(beginnings)]
    settings_given = [setting for setting in shown if setting.source != "default"]
    others = [setting for setting in shown if setting.source == "default"]
    st.caption(f"File: {inert(known.file, limit=300)}")
    head = ("Setting", "Value", "From")
    if settings_given:
        figures(head, [_row(setting) for setting in settings_given], "Settings that are set")
    if others:
        with st.expander(f"{len(others)} as they come", key=f"set-{beginnings[0]}"):
            figures(head, [_row(other) for other in others], "Settings as they come")


def _row(one: SettingView) -> tuple[str, str, str]:
    """Return name, value and where it is from, or by which variable it could be set."""
    if one.source == "default":
        return one.name, one.value or "–", f"default; {one.variable}"
    where = PurePath(one.source).name if "/" in one.source else one.source
    return one.name, one.value or "–", where
