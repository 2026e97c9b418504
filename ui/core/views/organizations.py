"""Organizations: all that this installation answers for, making another, and turning to one."""

from zoneinfo import available_timezones

import streamlit as st

from data.counting import plural
from data.records.core.first_organization import PlainOrganization
from data.records.core.organization import Organization
from ui.core.chips import chip, chips, make_muted, section
from ui.core.pages import switch_to
from ui.core.session import attempt, core_desk, guard_refusals, me, organization, say
from ui.core.text.inert import make_inert, one_line
from ui.core.text.words import LANGUAGES, language
from ui.core.widgets.heading import forget_page, heading
from ui.core.widgets.typed import read_order

FIELDS = {"name": "The name", "address": "The address that mail is answered for"}
"""What has to be written of another one, in the words of a notice."""


def show() -> None:
    """Draw the page."""
    heading("Organizations", "All that this installation answers mail for.")
    with guard_refusals():
        if not me().administers:
            st.info("Only an administrator of the installation sees all organizations.",
                    icon=":material/info:")  # fmt: skip
            return
        if st.session_state.pop("organization-made", False):
            switch_to("setup")
        left, right = st.columns([3, 2], gap="medium")
        with left:
            _all(core_desk().organizations.list_all())
        with right:
            _another()


def _all(organizations: tuple[Organization, ...]) -> None:
    opened = organization()
    with st.container(key="card-organizations"):
        section(plural(len(organizations), "organization"))
        for place, listed in enumerate(organizations):
            with st.container(horizontal=True, vertical_alignment="center",
                              horizontal_alignment="distribute",
                              key=f"organization-{place}"):  # fmt: skip
                with st.container(gap=None, width="content"):
                    st.text(one_line(listed.name, 120))
                    chips(make_muted(_facts(listed)))
                if opened is not None and listed.slug == opened.slug:
                    chips(chip("open now", "accent"))
                else:
                    st.button("Open", key=f"organization-open-{listed.slug}",
                              on_click=_open, args=(listed.slug,),
                              help=make_inert(f"Turn every page to {listed.name}"))  # fmt: skip
        st.caption(
            "Nothing of one is seen in another. Who works for which is said on the page People & "
            "access; each has mailboxes, knowledge and a policy of its own."
        )


def _facts(listed: Organization) -> str:
    """Return addresses, zone and language of one, in a line."""
    addresses = list(listed.addresses[:3])
    if len(listed.addresses) > 3:
        addresses.append(f"and {len(listed.addresses) - 3} more")
    return one_line(
        " · ".join((", ".join(addresses), listed.timezone, language(listed.language))), 300
    )


def _another() -> None:
    zones = sorted(available_timezones())
    opened = organization()
    own = opened.timezone if opened else "UTC"
    with st.container(key="card-organization-new"):
        section("Make another")
        st.text_input("Name, as letters bear it", key="organization-name", max_chars=200,
                      placeholder="Harbor Museum")  # fmt: skip
        st.text_input("Address that mail is answered for", key="organization-address",
                      max_chars=254, placeholder="help@harbor.example")  # fmt: skip
        with st.container(horizontal=True):
            st.selectbox("Language", list(LANGUAGES), format_func=language,
                         key="organization-language", help="What replies are in when the "
                         "sender's language is not listed.")  # fmt: skip
            st.selectbox("Time zone", zones, index=zones.index(own if own in zones else "UTC"),
                         key="organization-zone")  # fmt: skip
        st.button("Make it", key="organization-make", type="primary", on_click=_make)
        st.caption("Nothing is sent by itself there until somebody allows it. All of it can be "
                   "changed later.")  # fmt: skip


def _make() -> None:
    fields = {
        "name": "name",
        "address": "address",
        "language": "language",
        "timezone": "zone",
    }
    order = read_order(PlainOrganization, "organization", fields, FIELDS)
    if order is None:
        return
    if (made_organization := attempt(lambda: core_desk().organizations.make(order))) is not None:
        st.session_state.pop("me", None)
        forget_page()
        st.session_state["organization"] = made_organization.slug
        st.session_state["organization-made"] = True
        say("done", f"{made_organization.name} is made, and open. These are its first steps.")


def _open(slug: str) -> None:
    st.session_state["organization"] = slug
    forget_page()
    say("done", "It is open on every page.")


if __name__ == "__main__":
    show()
