"""The agents' memory of one person who works here: to hand out, or to erase for good."""

import streamlit as st

from data.counting import plural
from data.records.agents.memories import PersonHolding
from ui.agents.api.desk import agents_desk
from ui.core.chips import chips, make_muted
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, guard_refusals, me, say
from ui.core.text.inert import make_inert, one_line


@st.fragment(key="person")
def person_data() -> None:
    """Draw whose memory it is, what hands it out, and what erases it; folded away.

    Somebody who manages users chooses the person, everybody else is that person. Who is no user
    any more is there as long as something is held.
    """
    with (
        guard_refusals(),
        st.expander("Erase what is known of a person", icon=":material/person_off:"),
    ):
        people = {holding.user_id: holding for holding in agents_desk().memories.people_held()}
        st.caption(
            "Erases the person's own layer, chats with agents alone, tasks, own events and "
            "ratings, and cuts the name out of what others know. It is in the audit log, and it "
            "cannot come back."
        )
        names = {user_id: _name(holding) for user_id, holding in people.items()}
        chosen = st.selectbox(
            "Person", list(people), key="person-chosen", format_func=names.__getitem__
        )
        if chosen is not None:
            _draw_holding(people[chosen])
            _hand_out(people[chosen])
            _erase(people[chosen])


def _name(holding: PersonHolding) -> str:
    ended = ", no user any more" if holding.ended else ""
    return one_line(holding.name, 100) + ended + (" (you)" if holding.user_id == me().id else "")


def _draw_holding(holding: PersonHolding) -> None:
    counts = (
        plural(holding.items, "item"),
        plural(holding.chats, "chat with agents alone", "chats with agents alone"),
        plural(holding.things, "task, event or rating", "tasks, events and ratings"),
    )
    sentence = "Nothing of their own is held." if holding.nothing else f"Held: {', '.join(counts)}."
    chips(make_muted(sentence))


def _hand_out(holding: PersonHolding) -> None:
    st.download_button(
        "Save it as a file first",
        data=lambda: agents_desk().memories.file_of(holding.user_id),
        file_name="memory.json",
        mime="application/json",
        icon=":material/download:",
        key=f"person-file-{holding.user_id}",
        on_click="ignore",
    )


def _erase(holding: PersonHolding) -> None:
    again = st.text_input(
        f"Type “{make_inert(holding.name)}” to erase it",
        key=f"person-again-{holding.user_id}",
        max_chars=100,
    )
    st.button(
        "Erase for good",
        key="person-erase",
        type="primary",
        disabled=again.strip().casefold() != holding.name.strip().casefold(),
        on_click=_erase_now,
        args=(holding,),
    )


def _erase_now(holding: PersonHolding) -> None:
    if (
        erased := attempt(lambda: agents_desk().memories.erase_person(holding.user_id))
    ) is not None:
        counts = f"{plural(erased.items, 'item')} and {plural(erased.chats, 'chat')}"
        elsewhere = plural(erased.elsewhere, "other place")
        say("done", f"Erased {counts}, and the name in {elsewhere}.")
        st.session_state.pop(f"person-again-{holding.user_id}", None)
        st.session_state.pop("memory", None)
    redraw("person")
