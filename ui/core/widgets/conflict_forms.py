"""Forms over what somebody else may change meanwhile: who is second is told, and types it once."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar

import streamlit as st

from data.errors import ConflictError
from data.records.core.kept_settings import SettingsChange, SettingsEffect
from data.records.core.record import Record
from ui.core.session import attempt, core_desk, read_lately

R = TypeVar("R", bound=Record)
ReadFields = Callable[[R], Mapping[str, object]]
"""What the fields of a form hold for a record, by the keys of the fields."""


def begun_with(form: str, there: R, fields: ReadFields[R]) -> R:
    """Return what a form was begun with: what is there now, until something is typed.

    Call it before the fields are drawn, which get their values here and are drawn without any.
    What somebody else changes then comes into a form in which nothing is typed, and not into one
    that a person is at.
    """
    begun: R | None = st.session_state.get(f"begun-{form}")
    if begun is not None and any(_typed(key, value) for key, value in fields(begun).items()):
        return begun
    begin_anew(form, there, fields)
    return there


def begin_anew(form: str, there: R, fields: ReadFields[R]) -> None:
    """Have the fields of a form hold what is there now."""
    st.session_state[f"begun-{form}"] = there
    for key, value in fields(there).items():
        if key not in st.session_state or st.session_state[key] != value:
            st.session_state[key] = value


def keep_typed(form: str, begun: R, there: R, fields: ReadFields[R]) -> None:
    """Have a form stand on what is there now; what was typed into it stays."""
    before, now_there = fields(begun), fields(there)
    for key, value in before.items():
        if not _typed(key, value) and key in st.session_state:
            st.session_state[key] = now_there[key]
    st.session_state[f"begun-{form}"] = there


def stood_since(id: str, now_since: datetime) -> datetime:
    """Return since when a thing has stood as the person looks at it, from its opening on.

    What somebody else changes meanwhile makes that no later, so that it is not overwritten unseen.
    """
    since: datetime = st.session_state.setdefault(f"stood-{id}", now_since)
    return since


def look_again(id: str) -> None:
    """Have a thing be looked at as it stands now: it was closed, or a change of it was refused."""
    st.session_state.pop(f"stood-{id}", None)


def tell_changes(before: Mapping[str, object], after: Mapping[str, object]) -> str:
    """Return in a sentence what differs between two states, by what people call it."""
    parts = [f"{label} is {_shown(value)} now" for label, value in after.items()
             if before.get(label) != value]  # fmt: skip
    return f"{'; '.join(parts)}. What you have typed is still there." if parts else ""


def _typed(key: str, value: object) -> bool:
    return key in st.session_state and st.session_state[key] != value


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "nothing"
    return str(value) or "empty"


def pin_form(form: str, mark: str) -> str:
    """Return the mark that the keys of a form of settings end in, and note what it is drawn over.

    It is what stands there, `mark`, so that a change by somebody else makes the fields anew. Only
    where a change was refused does the form stay as it is typed.
    """
    pinned_mark = str(st.session_state.get(f"pinned-{form}", mark))
    drawn = st.session_state.get(f"drawn-{form}")
    if drawn is None or drawn[0] != pinned_mark:
        st.session_state[f"drawn-{form}"] = (pinned_mark, read_lately("settings-version", _version))
    return pinned_mark


def change_from(
    forms: tuple[str, ...], change: SettingsChange, *, knowing: bool = False
) -> SettingsEffect | None:
    """Keep settings as these forms say them; None, with a notice, where that is refused.

    Where somebody has changed the same since they were drawn, it is told who and what, and the
    fields stay as they are; another press means it all the same.
    """
    marks: dict[str, str] = {}
    was: int | None = None
    for form in forms:
        if (drawn := st.session_state.get(f"drawn-{form}")) is not None:
            marks[form], version = drawn
            was = version if was is None else min(was, version)

    def act() -> SettingsEffect:
        try:
            return core_desk().settings.change(change, knowing=knowing, was=was)
        except ConflictError:
            for form, mark in marks.items():
                st.session_state[f"drawn-{form}"] = (mark, _version())
            raise

    effect = attempt(act)
    for form, mark in marks.items():
        if effect is None:
            st.session_state[f"pinned-{form}"] = mark
        else:
            st.session_state.pop(f"pinned-{form}", None)
            st.session_state.pop(f"drawn-{form}", None)
    return effect


def _version() -> int:
    """Return the number of the newest version of the settings; 0 where none was kept."""
    versions = core_desk().settings.versions()
    return versions[0].number if versions else 0
