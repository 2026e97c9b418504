"""An agent's prompt and its manifest, to be changed with a reason; what is wrong is said."""

import streamlit as st

from data.errors import UnfitError
from data.portable import LONGEST, portable, read_portable
from data.records.agents.agents import Agent, NewConfiguration
from ui.inert import inert
from ui.session import attempt, desk, manages, sentence
from ui.widgets.agent_versions import LONGEST_REASON, changed

WHAT = {"prompt": "Prompt", "manifest": "The whole manifest"}


def wording(agent: Agent) -> None:
    """Draw the prompt, or the whole manifest, as it is now, and what writes another."""
    kept = desk().agent_versions(agent.slug).items[0].manifest
    what = st.segmented_control(
        "What", list(WHAT), key="wording-what", default="prompt", required=True,
        format_func=WHAT.__getitem__, label_visibility="collapsed",
    )  # fmt: skip
    now = read_portable(kept).prompt if what == "prompt" else kept
    text = st.text_area(
        "What it is told of itself" if what == "prompt" else "Its manifest with the prompt (YAML)",
        now,
        key=_field(agent, str(what)),
        height=420,
        max_chars=LONGEST,
        disabled=not manages(),
    )
    if not manages():
        st.caption("Who manages users here can change it.")
        return
    fault = _fault(kept, text, str(what))
    if fault and text != now:
        st.error(inert(fault, limit=600), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="rewording"):
        reason = st.text_input("Why", key="wording-reason", max_chars=LONGEST_REASON)
        st.button(
            "Save as a new version",
            key="wording-save",
            type="primary",
            disabled=text == now or bool(fault) or not reason.strip(),
            on_click=_save,
            args=(agent, kept, text, str(what), reason),
        )
        st.button(
            "As it was", key="wording-back", disabled=text == now, on_click=_forget,
            args=(agent, str(what)),
        )  # fmt: skip
    st.caption("It counts from its next answer on. Each change is one more version.")


def _field(agent: Agent, what: str) -> str:
    """Return the key of the field; another version begins another."""
    return f"wording-{agent.slug}-{agent.version}-{what}"


def _fault(kept: str, text: str, what: str) -> str:
    """Return why a text cannot be an agent's, as the engine would say it; empty where it can."""
    try:
        _whole(kept, text, what)
    except UnfitError as error:
        return sentence(error)
    return ""


def _whole(kept: str, text: str, what: str) -> str:
    """Return the manifest that a text of the page means.

    Raises:
        UnfitError: it is none; says which key is wrong.

    """
    if what == "manifest":
        read_portable(text)
        return text
    if not text.strip():
        raise UnfitError("without a prompt it does not know what it is for; write one")
    manifest = read_portable(kept)
    return portable(manifest.model_copy(update={"prompt": text.strip() + "\n"}))


def _save(agent: Agent, kept: str, text: str, what: str, reason: str) -> None:
    wanted = NewConfiguration(
        manifest=_whole(kept, text, what), reason=reason.strip(), version=agent.version
    )
    if (written := attempt(lambda: desk().configure_agent(agent.slug, wanted))) is not None:
        st.session_state.pop("wording-reason", None)
        changed(agent, written)


def _forget(agent: Agent, what: str) -> None:
    st.session_state.pop(_field(agent, what), None)
