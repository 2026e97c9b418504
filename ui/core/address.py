"""The address of a page: what is open and what a list is narrowed to, so that it can be kept.

A page that is loaded again, opened from a link, or gone back to shows what its address names.
"""

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.core.pages import switch_to

Names = Mapping[str, str]
"""The parameters of an address, each with the key of the session that holds its value."""


SEARCH = "q"
"""The parameter of the words that are searched for."""
ORGANIZATION = "org"
"""The parameter of the organization that is open, for who sees several."""


def take(
    page: str, names: Names, known_values: Mapping[str, Collection[str]] | None = None
) -> None:
    """Put what the address names into the session: once for each page, and at each step back.

    A step back closes too what its address does not name. `known_values` are what a parameter may
    hold, where not anything; others are passed over.
    """
    key = f"addressed-{page}"
    back = steps_back()
    if st.session_state.get(key) and not back:
        return
    st.session_state[key] = True
    for name, state_key in names.items():
        value = st.query_params.get(name, "")
        if back and not value:
            st.session_state.pop(state_key, None)
            if name == SEARCH:  # a browser keeps what was typed, unless the field is set
                st.session_state[state_key] = ""
        if value and value in (known_values or {}).get(name, (value,)):
            st.session_state[state_key] = value


def steps_back() -> bool:
    """Return whether the page is drawn because somebody stepped through the browser's history."""
    context = get_script_run_ctx()
    return bool(context and context.is_history_navigation)


def tell(names: Names, usual: Mapping[str, str] | None = None) -> None:
    """Let the address name what the session holds; what is empty, or as usual, is left out."""
    value_by_name = {name: str(st.session_state.get(kept) or "") for name, kept in names.items()}
    shown_values = {
        name: value
        for name, value in value_by_name.items()
        if value and value != (usual or {}).get(name)
    }
    if chosen := st.session_state.get("organization"):  # there is one to choose from several
        shown_values[ORGANIZATION] = str(chosen)
    if st.query_params.to_dict() != shown_values:
        st.query_params.from_dict(shown_values)


def go_to(page: str) -> None:
    """Open another page once the callback that says so has ended; within one it cannot be done."""
    st.session_state["go-to"] = page


def sign_in_link(token: str) -> str:
    """Return the address that signs its holder in, as far as this page knows where it stands."""
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}/?token={token}" if here.netloc else token


def follow() -> None:
    """Open the page that a callback has named, if one has."""
    if page := st.session_state.pop("go-to", None):
        switch_to(str(page))
