"""Settings of the installation as they are, and where each one is set."""

from pathlib import PurePath

import streamlit as st

from data.counting import plural
from data.records.core.setting_views import SettingList, SettingView
from ui.core.text.inert import make_inert
from ui.core.widgets.figures import figures


def set_where(setting_list: SettingList, *beginnings: str) -> None:
    """Draw the settings whose names begin so: those that are set, and the others folded away."""
    shown = [item for item in setting_list.items if item.name.startswith(beginnings)]
    settings_given = [setting for setting in shown if setting.source != "default"]
    others = [setting for setting in shown if setting.source == "default"]
    st.caption(f"File: {make_inert(setting_list.file, limit=300)}")
    head = ("Setting", "Value", "From")
    if settings_given:
        figures(
            head,
            [_row(setting) for setting in settings_given],
            "Settings that are set",
            text_columns=3,
        )
    if others:
        with st.expander(
            f"{plural(len(others), 'setting')} at the default", key=f"set-{beginnings[0]}"
        ):
            figures(
                head, [_row(other) for other in others], "Settings at the default", text_columns=3
            )


def _row(setting_view: SettingView) -> tuple[str, str, str]:
    """Return name, value and where it is from, or by which variable it could be set."""
    if setting_view.source == "default":
        return setting_view.name, setting_view.value or "–", f"default; {setting_view.variable}"
    where = (
        PurePath(setting_view.source).name if "/" in setting_view.source else setting_view.source
    )
    return setting_view.name, setting_view.value or "–", where
