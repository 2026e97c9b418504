"""The settings of an agent: its manifest's questions as a form, each save one more version."""

import streamlit as st

from data.records.agents.agents import Agent, NewAnswers, NewSettings, OwnAnswers
from data.records.core.manifest_format import ConfigurationField, SettingValue
from ui.agents.api.desk import agents_desk
from ui.agents.widgets.agent.versions import LONGEST_REASON, offer_undo
from ui.core.chips import empty, section
from ui.core.session import attempt, manages, say
from ui.core.text.inert import make_inert


def draw_settings(agent: Agent) -> None:
    """Draw what an agent asks of the person and of the organization, with the answers so far."""
    own = agents_desk().agents.own_answers(agent.slug)
    if own.fields:
        _draw_own(agent, own)
        section("For everybody")
    agent_settings_view = agents_desk().agents.settings(agent.slug)
    if not agent_settings_view.fields:
        empty("It asks nothing.", "A manifest asks by its key configuration_schema.")
        return
    if agent_settings_view.unanswered:
        st.warning("It cannot be asked before what has a star is answered.", icon=":material/tune:")
    values = {
        asked.field: _draw_question(agent, agent_settings_view.values, asked, fixed=not manages())
        for asked in agent_settings_view.fields
    }
    if not manages():
        st.caption("Who manages users here can change it.")
        return
    same = all(agent_settings_view.values.get(name) == value for name, value in values.items())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="setting-up"):
        reason = st.text_input("Why", key="settings-reason", max_chars=LONGEST_REASON)
        st.button(
            "Save as a new version",
            key="settings-save",
            type="primary",
            disabled=same or not reason.strip(),
            on_click=_save,
            args=(agent, values, reason),
        )
    st.caption("It counts from its next answer on.")


def _draw_own(agent: Agent, own: OwnAnswers) -> None:
    """Draw what an agent asks of each person; it asks for what has a star in the chat, too."""
    section("What it asks of you")
    values = {
        asked.field: _draw_question(agent, own.values, asked, fixed=False) for asked in own.fields
    }
    same = all(own.values.get(name) == value for name, value in values.items())
    st.button(
        "Save my answers", key="answers-save", type="primary", disabled=same,
        on_click=_save_own, args=(agent, values),
    )  # fmt: skip


def _save_own(agent: Agent, values: dict[str, SettingValue | None]) -> None:
    """Save the person's own answers."""
    new_answers = NewAnswers(values=values)
    if attempt(lambda: agents_desk().agents.answer(agent.slug, new_answers)) is not None:
        say("done", f"{agent.name} knows it from its next answer on.")


def _draw_question(
    agent: Agent, values: dict[str, SettingValue], asked: ConfigurationField, *, fixed: bool
) -> SettingValue | None:
    """Draw one question; return its answer, None where there is none."""
    key = f"setting-{agent.slug}-{agent.version}-{asked.field}"
    label = make_inert(asked.label) + (" *" if asked.required else "")
    value = values.get(asked.field)
    if asked.type == "boolean":
        choices = {"": "not answered", "yes": "yes", "no": "no"}
        now = "" if value is None else "yes" if value else "no"
        chosen = st.selectbox(label, list(choices), list(choices).index(now), key=key,
                              format_func=choices.__getitem__, disabled=fixed)  # fmt: skip
        return None if not chosen else chosen == "yes"
    if asked.type == "select":
        options = ["", *asked.options]
        place = options.index(str(value)) if value in options else 0
        return st.selectbox(label, options, place, key=key, disabled=fixed) or None
    if asked.type == "number":
        number = float(value) if isinstance(value, int | float) else None
        number_typed = st.number_input(label, value=number, key=key, disabled=fixed)
        return (
            int(number_typed)
            if number_typed is not None and float(number_typed).is_integer()
            else number_typed
        )
    text = st.text_input(label, str(value or ""), key=key, max_chars=2_000, disabled=fixed)
    return text.strip() or None


def _save(agent: Agent, values: dict[str, SettingValue | None], reason: str) -> None:
    """Save the organization's answers, as one more version."""
    new_settings = NewSettings(values=values, reason=reason.strip(), version=agent.version)
    if (
        written := attempt(lambda: agents_desk().agents.set_up(agent.slug, new_settings))
    ) is not None:
        st.session_state.pop("settings-reason", None)
        offer_undo(agent, written)
