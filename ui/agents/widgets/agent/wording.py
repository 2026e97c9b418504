"""An agent's prompt and its manifest, to be changed with a reason; what is wrong is said."""

import streamlit as st

from data.errors import UnfitError
from data.portable import LONGEST, read_portable, write_portable
from data.records.agents.agents import Agent, NewConfiguration
from ui.agents.api.desk import agents_desk
from ui.agents.widgets.agent.versions import LONGEST_REASON, draw_difference, offer_undo
from ui.core.session import attempt, manages, sentence
from ui.core.text.inert import make_inert

WHAT = {"prompt": "Prompt", "manifest": "The whole manifest"}


def wording(agent: Agent) -> None:
    """Draw the prompt, or the whole manifest, as it is now, and what writes another."""
    manifest = agents_desk().agents.versions(agent.slug).items[0].manifest
    chosen = st.segmented_control(
        "What", list(WHAT), key="wording-what", default="prompt", required=True,
        format_func=WHAT.__getitem__, label_visibility="collapsed",
    )  # fmt: skip
    what = str(chosen)
    now = read_portable(manifest).prompt if what == "prompt" else manifest
    meanwhile = _begin(agent, what, now)
    text = st.text_area(
        "What it is told of itself" if what == "prompt" else "Its manifest with the prompt (YAML)",
        key=_field(agent, what),
        height=420,
        max_chars=LONGEST,
        disabled=not manages(),
        persist_state="session",
    )
    if not manages():
        st.caption("Who manages users here can change it.")
        return
    if meanwhile:
        _meanwhile(agent, what)
    fault = _fault(manifest, text, what)
    if fault and text != now:
        st.error(make_inert(fault, limit=600), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="rewording"):
        reason = st.text_input("Why", key="wording-reason", max_chars=LONGEST_REASON)
        st.button(
            "Save mine in its place" if meanwhile else "Save as a new version",
            key="wording-save",
            type="primary",
            disabled=text == now or bool(fault) or not reason.strip(),
            on_click=_save,
            args=(agent, manifest, text, what, reason),
        )
        st.button(
            f"Begin with version {agent.version}" if meanwhile else "As it was",
            key="wording-back",
            disabled=text == now,
            on_click=_forget,
            args=(agent, what),
        )
    st.caption("It counts from its next answer on. Each change is one more version.")


def _begin(agent: Agent, what: str, now: str) -> bool:
    """Put what holds now into a field in which the person has written nothing.

    Returns whether they have, and somebody else has saved another version meanwhile.
    """
    field = _field(agent, what)
    version, begun = st.session_state.get(f"{field}-begun", (0, ""))
    written = st.session_state.get(field)
    if written is not None and version == agent.version:
        return False
    if written not in (None, begun, now):
        return True
    st.session_state[field] = now
    st.session_state[f"{field}-begun"] = (agent.version, now)
    return False


def _meanwhile(agent: Agent, what: str) -> None:
    """Tell that somebody else was faster, and show what their version changed."""
    before, _ = st.session_state[f"{_field(agent, what)}-begun"]
    st.warning(
        f"{make_inert(agent.installed_by)} has saved version {agent.version} meanwhile. What you "
        "have written is kept here.",
        icon=":material/sync_problem:",
    )
    draw_difference(agents_desk().agents.compare(agent.slug, before, agent.version), "meanwhile")


def _field(agent: Agent, what: str) -> str:
    """Return the key of the field."""
    return f"wording-{agent.slug}-{what}"


def _fault(kept_text: str, text: str, what: str) -> str:
    """Return why a text cannot be an agent's, as the engine would say it; empty where it can."""
    try:
        _build_manifest(kept_text, text, what)
    except UnfitError as error:
        return sentence(error)
    return ""


def _build_manifest(kept_text: str, text: str, what: str) -> str:
    """Return the manifest that a text of the page means.

    Raises:
        UnfitError: it is none; says which key is wrong.

    """
    if what == "manifest":
        read_portable(text)
        return text
    if not text.strip():
        raise UnfitError("without a prompt it does not know what it is for; write one")
    manifest = read_portable(kept_text)
    return write_portable(manifest.model_copy(update={"prompt": text.strip() + "\n"}))


def _save(agent: Agent, kept_text: str, text: str, what: str, reason: str) -> None:
    new_configuration = NewConfiguration(
        manifest=_build_manifest(kept_text, text, what),
        reason=reason.strip(),
        version=agent.version,
    )
    if (
        written := attempt(lambda: agents_desk().agents.configure(agent.slug, new_configuration))
    ) is not None:
        st.session_state.pop("wording-reason", None)
        _forget(agent, what)
        offer_undo(agent, written)


def _forget(agent: Agent, what: str) -> None:
    """Let the field begin with what holds now."""
    field = _field(agent, what)
    for key in (field, f"{field}-begun"):
        st.session_state.pop(key, None)
