"""The library for agents: templates, and strategies of memory, to read and to write one's own."""

import streamlit as st

from data.portable import LONGEST
from data.records.agents.agents import Template, ToInstall
from data.records.agents.library import EntryKind, LibraryEntry, NewEntry
from data.word_forms import fold
from ui.agents.api.desk import agents_desk
from ui.agents.widgets.agent.versions import LONGEST_REASON
from ui.core.chips import chip, chips, make_muted, section
from ui.core.session import attempt, say
from ui.core.text.inert import make_inert, one_line

KINDS = {
    EntryKind.AGENT: "template of agents",
    EntryKind.ASSEMBLY: "what it is told",
    EntryKind.EXTRACTION: "what it keeps",
}
_SHORT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
"""Letters of a short name."""


def make_agent(templates: tuple[Template, ...]) -> None:
    """Draw what makes one more agent from a template, under a name of its own."""
    section("Make an agent from a template")
    st.caption("Each agent has a memory of its own, however many are made from one template.")
    template_by_slug = {template.slug: template for template in templates}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="making"):
        slug = st.selectbox(
            "Template", list(template_by_slug), key="make-template",
            format_func=lambda slug: one_line(template_by_slug[slug].name, 100),
        )  # fmt: skip
        name = st.text_input("Its name", key="make-name", max_chars=100)
        short = st.text_input(
            "Its short name", key="make-slug", max_chars=63, placeholder=_shorten_name(name),
            help="Small letters and digits; with an @ before it people name it in a chat.",
        )  # fmt: skip
        short = short.strip() or _shorten_name(name)
        st.button(
            "Make it, for everybody", key="make-agent", icon=":material/add:",
            disabled=not (slug and name.strip() and short == _shorten_name(short)),
            on_click=_make, args=(str(slug), name, short),
        )  # fmt: skip


def _shorten_name(name: str) -> str:
    """Return a name in the letters of a short one; empty where it has none of them."""
    plain = "".join(letter if letter in _SHORT else " " for letter in fold(name))
    return "-".join(plain.split())[:63]


def _make(template: str, name: str, slug: str) -> None:
    order = ToInstall(template=template, slug=slug, name=name.strip())
    if (agent := attempt(lambda: agents_desk().agents.install(order))) is not None:
        for key in ("make-name", "make-slug"):
            st.session_state.pop(key, None)
        say("done", f"{agent.name} can be asked by everybody here.")


def library() -> None:
    """Draw the entries, and the one that is chosen with what changes it."""
    section("Library")
    st.caption(
        "What agents are made from, what a model is told before it thinks, and what is kept of "
        "what people say. Each wording is kept."
    )
    entries = {(entry.kind, entry.name): entry for entry in agents_desk().library.entries().items}
    chosen = st.selectbox(
        "Entry", list(entries), key="library-entry", format_func=lambda key: _label(entries[key])
    )
    if chosen is not None:
        with st.container(key="card-library"):
            _entry(entries[chosen])


def _label(entry: LibraryEntry) -> str:
    whose = "Postern's" if entry.built_in else "yours"
    return f"{entry.name}: {KINDS[entry.kind]} ({whose})"


def _entry(entry: LibraryEntry) -> None:
    users = ", ".join(entry.used_by)
    chips(
        chip("Postern's", "info") if entry.built_in else make_muted(f"version {entry.version}"),
        make_muted(f"used by {users}" if users else "no agent uses it"),
    )
    st.caption(make_inert(entry.description, 400))
    content = agents_desk().library.read(entry.kind, entry.name).content
    if entry.built_in:
        with st.container(height=300, key=f"library-of-postern-{entry.kind}-{entry.name}"):
            st.code(content, language="yaml", wrap_lines=True)
        _draw_own_entry(entry, content)
        return
    field = f"library-text-{entry.kind}-{entry.name}-{entry.version}"
    text = st.text_area("Its text (YAML)", content, key=field, height=300, max_chars=LONGEST)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="relibrary"):
        reason = st.text_input("Why", key="library-reason", max_chars=LONGEST_REASON)
        st.button(
            "Save as a new version", key="library-save", type="primary",
            disabled=text == content or not reason.strip(), on_click=_save,
            args=(entry, text, reason),
        )  # fmt: skip
        with st.popover("Take it out", key="library-out"):
            st.caption("No agent can be given it any more. Who names one wording by its number, "
                       "as in mine@2, keeps that.")  # fmt: skip
            st.button("Take it out now", key="library-out-now", type="primary",
                      on_click=_take_out, args=(entry,))  # fmt: skip


def _draw_own_entry(entry: LibraryEntry, content: str) -> None:
    """Draw what writes an entry of the organization's own from one of Postern's."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="owning"):
        name = st.text_input("A name for yours", key="library-name", max_chars=63)
        st.button(
            "Write your own from it", key="library-own", icon=":material/content_copy:",
            disabled=not _shorten_name(name), on_click=_copy, args=(entry, content, name),
        )  # fmt: skip
    st.caption("What came with Postern stays as it is; a copy is yours to change.")


def _copy(entry: LibraryEntry, content: str, name: str) -> None:
    key = "slug" if entry.kind is EntryKind.AGENT else "name"
    line = f"{key}: {entry.name}"
    new_name = _shorten_name(name)
    renamed = "\n".join(
        f"{key}: {new_name}" if kept_line.strip() == line else kept_line
        for kept_line in content.splitlines()
    )
    new = NewEntry(content=f"{renamed}\n", reason=f"begun from {entry.name}")
    if attempt(lambda: agents_desk().library.write(entry.kind, new_name, new)) is not None:
        st.session_state.pop("library-name", None)
        st.session_state["library-entry"] = (entry.kind, new_name)
        say("done", f"{new_name} is yours to change.")


def _save(entry: LibraryEntry, text: str, reason: str) -> None:
    new = NewEntry(content=text, reason=reason.strip(), version=entry.version)
    written = attempt(lambda: agents_desk().library.write(entry.kind, entry.name, new))
    if written is not None:
        st.session_state.pop("library-reason", None)
        say("done", f"{entry.name} has version {written.version}.")


def _take_out(entry: LibraryEntry) -> None:
    def take_out() -> bool:
        agents_desk().library.take_out(entry.kind, entry.name)
        return True

    if attempt(take_out):
        st.session_state.pop("library-entry", None)
        say("done", f"{entry.name} is out of the library.")
