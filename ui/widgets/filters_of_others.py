"""Spam filters of others: whether each is on, whether it answers, and how it is switched on."""

import streamlit as st

from data.records.core.setting_views import FilterList, FilterView
from ui.chips import chip, chips, muted, section
from ui.inert import one_line
from ui.session import attempt, desk


def filters_of_others() -> None:
    """Draw the filters, and a button that asks those that are on."""
    kept = st.session_state.pop("filters-asked", None)
    known = kept if isinstance(kept, FilterList) else desk().filters()
    with st.container(key="card-settings-filters"):
        section("Spam filters of others")
        st.text(
            "Postern screens mail by itself. SpamAssassin and rspamd can be asked too; what they "
            "say counts beside its own checks."
        )
        for one in known.items:
            _filter(one)
        off = [one for one in known.items if not one.address]
        if off:
            st.text("To switch one on, write its line into postern.toml and restart Postern:")
            st.code("\n".join(f'{one.setting} = "{one.example}"' for one in off),
                    language=None, wrap_lines=True)  # fmt: skip
        if len(off) < len(known.items):
            st.button("Ask them now", key="filters-ask", on_click=_ask,
                      help="Whether they answer; no mail goes.")  # fmt: skip


def _filter(one: FilterView) -> None:
    where = muted(one_line(f"{one.name}: {one.address}", 200) if one.address else one.name)
    if not one.address:
        chips(where, chip("off"))
    elif one.answers is None:
        chips(where, chip("on", "accent"))
    else:
        chips(
            where,
            chip("answers", "good") if one.answers else chip("does not answer", "bad"),
        )
        if one.trouble:
            st.text(one_line(f"{one.trouble} Mail is screened without its word until then.", 400))


def _ask() -> None:
    if (known := attempt(lambda: desk().filters(ask=True))) is not None:
        st.session_state["filters-asked"] = known
