"""The versions of the settings that are kept in Postern: who changed what, and the way back."""

import streamlit as st
from pydantic import ValidationError

from data.errors import PosternError
from data.records.core.kept_settings import RestoreSettings, SettingsEffect, SettingsVersion
from ui.core.chips import chip, chips, make_muted, moment, section
from ui.core.session import attempt, core_desk, say, sentence
from ui.core.text.clock import now
from ui.core.text.inert import make_inert
from ui.core.widgets.differences import draw_diff

SHOWN_VERSIONS = 20


def setting_versions() -> None:
    """Draw the versions, the newest first; nothing where nothing was ever kept."""
    listed = core_desk().settings.versions()
    if not listed:
        return
    with st.container(key="card-settings-versions"):
        section("Versions")
        st.caption(
            "Each change of the settings that are kept in Postern, those of models and of how "
            "replies leave too. Passwords and keys are in none of them."
        )
        for place, version in enumerate(listed[:SHOWN_VERSIONS]):
            before = listed[place + 1].number if place + 1 < len(listed) else 0
            _version(version, before, listed[0])
        if len(listed) > SHOWN_VERSIONS:
            st.caption(f"And {len(listed) - SHOWN_VERSIONS} older; `postern settings versions` "
                       "lists them.")  # fmt: skip


def _version(version: SettingsVersion, before: int, newest: SettingsVersion) -> None:
    current = version.number == newest.number
    with st.expander(
        f"Version {version.number} by {make_inert(version.author)}" + (", counts now" * current),
        key=f"settings-version-{version.number}",
        on_change="rerun",
    ) as drawn:
        if not drawn.open:
            return
        chips(moment(version.written_at, now()), make_muted(", ".join(version.changed)))
        draw_diff(core_desk().settings.compare(before, version.number).lines)
        if not current:
            _way_back(version, newest)


def _way_back(version: SettingsVersion, newest: SettingsVersion) -> None:
    """Draw what would be deleted by it, and the button."""
    try:
        change = version.change_from(newest)
        effect = core_desk().settings.preview(change) if change else None
    except ValidationError:
        chips(chip("a value of then can be none any more", "warn"))
        return
    except PosternError as error:
        st.warning(make_inert(sentence(error), limit=400), icon=":material/warning:")
        return
    if effect is None:
        chips(make_muted("It says what counts now."))
        return
    knowing = True
    if effect.deletes:
        st.warning(
            make_inert(" ".join(effect.sentences), limit=1000), icon=":material/delete_forever:"
        )
        knowing = st.checkbox("I have read this, and it shall be deleted",
                              key=f"settings-knowing-{version.number}")  # fmt: skip
    st.button(
        "Let this one count again",
        key=f"settings-restore-{version.number}",
        disabled=not knowing,
        on_click=_restore,
        args=(version.number, newest.number, effect),
    )


def _restore(number: int, was: int, effect: SettingsEffect) -> None:
    order = RestoreSettings(number=number, was=was, knowing=effect.deletes)
    if attempt(lambda: core_desk().settings.restore(order)) is not None:
        say("done", f"The settings of version {number} count again; passwords stay as they are.")
