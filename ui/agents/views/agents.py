"""Agents: whom somebody can ask, what each is for, and one of them from close by."""

import streamlit as st

from data.errors import NotFoundError
from data.records.agents.agents import Agent, Template, ToInstall
from data.records.agents.chats import NewChat
from data.states import AgentState
from ui.agents.api.desk import agents_desk
from ui.agents.widgets.agent.faces import face
from ui.agents.widgets.agent.library import library, make_agent
from ui.agents.widgets.agent.page import PARTS, agent_page
from ui.core import address
from ui.core.chips import chip, chips, empty, section
from ui.core.session import attempt, guard_refusals, manages, notices, say
from ui.core.text.inert import make_inert
from ui.core.widgets.heading import heading

ADDRESS = {"agent": "agent", "part": "agent-part"}
"""What the page's address names, and the session's key of it."""


def show() -> None:
    """Draw the page."""
    address.take("agents", ADDRESS, {"part": tuple(PARTS)})
    heading("Agents", "Who can be asked, and what for.")
    with guard_refusals():
        if opened := str(st.session_state.get("agent") or ""):
            _page(opened)
        else:
            _gallery()
    address.tell(ADDRESS, {"part": "work"})


def _page(slug: str) -> None:
    """Draw the page of one agent; the gallery, where there is none of that name."""
    try:
        work = agents_desk().agents.work(slug)
    except NotFoundError:
        st.session_state["agent"] = ""
        say("note", "That agent is not there for you; these are.")
        notices("missing")
        _gallery()
        return
    agent_page(work, _begin, _open)


def _gallery() -> None:
    own = agents_desk().agents.list_all().items
    others: tuple[Agent, ...] = ()
    if manages():
        there = {agent.slug for agent in own}
        others = tuple(
            item
            for item in agents_desk().agents.list_all(everyone=True).items
            if item.slug not in there
        )
    if not own:
        empty(
            "No agent is there for you.",
            "Give yourself one below." if others else "Who manages users here gives you one.",
        )
    with st.container(horizontal=True, key="gallery"):
        for agent in own:
            _agent(agent)
    if others:
        section("For others")
        with st.container(horizontal=True, key="gallery-others"):
            for agent in others:
                _agent(agent)
    if manages():
        _catalogue()


def _agent(agent: Agent) -> None:
    paused, works = agent.state is AgentState.PAUSED, agent.works
    with st.container(key=f"agent-{agent.slug}", border=True, width=430):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            face(agent)
            st.markdown(f"##### {make_inert(agent.name)}", width="content")
        if agent.unanswered:
            chips(chip("has to be set up", "warn"))
        if agent.state is not AgentState.ACTIVE:
            chips(chip(agent.state, "warn"))
        st.caption(make_inert(agent.description))
        if agent.suggestions:
            st.caption(f"For example: *{make_inert(agent.suggestions[0])}*")
        with st.container(horizontal=True, gap="small"):
            st.button(
                f"Ask {agent.name}",
                key=f"begin-{agent.slug}",
                icon=":material/add_comment:",
                on_click=_begin,
                args=(agent.slug,),
                disabled=not works,
                help="It is paused: who manages users here lets it work again." if paused else None,
            )
            st.button(
                "What it may and did",
                key=f"more-{agent.slug}",
                type="tertiary",
                on_click=_open,
                args=(agent.slug,),
            )


def _catalogue() -> None:
    """Offer what the catalogue has and is not installed, one more agent, and the library."""
    templates = agents_desk().agents.templates().items
    missing = [item for item in templates if item.built_in and not item.agents]
    if missing:
        section("In the catalogue")
        with st.container(horizontal=True, key="gallery-catalogue"):
            for template in missing:
                _template(template)
    make_agent(templates)
    library()


def _template(template: Template) -> None:
    with st.container(key=f"template-{template.slug}", border=True, width=430):
        st.markdown(f"##### {make_inert(template.name)}")
        st.caption(make_inert(template.description))
        st.button(
            "Install it for everybody",
            key=f"install-{template.slug}",
            icon=":material/add:",
            on_click=_install,
            args=(template.slug,),
        )


def _install(template: str) -> None:
    order = ToInstall(template=template)
    if (agent := attempt(lambda: agents_desk().agents.install(order))) is not None:
        say("done", f"{agent.name} can be asked by everybody here.")


def _open(agent: str) -> None:
    st.session_state["agent"] = agent
    st.session_state.pop("agent-part", None)


def _begin(agent: str) -> None:
    if (chat := attempt(lambda: agents_desk().chats.begin(NewChat(agent=agent)))) is not None:
        st.session_state["chat"] = chat.id
        address.go_to("chats")


if __name__ == "__main__":
    address.follow()
    show()
