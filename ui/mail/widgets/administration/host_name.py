"""The name of this machine: what greets other servers, and what Message-IDs end in."""

import streamlit as st
from pydantic import ValidationError

from data.records.core.kept_settings import SettingsChange
from data.records.core.setting_views import SettingView
from ui.core.chips import chips, make_muted
from ui.core.session import core_desk, say
from ui.core.text.inert import one_line
from ui.core.widgets.conflict_forms import change_from, pin_form

SETTING = "smtp_hostname"
KEPT_HERE = "kept in Postern"


def host_name_form() -> None:
    """Draw the name, and the form that changes it unless it is set elsewhere."""
    setting = next(item for item in core_desk().settings.list_all().items if item.name == SETTING)
    if setting.source not in ("default", KEPT_HERE):
        chips(make_muted(one_line(f"This machine is {setting.value}; that is set in "
                             "postern.toml or the environment: "
                             "change it there, and restart.", 400)))  # fmt: skip
        return
    _form(setting)


def _form(setting: SettingView) -> None:
    unnamed = setting.source == "default"
    key = f"hostname-{pin_form('hostname', setting.value)}"
    st.text_input("Name of this machine", "" if unnamed else setting.value, key=key, max_chars=253,
                  placeholder="mx.harbor.example",
                  help="Other servers are greeted with it, an MX record names it, and Message-IDs "
                  "of replies end in it.")  # fmt: skip
    with st.container(horizontal=True):
        st.button("Save the name", key="hostname-save", on_click=_save, args=(key,))
        if not unnamed:
            st.button("Use the default", key="hostname-default", icon=":material/restart_alt:",
                      on_click=_use_default)  # fmt: skip


def _save(key: str) -> None:
    name = str(st.session_state.get(key) or "").strip().rstrip(".")
    try:
        change = SettingsChange(smtp_hostname=name)
    except ValidationError:
        say("warning", "Write a host's name: letters, digits, dots and hyphens.")
        return
    if change_from(("hostname",), change) is not None:
        say("done", f"This machine is {name} from now on.")


def _use_default() -> None:
    change = SettingsChange(defaults=(SETTING,))
    if change_from(("hostname",), change) is not None:
        say("done", "The default counts again.")
