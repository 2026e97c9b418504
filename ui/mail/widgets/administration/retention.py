"""Retention: the time that things are kept, changing it, and what the last upkeep removed."""

import streamlit as st

from data.errors import PosternError
from data.records.core.kept_settings import LONGEST_DAYS, SettingsChange, SettingsEffect
from data.records.core.retention_views import KeptFor
from ui.core.chips import chips, make_muted, moment, section
from ui.core.session import core_desk, say, sentence
from ui.core.text.clock import now
from ui.core.text.inert import make_inert
from ui.core.widgets.conflict_forms import change_from, pin_form

LABELS = {
    "archive_days": "Days that raw mail is kept",
    "program_chat_days": "Days that chats of chat programs are kept",
}


def retention() -> None:
    """Draw what is kept how long, and the form that changes it."""
    view = core_desk().settings.retention()
    with st.container(key="card-settings-retention"):
        section("What is kept how long")
        for kept_entry in view.kept:
            with st.container(gap=None):
                st.text(f"{kept_entry.what}: {kept_entry.words}")
                chips(make_muted(_said_by(kept_entry)))
        changed_here = [entry for entry in view.kept if entry.changeable and entry.kept_here]
        for kept_entry in changed_here:
            _way_back(kept_entry)
        _form([one for one in view.kept if one.changeable])
        if not view.upkeeps:
            chips(make_muted("The nightly upkeep has not run yet."))
            return
        last = view.upkeeps[0]
        chips(make_muted("Last upkeep"), moment(last.tidied_at, now()), make_muted(last.sentence))


def _said_by(kept_for: KeptFor) -> str:
    """Return what says so, and what else is to be known."""
    by = ""
    if not kept_for.setting:
        by = "Fixed."
    elif kept_for.kept_here:
        by = "Changed here."
    elif not kept_for.changeable:
        by = f"It is {kept_for.setting} in postern.toml, and counts after a restart."
    return f"{by} {kept_for.remark}".strip()


def _form(changeable: list[KeptFor]) -> None:
    """Draw the fields, and below them what the wanted numbers would delete."""
    if not changeable:
        return
    with st.expander("Change it", key="retention-change"):
        days_by_setting = {
            kept_for.setting: int(
                st.number_input(
                    LABELS[kept_for.setting],
                    0,
                    LONGEST_DAYS,
                    kept_for.days or 0,
                    key=f"retention-{kept_for.setting}-"
                    + pin_form(f"retention-{kept_for.setting}", str(kept_for.days or 0)),
                    help="0 keeps it for ever.",
                )
            )
            for kept_for in changeable
        }
        before = {kept_for.setting: kept_for.days or 0 for kept_for in changeable}
        changed = {name: days for name, days in days_by_setting.items() if days != before[name]}
        if not changed:
            st.caption("It holds for every organization of this installation, and is written into "
                       "the audit log.")  # fmt: skip
            return
        _decide(SettingsChange.model_validate(changed))


def _way_back(kept_for: KeptFor) -> None:
    """Draw the way back to the default of what an administrator has changed."""
    label = f"Use the default of: {kept_for.what}"
    with st.expander(label, key=f"retention-default-{kept_for.setting}"):
        _decide(SettingsChange(defaults=(kept_for.setting,)))


def _decide(change: SettingsChange) -> None:
    try:
        effect = core_desk().settings.preview(change)
    except PosternError as error:
        st.error(make_inert(sentence(error), limit=400), icon=":material/error:")
        return
    words = make_inert(" ".join(effect.sentences), limit=1000)
    if effect.deletes:
        st.warning(words, icon=":material/delete_forever:")
    else:
        st.info(words, icon=":material/info:")
    marks = [f"{name}-{value}" for name, value in change.values.items()]
    mark = "-".join((*marks, *(f"{name}-default" for name in change.defaults)))
    save_key = f"retention-save-{mark}" if change.defaults else "retention-save"
    knowing = not effect.deletes or st.checkbox(
        "I have read this, and it shall be deleted", key=f"retention-knowing-{mark}"
    )
    label = "Use the default" if change.defaults else "Keep it so"
    st.button(label, key=save_key, type="primary", disabled=not knowing,
              on_click=_save, args=(change, effect))  # fmt: skip


def _save(change: SettingsChange, effect: SettingsEffect) -> None:
    settings = (*change.values, *change.defaults)
    forms = tuple(f"retention-{setting}" for setting in settings)
    settings_kept = change_from(forms, change, knowing=effect.deletes)
    if settings_kept is not None:
        uses_default = bool(change.defaults)
        say("done", "The default counts again." if uses_default else "It is kept so from now on.")
