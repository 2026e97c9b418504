"""Spam filters of others: whether each is on, whether it answers, and how it is switched on."""

from collections.abc import Iterable

import streamlit as st

from data.records.core.kept_settings import SettingsChange
from data.records.core.setting_views import FilterList, FilterView
from ui.core.chips import chip, chips, make_muted, section
from ui.core.session import attempt, core_desk, say
from ui.core.text.inert import one_line
from ui.core.text.words import as_sentence, name_fields
from ui.core.widgets.conflict_forms import change_from, pin_form


def filters_of_others() -> None:
    """Draw the filters, and a button that asks those that are on."""
    filters_kept = st.session_state.pop("filters-asked", None)
    filter_list = (
        filters_kept if isinstance(filters_kept, FilterList) else core_desk().settings.filters()
    )
    with st.container(key="card-settings-filters"):
        section("Spam filters of others")
        st.text(
            "Postern screens mail by itself. SpamAssassin and rspamd can be asked too; what they "
            "say counts beside its own checks."
        )
        for item in filter_list.items:
            _filter(item)
        _form(filter_list.items)
        if filter_list.kept_here:
            st.button("Use the defaults", key="filters-default", on_click=_use_defaults,
                      args=(filter_list.kept_here,), icon=":material/restart_alt:",
                      help="Nothing of filters is kept here any more: as Postern comes, none is "
                      "asked.")  # fmt: skip
        if any(filter_view.address for filter_view in filter_list.items):
            st.button("Ask them now", key="filters-ask", on_click=_ask,
                      help="Whether they answer; no mail goes.")  # fmt: skip


def _form(items: tuple[FilterView, ...]) -> None:
    """Draw the addresses that may be changed here, and the lines of those that may not."""
    here = [item for item in items if item.changeable]
    elsewhere = [item for item in items if not item.changeable]
    if elsewhere:
        names = " and ".join(one.setting for one in elsewhere)
        chips(make_muted(f"{names}: changed in postern.toml, with a restart."))
    if not here:
        return
    with st.expander("Change them", key="filters-change"):
        for filter_view in here:
            st.text_input(f"Address of {filter_view.name}, empty for off", filter_view.address,
                          key=_key(filter_view), max_chars=300,
                          placeholder=filter_view.example)  # fmt: skip
            if filter_view.setting == "rspamd_url":
                st.text_input(
                    "Password of its controller, where it has one",
                    key="filter-rspamd-password",
                    type="password",
                    max_chars=500,
                    help="It is kept in a file that only Postern's account may read, and never "
                    "shown again. Empty keeps the one that is there.",
                )
        st.button("Save", key="filters-save", type="primary", on_click=_save, args=(here,))
        st.caption("Mail is sent whole to what stands here, so name your own machines alone.")


def _key(filter_view: FilterView) -> str:
    """Return the key of the field of an address."""
    mark = pin_form(f"filter-{filter_view.setting}", filter_view.address)
    return f"filter-{filter_view.setting}-{mark}"


def _forms(settings: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the fields of these settings that stand on the page."""
    forms = [f"filter-{setting}" for setting in settings]
    return tuple(form for form in forms if f"drawn-{form}" in st.session_state)


def _save(here: list[FilterView]) -> None:
    filter_changes = {
        filter_view.setting: str(st.session_state.get(_key(filter_view)) or "").strip()
        for filter_view in here
    }
    if password := str(st.session_state.get("filter-rspamd-password") or ""):
        filter_changes["rspamd_password"] = password
    change = SettingsChange.model_validate(filter_changes)
    if change_from(_forms(item.setting for item in here), change) is not None:
        st.session_state.pop("filter-rspamd-password", None)
        asked = attempt(lambda: core_desk().settings.filters(ask=True))
        st.session_state["filters-asked"] = asked
        away = [item.name for item in asked.items if item.answers is False] if asked else []
        if away:
            verb = "does" if len(away) == 1 else "do"
            say("warning", f"Kept, but {' and '.join(away)} {verb} not answer. Mail is screened "
                "without until then.")  # fmt: skip
        else:
            say("done", "Kept; it counts from the next mail on.")


def _use_defaults(names: tuple[str, ...]) -> None:
    change = SettingsChange(defaults=names)
    if change_from(_forms(names), change) is not None:
        say("done", "The defaults count again, from the next mail on.")


def _filter(filter_view: FilterView) -> None:
    where = make_muted(
        one_line(f"{filter_view.name}: {filter_view.address}", 200)
        if filter_view.address
        else filter_view.name
    )
    if not filter_view.address:
        chips(where, chip("off"))
    elif filter_view.answers is None:
        chips(where, chip("on", "accent"))
    else:
        chips(
            where,
            chip("answers", "good") if filter_view.answers else chip("does not answer", "bad"),
        )
        if filter_view.trouble:
            st.text(
                one_line(
                    f"{as_sentence(name_fields(filter_view.trouble, _labels(filter_view)))} Mail "
                    "is screened without its word until then.",
                    400,
                )
            )


def _labels(filter_view: FilterView) -> dict[str, str]:
    """Return what the fields are called here, by their settings; none where they are elsewhere."""
    if not filter_view.changeable:
        return {}
    return {
        filter_view.setting: f"Address of {filter_view.name}",
        "rspamd_password": "Password of its controller",
    }


def _ask() -> None:
    if (filters_answered := attempt(lambda: core_desk().settings.filters(ask=True))) is not None:
        st.session_state["filters-asked"] = filters_answered
