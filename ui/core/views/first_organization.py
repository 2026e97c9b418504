"""The page of a home without an organization: who Postern answers for, and who administers it."""

from zoneinfo import available_timezones

import streamlit as st

from data.errors import ConflictError
from data.records.core.first_organization import BeginningView, FirstOrganization, MadeFirst
from data.refusals import SignedOutError
from ui.core.address import go_to, sign_in_link
from ui.core.session import (
    attempt,
    client,
    guard_refusals,
    leave_setup,
    notices,
    sentence,
    sign_in_as,
)
from ui.core.text.inert import one_line
from ui.core.text.words import LANGUAGES, language
from ui.core.widgets.typed import read_order

STALE = (
    "This link is good no more: it was used, or Postern was started again since. The terminal "
    "prints a new one at each start, and `postern setup` prints the one that is good."
)


def show() -> None:
    """Draw the form."""
    with (
        st.container(key="sign-in", horizontal_alignment="center"),
        st.container(key="card-beginning", width=520),
    ):
        st.html('<h1 class="title">Welcome to Postern</h1>')
        with guard_refusals():
            if isinstance(organization_made := st.session_state.get("begun"), MadeFirst):
                _draw_own_link(organization_made)
                return
            if not _is_open():
                st.rerun()
            st.text(
                "Say who it answers mail for, and who looks after it. All of it can be changed "
                "later. Nothing is ever sent by itself until somebody allows it."
            )
            notices()
            _draw_form()


def _is_open() -> bool:
    """Return whether there is anything to make; where not, say why at the sign-in."""
    try:
        return client().read(BeginningView, "/v1/beginning").open
    except SignedOutError:
        leave_setup(STALE)
    except ConflictError as error:
        leave_setup(sentence(error))
    return False


def _draw_own_link(made_first: MadeFirst) -> None:
    """Draw how the administrator signs in again, this once, and the way on."""
    st.text(f"It is made, and you are signed in as {one_line(made_first.user, 100)}.")
    st.text("This link signs you in again, here and on other machines. Keep it like a password; "
            "it is shown this once.")  # fmt: skip
    st.code(sign_in_link(made_first.token), language=None, wrap_lines=True)
    st.button("Go on to the first steps", key="begun-on", type="primary", width="stretch",
              on_click=_go_on)  # fmt: skip


def _go_on() -> None:
    """Callback: leave this page for the first steps."""
    st.session_state.pop("begun", None)
    go_to("setup")


def _draw_form() -> None:
    """Draw the fields of an organization and its administrator, and the button that makes both."""
    zones = sorted(available_timezones())
    own = st.context.timezone or "UTC"
    st.text_input("Name of the organization, as letters bear it", key="begin-name", max_chars=200,
                  placeholder="Harbor Museum")  # fmt: skip
    st.text_input("Address that mail is answered for", key="begin-address", max_chars=254,
                  placeholder="help@harbor.example")  # fmt: skip
    with st.container(horizontal=True):
        st.selectbox(
            "Language",
            list(LANGUAGES),
            format_func=language,
            key="begin-language",
            help="What replies are in when the sender's language is not known.",
        )
        st.selectbox("Time zone", zones, index=zones.index(own if own in zones else "UTC"),
                     key="begin-zone")  # fmt: skip
    st.text_input("Your name", key="begin-person", max_chars=100, placeholder="Maud Ferrel")
    st.text_input("Your own address", key="begin-email", max_chars=254,
                  help="Cases can be given to you under it. Leave it empty where it is the same.",
                  placeholder="maud@harbor.example")  # fmt: skip
    st.button("Begin", key="begin", type="primary", width="stretch", on_click=_begin)


def _begin() -> None:
    """Callback: make the organization that the fields say, and sign its administrator in."""
    fields = {
        "name": "name",
        "address": "address",
        "language": "language",
        "timezone": "zone",
        "administrator": "person",
        "email": "email",
    }
    order = read_order(FirstOrganization, "begin", fields, NEEDED)
    if order is None:
        return
    organization_made = attempt(lambda: client().act(MadeFirst, "/v1/beginning", order))
    if organization_made is not None:
        sign_in_as(organization_made.token)
        st.session_state["begun"] = organization_made


NEEDED = {
    "name": "The organization's name",
    "address": "The address that mail is answered for",
    "administrator": "Your name",
}


if __name__ == "__main__":
    show()
