"""One contact's data: what is held, to hand out or to erase; for administrators."""

import streamlit as st

from data.records.contacts import Holdings
from ui.contact_desk import ContactDesk
from ui.inert import one_line
from ui.parts_of_page import redraw
from ui.session import attempt, client, guarded, me, organization, say
from ui.widgets.chips import chips, muted
from ui.widgets.plain import words
from ui.words import plural


@st.fragment(key="contact")
def contact_data() -> None:
    """Draw a field for an address, and what is held on it, folded away."""
    if me().role != "admin" or organization() is None:
        return
    with guarded(), st.expander("One contact's data"):
        typed = st.text_input(
            "Their address", key="contact-address", placeholder="name@domain"
        ).strip()
        if not typed:
            chips(muted("Shows what is held on a contact, to hand out or to erase for good."))
            return
        found = _desk().held(typed)
        if found.nothing:
            before = found.erased_before
            erased = f" It was erased on {before[-1]:%Y-%m-%d}." if before else ""
            words(f"Nothing is held on this address.{erased}", "small", "contact-nothing")
        else:
            _told(found)
            _handed_out(typed)
            _erasing(typed, found)


def _told(found: Holdings) -> None:
    counted = [f"{number} {name.replace('_', ' ')}" for name, number in found.rows.items()]
    counted += [f"{number} lines of {name}" for name, number in found.sources.items()]
    whose = one_line(", ".join(found.addresses), 300)
    words(f"Held on {whose}: {', '.join(counted)}.", "small", "contact-held")
    for sentence in (*found.on_hold, *found.stays):
        chips(muted(sentence))


def _handed_out(address: str) -> None:
    if st.button("Export", key="contact-export"):
        content = attempt(lambda: _desk().export(address))
        if content is not None:
            st.download_button(
                "Save contact.zip", content, "contact.zip", "application/zip", key="contact-zip"
            )


def _erasing(address: str, found: Holdings) -> None:
    if found.on_hold:
        return
    kept = st.checkbox(
        "Keep accepted knowledge that came from their cases", key="contact-keep-learned"
    )
    again = st.text_input("Type the address again to erase all of it", key="contact-again")
    st.button(
        "Erase for good",
        key="contact-erase",
        type="primary",
        disabled=again.strip().lower() != address.lower(),
        on_click=_erase,
        args=(address, kept),
    )


def _erase(address: str, keep_learned: bool) -> None:
    done = attempt(lambda: _desk().erase(address, keep_learned=keep_learned))
    if done is not None:
        rows = plural(sum(done.rows.values()), "row")
        if done.finished:
            say("done", f"Erased: {rows}.")
        else:
            say("warning", f"Erased: {rows}; not finished: {done.note}.")
        st.session_state["contact-again"] = ""
    redraw("held", "item", "contact")


def _desk() -> ContactDesk:
    named = organization()
    return ContactDesk(client(), named.slug if named else "")
