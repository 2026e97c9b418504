"""Memory: what agents know in the layers that the person sees, and where each thing comes from."""

from datetime import datetime

import streamlit as st

from data.counting import plural
from data.errors import NotFoundError
from data.records.agents.memories import (
    LONGEST_MEMORY,
    LayerView,
    Memory,
    MemoryView,
    Provenance,
    Remembered,
)
from data.states import MemoryState
from ui.agents.api.desk import agents_desk
from ui.agents.widgets.person_data import person_data
from ui.core import address
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.session import attempt, guard_refusals, say
from ui.core.text.clock import day, now
from ui.core.text.text_runs import line, run
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.pager import SIZE, first_page, offset, pager
from ui.core.widgets.plain_text import letter

ADDRESS = {"memory": "memory"}
"""What the page's address names, and the session's key of it."""
STATES = {
    "current": "what is known",
    "proposed": "waits for a yes",
    "superseded": "held before",
    "retired": "not recalled any more",
    "rejected": "refused",
}
NOW = STATES | {"current": "known"}
"""The same, as the mark of one item."""
FROM = {
    Provenance.PERSON: "a person said it",
    Provenance.SYSTEM: "from the organization's data",
    Provenance.MODEL: "a model concluded it",
    Provenance.MAIL: "a stranger wrote it",
    Provenance.WEB: "from a page of others",
}


def show() -> None:
    """Draw the page."""
    address.take("memory", ADDRESS)
    heading("Memory", "What agents know in your layers. Nobody but you sees what is yours alone.")
    side, right = lists.draw_halves("memory")
    with side, guard_refusals():
        layers = agents_desk().memories.layers().items
        _choose(layers)
        _list({layer.key: layer.name for layer in layers})
        _own_file()
        person_data()
    with right, guard_refusals():
        if opened := st.session_state.get("memory"):
            _open(str(opened), layers)
        else:
            _word(layers)
    address.tell(ADDRESS)


def _choose(layers: tuple[LayerView, ...]) -> None:
    """Draw the filters: which layer, in which state, and words to look for."""
    names = {"": "all layers"} | {layer.key: f"{layer.name} · {layer.number}" for layer in layers}
    waiting = agents_desk().memories.proposed().total
    labels = STATES | {"proposed": f"waits for a yes · {waiting}" if waiting else "waits for a yes"}
    with st.container(horizontal=True, gap="small", key="memory-filters"):
        st.selectbox(
            "Layer",
            list(names),
            key="memory-layer",
            format_func=lambda key: names.get(key, key),
            label_visibility="collapsed",
            persist_state="session",
            on_change=_first,
        )
        st.selectbox(
            "State",
            list(STATES),
            key="memory-state",
            format_func=lambda state: labels[state],
            label_visibility="collapsed",
            persist_state="session",
            on_change=_first,
        )
    st.text_input(
        "Search",
        key="memory-q",
        type="search",
        placeholder="Ask what is known, as you would ask an agent",
        label_visibility="collapsed",
        persist_state="session",
    )


def _own_file() -> None:
    """Offer everything that is known of the person alone, with its words, to take along."""
    st.download_button(
        "Save what is known of you alone",
        data=lambda: agents_desk().memories.own_file(),
        file_name="memory.json",
        mime="application/json",
        icon=":material/download:",
        key="memory-file",
        on_click="ignore",
        type="tertiary",
    )


def _first() -> None:
    first_page("memory")


def _list(names: dict[str, str]) -> None:
    question = str(st.session_state.get("memory-q") or "").strip()
    if question:
        items = tuple(
            recalled_item.memory for recalled_item in agents_desk().memories.recall(question).items
        )
        total = len(items)
    else:
        listed = agents_desk().memories.find(
            str(st.session_state.get("memory-layer") or ""),
            str(st.session_state.get("memory-state") or "current"),
            SIZE,
            offset("memory"),
        )
        items, total = listed.items, listed.total
    if not items:
        if question:
            empty("Nothing that is known fits.", "An agent would say that it does not know.")
        else:
            empty("Nothing is here.", "Tell an agent “remember that …”, or word it yourself.")
        return
    chips(make_muted(plural(total, "item")))
    at = now()
    with lists.listing("memory"):
        for item in items:
            _line(item, names, at)
    if not question:
        pager("memory", total)


def _line(item: Memory, names: dict[str, str], at: datetime) -> None:
    lists.row(
        item.id,
        names.get(item.layer, item.layer),
        item.text,
        f"{item.author_name or 'somebody'}, {FROM[item.provenance]}",
        _labels(item),
        moment(item.last_at, at),
        opened=item.id == st.session_state.get("memory"),
        on_open=_choose_one,
    )


def _labels(item: Memory) -> tuple[str, ...]:
    return (
        chip("your wording", "good") if item.corrected else "",
        chip("stranger's words", "warn") if item.provenance in FROM_STRANGERS else "",
        chip(f"for {item.meant_for}?", "accent") if item.meant_for else "",
        make_muted(f"{item.count} times") if item.count > 1 else "",
    )


FROM_STRANGERS = (Provenance.MAIL, Provenance.WEB)


def _choose_one(id: str) -> None:
    st.session_state["memory"] = id


def _open(id: str, layers: tuple[LayerView, ...]) -> None:
    """Draw one item: the whole, where it comes from, what held before, and what can be done."""
    try:
        view = agents_desk().memories.read(id)
    except NotFoundError:
        st.session_state.pop("memory", None)
        lists.nothing_open("memory", "an item")
        return
    item = view.memory
    names = {layer.key: layer.name for layer in layers}
    may = {layer.key for layer in layers if layer.may_change}
    with st.container(key="card-memory"):
        letter(view.text, f"memory-{item.id}")
        chips(
            chip(NOW[item.state], "good" if item.state is MemoryState.CURRENT else "quiet"),
            make_muted(f"known by: {names.get(item.layer, item.layer)}"),
            *_labels(item),
        )
        section("Where it comes from")
        draw_marked(
            [
                line(
                    run(f"{day(evidence_item.said_at)}  {evidence_item.said_by}: ", "quiet"),
                    run(evidence_item.words),
                    run(f"  ({FROM[evidence_item.provenance]})", "quiet"),
                )
                for evidence_item in view.evidence
            ],
            "list",
        )
        if view.before:
            section("What held before")
            draw_marked(
                [
                    line(run(f"until {_until(wording)}  ", "quiet"), run(wording.text))
                    for wording in view.before
                ],
                "list",
            )
    if view.joined:
        _draw_joined(view, item.layer in may)
    if item.layer in may:
        _act(view, layers)
    else:
        st.caption("You see it; who may teach here can change it.")


def _draw_joined(view: MemoryView, may: bool) -> None:
    """Draw what says the same in other words, each with a way to know it apart again."""
    section("Said in other words")
    for joined_memory in view.joined:
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            gap="small",
            key=f"joined-{joined_memory.id}",
        ):
            letter(joined_memory.text, f"joined-text-{joined_memory.id}")
            if may:
                st.button(
                    "It is something else",
                    key=f"apart-{joined_memory.id}",
                    type="tertiary",
                    help="It is known by itself again, and is not joined any more.",
                    on_click=_decide,
                    args=(joined_memory.id, "restore"),
                )


def _until(item: Memory) -> str:
    return str(day(item.closed_at)) if item.closed_at else "now"


def _act(view: MemoryView, layers: tuple[LayerView, ...]) -> None:
    """Draw what the person can do with an item."""
    item = view.memory
    if item.state is MemoryState.PROPOSED:
        with st.container(horizontal=True, gap="small"):
            _button(item, "Yes, that holds", "accept", "primary")
            _button(item, "No", "reject", "secondary")
        return
    with st.container(horizontal=True, gap="small", key="memory-acts"):
        if item.state is MemoryState.CURRENT:
            with st.popover("Correct", icon=":material/edit:"):
                text = st.text_area(
                    "How it holds", view.text, key=f"wording-{item.id}", max_chars=LONGEST_MEMORY
                )
                st.button(
                    "Save", key="memory-correct", type="primary", on_click=_correct,
                    args=(item.id, text),
                )  # fmt: skip
            if item.layer.startswith("user:"):
                _share(item, layers)
            _button(item, "Do not recall it", "retire", "secondary")
        elif item.state is not MemoryState.REJECTED:
            _button(item, "It holds again", "restore", "secondary")
        with st.popover("Delete", icon=":material/delete:"):
            st.caption("It goes for good, with the words that it rests on.")
            st.button(
                "Delete for good", key="memory-delete", type="primary", on_click=_delete,
                args=(item.id,),
            )  # fmt: skip


def _share(item: Memory, layers: tuple[LayerView, ...]) -> None:
    """Offer the wider layers to who has an item alone."""
    wider = {layer.key: layer.name for layer in layers if not layer.key.startswith("user:")}
    with st.popover("Share", icon=":material/group:"):
        chosen = st.selectbox(
            "Who shall know it", list(wider), key="memory-share-with", format_func=wider.__getitem__
        )
        st.caption("Where you may not decide, it waits for the yes of who may.")
        st.button(
            "Share", key="memory-share", type="primary", on_click=_let_know,
            args=(item.id, str(chosen)),
        )  # fmt: skip


def _button(item: Memory, label: str, act: str, kind: str) -> None:
    st.button(
        label,
        key=f"memory-{act}",
        type="primary" if kind == "primary" else "secondary",
        on_click=_decide,
        args=(item.id, act),
    )


def _word(layers: tuple[LayerView, ...]) -> None:
    """Offer to word something, while nothing is open."""
    mine = {layer.key: layer.name for layer in layers}
    with st.container(key="card-word-memory"):
        section("Word something that agents shall know")
        text = st.text_area(
            "What holds", key="memory-new", placeholder="Our return period is thirty days.",
            max_chars=LONGEST_MEMORY,
        )  # fmt: skip
        layer = st.selectbox(
            "Who shall know it", list(mine), key="memory-new-layer", format_func=mine.__getitem__
        )
        st.button(
            "Remember",
            key="memory-remember",
            type="primary",
            disabled=not text.strip(),
            on_click=_remember,
            args=(text, str(layer)),
        )
        st.caption("Secrets, health and payment data are never remembered.")


def _remember(text: str, layer: str) -> None:
    if _tell_remembered(attempt(lambda: agents_desk().memories.add(text, layer))):
        st.session_state["memory-new"] = ""


def _correct(id: str, text: str) -> None:
    _tell_remembered(attempt(lambda: agents_desk().memories.correct(id, text)))


def _let_know(id: str, layer: str) -> None:
    _tell_remembered(attempt(lambda: agents_desk().memories.share(id, layer)))


def _tell_remembered(remembered: Remembered | None) -> bool:
    """Say what became of a statement, and open it; return whether it is kept."""
    if remembered is None:
        return False
    if remembered.memory is None:
        say("warning", f"Not remembered: {remembered.why}.")
        return False
    st.session_state["memory"] = remembered.memory.id
    explanations = {
        "proposed": "Put forward; it counts once somebody who may decide has said yes.",
        "counted": "That was known already.",
    }
    say("done", explanations.get(remembered.outcome, "Remembered."))
    return True


def _decide(id: str, act: str) -> None:
    if attempt(lambda: agents_desk().memories.decide(id, act)) is not None:
        done = {
            "accept": "It counts now.",
            "reject": "Refused.",
            "retire": "Not recalled any more.",
        }
        say("done", done.get(act, "It holds again."))


def _delete(id: str) -> None:
    attempt(lambda: agents_desk().memories.delete(id))
    st.session_state.pop("memory", None)
    say("done", "Deleted for good.")


if __name__ == "__main__":
    show()
