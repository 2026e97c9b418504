"""Caps on what models use: those that hold, and a form that sets one."""

import streamlit as st
from pydantic import ValidationError

from data.records.core.caps import NAMED, Cap, CapKey, CapPeriod, CapScope, CapUnit, CapView
from data.records.core.model_views import ModelsView
from ui.core.chips import chip, chips, make_muted, moment, section
from ui.core.session import attempt, core_desk, read_lately, say
from ui.core.text.clock import now
from ui.core.text.inert import one_line

SCOPES = {
    CapScope.ORGANIZATION: "the whole organization",
    CapScope.AGENT: "an agent, or each of them",
    CapScope.USER: "a person, or each of them",
    CapScope.TEAM: "the people of a team, or of each",
    CapScope.TURN: "each answer of an agent",
    CapScope.SENDER: "the mail of a sender, or of each",
    CapScope.ITEM: "each message or case",
}
UNITS = {CapUnit.MONEY: "US$", CapUnit.TOKENS: "tokens", CapUnit.REQUESTS: "requests"}
PERIODS = {
    CapPeriod.HOUR: "an hour",
    CapPeriod.DAY: "a day",
    CapPeriod.MONTH: "a month",
    CapPeriod.ONCE: "in all",
}


def caps(models_view: ModelsView) -> None:
    """Draw the caps with what is used of each, and the form of another one."""
    with st.container(key="card-models-caps"):
        section("Caps")
        st.text("No call is made that could use more than a cap leaves.")
        for place, view in enumerate(models_view.caps):
            _cap(place, view)
        section("Set one")
        _form()


def _cap(place: int, view: CapView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"cap-{place}"):
        with st.container(gap=None):
            sentence = view.cap.sentence
            subject = view.cap.subject
            if view.cap.scope in _NAMES_OF and subject:
                subject = _NAMES_OF[view.cap.scope]().get(subject, subject)
            whom = f" ({subject})" if subject and subject not in sentence else ""
            st.text(one_line(f"{sentence[0].upper()}{sentence[1:]}{whom}", 300))
            chips(
                make_muted(_used(view)),
                make_muted(
                    "begins anew at midnight UTC" if view.cap.period is CapPeriod.DAY else ""
                ),
                make_muted(one_line(f"set by {view.set_by}", 80)) if view.set_by
                else chip("from the settings"),
                moment(view.set_at, now()) if view.set_at else "",
            )  # fmt: skip
        if view.set_by:
            key = CapKey.model_validate(
                {name: getattr(view.cap, name) for name in CapKey.model_fields}
            )
            st.button("Remove", key=f"cap-remove-{place}", type="tertiary",
                      on_click=_remove, args=(key,))  # fmt: skip


def _used(view: CapView) -> str:
    if view.used is None:
        return "counted for each by itself"
    if view.cap.unit is CapUnit.MONEY:
        return f"US$ {view.used:.4f} used"
    return f"{view.used:,.0f} used"


def _people() -> dict[str, str]:
    """Return the names of users by their ids."""
    return {
        user.id: user.name for user in read_lately("everybody", core_desk().users.everybody, 30)
    }


def _teams() -> dict[str, str]:
    """Return the names of teams by their ids."""
    return {team.id: team.name for team in read_lately("teams", core_desk().teams.list_all, 30)}


_NAMES_OF = {CapScope.USER: _people, CapScope.TEAM: _teams}
"""Whose subjects are ids, which nobody types."""


def _form() -> None:
    scope = st.selectbox(
        "For", list(SCOPES), format_func=lambda item: SCOPES[item], key="cap-scope"
    )
    if scope in _NAMES_OF:
        name_by_key = _NAMES_OF[scope]()
        label, each = ("Person", "each person") if scope is CapScope.USER else ("Team", "each team")
        st.selectbox(label, ["", *name_by_key], key=f"cap-{scope.value}",
                     format_func=lambda item: name_by_key.get(item, each))  # fmt: skip
    elif scope in NAMED:
        st.text_input("Which", key=f"cap-subject-{scope.value}", max_chars=254,
                      placeholder="empty for each of them",
                      help="The short name of an agent, or a sender's address.")  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("At most", min_value=0.0, value=5.0, key="cap-limit")
        st.selectbox("Of", list(UNITS), format_func=lambda item: UNITS[item], key="cap-unit")
        st.selectbox("In", list(PERIODS), format_func=lambda item: PERIODS[item], key="cap-period",
                     index=1)  # fmt: skip
    st.checkbox("No cap: lifts what the settings say for the same", key="cap-none")
    st.button("Set", key="cap-save", type="primary", on_click=_save)


def _save() -> None:
    state = st.session_state
    scope = CapScope(state["cap-scope"])
    subject_named = state.get(
        f"cap-{scope.value}" if scope in _NAMES_OF else f"cap-subject-{scope.value}"
    )
    try:
        cap = Cap(
            scope=scope,
            subject=str(subject_named or "").strip() if scope in NAMED else "",
            unit=CapUnit(state["cap-unit"]),
            period=CapPeriod(state["cap-period"]),
            limit=None if state.get("cap-none") else float(state["cap-limit"]),
        )
    except ValidationError:
        say("warning", "Write a number that is not below zero.")
        return
    if attempt(lambda: core_desk().models.set_cap(cap)) is not None:
        say("done", f"From the next call on: {cap.sentence}.")


def _remove(key: CapKey) -> None:
    def removed() -> bool:
        core_desk().models.remove_cap(key)
        return True

    if attempt(removed):
        say("done", "The cap is removed; what the settings say holds again.")
