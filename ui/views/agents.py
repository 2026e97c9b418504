"""Agents: whom somebody can ask, and what each is for."""

import streamlit as st

from data.records.agents.agents import Agent, AgentWork
from data.records.agents.chats import NewChat
from data.states import AgentState
from ui import address
from ui.inert import inert
from ui.session import attempt, desk, guarded
from ui.widgets.heading import heading


def show() -> None:
    """Draw the page."""
    heading("Agents", "Who can be asked, and what for.")
    with guarded(), st.container(horizontal=True, key="gallery"):
        for agent in desk().agents().items:
            _agent(agent)


def _agent(agent: Agent) -> None:
    paused = agent.state is not AgentState.ACTIVE
    with st.container(key=f"agent-{agent.slug}", border=True, width=430):
        st.markdown(f"##### {inert(agent.name)}")
        st.caption(inert(agent.description))
        if agent.suggestions:
            st.caption(f"For example: *{inert(agent.suggestions[0])}*")
        st.button(
            f"Ask {agent.name}",
            key=f"begin-{agent.slug}",
            icon=":material/add_comment:",
            on_click=_begin,
            args=(agent.slug,),
            disabled=paused,
            help="This agent is paused." if paused else None,
        )
        if st.toggle("What it may and did", key=f"more-{agent.slug}"):
            with guarded():
                _work(desk().agent_work(agent.slug))


def _work(work: AgentWork) -> None:
    """Draw what an agent is, may, costs at most, and has done."""
    to = ", ".join(one.kind for one in work.assigned) or "nobody"
    st.markdown(
        f"Version {work.agent.version} by {inert(work.agent.installed_by)} · trust "
        f"*{inert(work.trust_level)}* · at most {work.budget:.2f} dollars an interaction · "
        f"for {inert(to)}"
    )
    st.markdown(f"{work.turns} turns, {work.failed} of them failed")
    for tool in work.tools:
        st.caption(f"{inert(tool.name)}, called {tool.calls} times. {inert(tool.description)}")


def _begin(agent: str) -> None:
    if (chat := attempt(lambda: desk().begin_chat(NewChat(agent=agent)))) is not None:
        st.session_state["chat"] = chat.id
        address.go_to("views/chats.py")


if __name__ == "__main__":
    address.follow()
    show()
