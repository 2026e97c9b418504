"""One agent from close by: what it is, may and did; its versions; and what changes it."""

from collections.abc import Callable
from html import escape

import streamlit as st

from data.counting import plural
from data.records.agents.agents import Agent, AgentWork
from data.states import AgentState
from ui.agents.api.desk import agents_desk
from ui.agents.widgets.agent import days, people, settings, versions, wording
from ui.agents.widgets.agent.faces import face
from ui.core import address
from ui.core.chips import chip, chips, make_muted, moment, section
from ui.core.session import attempt, manages, say
from ui.core.text.clock import now
from ui.core.text.inert import make_inert
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.tiles import draw_tile

PARTS = {
    "work": "What it may and did",
    "settings": "Settings",
    "versions": "Versions",
    "wording": "Prompt and manifest",
    "people": "Who may ask it",
}
EFFECTS = {
    "none": "only looks",
    "reversible": "writes what can be undone",
    "inside": "writes",
    "outside": "reaches outside",
}


def agent_page(
    work: AgentWork, on_ask: Callable[[str], None], on_open: Callable[[str], None]
) -> None:
    """Draw an agent; `on_ask` begins a chat with it, `on_open` with an empty name leaves it."""
    agent = work.agent
    _head(agent, on_ask, on_open)
    part = st.segmented_control(
        "Part",
        list(PARTS),
        key="agent-part",
        default="work",
        required=True,
        format_func=PARTS.__getitem__,
        label_visibility="collapsed",
    )
    with st.container(key="card-agent"):
        if part == "settings":
            settings.draw_settings(agent)
        elif part == "versions":
            versions.draw_versions(agent)
        elif part == "wording":
            wording.wording(agent)
        elif part == "people":
            people.people(work)
        else:
            _work(work)


def _head(agent: Agent, on_ask: Callable[[str], None], on_open: Callable[[str], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="agent-head"):
        st.button("All agents", key="agents-all", icon=":material/arrow_back:", type="tertiary",
                  on_click=on_open, args=("",))  # fmt: skip
        face(agent)
        st.html(f'<h2 class="title">{escape(agent.name)}</h2>', width="content")
        paused, tested = agent.state is AgentState.PAUSED, agent.state is AgentState.TESTING
        free = agent.state is AgentState.ACTIVE and not agent.unanswered
        chips(
            chip("has to be set up", "warn") if agent.unanswered else "",
            chip("can be asked", "good") if free else "",
            chip(agent.state, "warn") if agent.state is not AgentState.ACTIVE else "",
            make_muted(f"version {agent.version} by {agent.installed_by}"),
            moment(agent.installed_at, now()),
        )
        st.button(
            f"Ask {agent.name}", key=f"begin-{agent.slug}", type="primary",
            disabled=not agent.works, icon=":material/add_comment:", on_click=on_ask,
            args=(agent.slug,),
        )  # fmt: skip
        if manages() and tested:
            st.button(
                "Make it active",
                key="agent-activate",
                help="Until then only its owner, and who manages agents, can ask it.",
                on_click=_activate,
                args=(agent,),
            )
        elif manages():
            st.button(
                "Let it work again" if paused else "Pause",
                key="agent-pause",
                on_click=_pause,
                args=(agent, not paused),
            )
        if manages():
            with st.popover("Delete", key="agent-delete"):
                st.caption(
                    "Nobody can ask it any more. What it said and did stays, and what it remembers "
                    "goes to the organization."
                )
                st.button(
                    "Delete it", key="agent-delete-now", type="primary", on_click=_delete,
                    args=(agent,),
                )  # fmt: skip
    st.caption(make_inert(agent.description, 400))


def _work(work: AgentWork) -> None:
    """Draw what an agent may, costs at most, and has done."""
    columns = st.columns(4)
    last = work.last_at
    for column, (name, figure, label, under) in zip(
        columns,
        (
            ("turns", f"{work.turns:,}", "Answers asked of it", "in all chats"),
            ("failed", f"{work.failed:,}", "Not answered", "it failed at them"),
            (
                "calls",
                f"{sum(tool.calls for tool in work.tools):,}",
                "Tools called",
                "to look up or to write",
            ),
            (
                "budget",
                f"{work.budget:.2f}" if work.budget else "no limit",
                "US dollars at most",
                "for one answer",
            ),
        ),
        strict=True,
    ):
        with column:
            bad = name == "failed" and work.failed > 0
            draw_tile(name, figure, label, under, "bad" if bad else "", leads=False)
    chips(
        make_muted("asked last:") if last else make_muted("nobody has asked it yet"),
        moment(last, now()) if last else "",
        make_muted(
            f"· trusted so far that it {people.TRUST.get(work.trust_level, work.trust_level)}"
        ),
        make_muted(f"· thinks with {work.model}") if work.model else "",
        make_muted(f"· {_origin(work.agent)}"),
    )
    if work.unheeded:
        keys = ", ".join(work.unheeded)
        chips(make_muted(f"its manifest also says {keys}, which has no effect yet"))
    days.days(work.agent)
    if manages():
        _by_itself(work)
    section(plural(len(work.tools), "tool"))
    draw_marked(
        [
            line(
                run(tool.description, "strong"),
                run(f"  {EFFECTS.get(tool.effect, tool.effect)}, ", "quiet"),
                run(f"called {plural(tool.calls, 'time')}", "quiet"),
            )
            for tool in work.tools
        ],
        "list",
        key="agent-tools",
    )
    section("What it is told of itself")
    with st.container(key="letter-agent-prompt"):
        st.text(work.prompt)


def _origin(agent: Agent) -> str:
    """Return which template an agent was made from, and in which version."""
    version = agent.template_version.partition("+")[0]
    return (
        f"made from the template {agent.template} {version}"
        if agent.template
        else "made from no template"
    )


def _by_itself(work: AgentWork) -> None:
    """Draw what has an agent work without being asked in a chat."""
    section("By itself")
    if not work.role:
        st.caption("It does nothing by itself: its manifest gives it no role (governance.role).")
        return
    st.caption(
        f"It may then do what the role {make_inert(work.role)} and you may both do, and knows "
        "nothing that is yours alone. Everybody who works here sees the chat."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="going"):
        text = st.text_input("What is it to do?", key="own-work", max_chars=2_000)
        st.button(
            "Set it going", key="own-work-go", icon=":material/play_arrow:",
            disabled=not (text.strip() and work.agent.works),
            on_click=_set_going, args=(work.agent, text),
        )  # fmt: skip


def _set_going(agent: Agent, text: str) -> None:
    if (
        begun := attempt(lambda: agents_desk().agents.set_going(agent.slug, text.strip()))
    ) is not None:
        st.session_state.pop("own-work", None)
        st.session_state["chat"] = begun.message.chat_id
        address.go_to("chats")


def _activate(agent: Agent) -> None:
    if attempt(lambda: agents_desk().agents.activate(agent.slug)) is not None:
        say("done", f"{agent.name} is there for those to whom it is given.")


def _pause(agent: Agent, paused: bool) -> None:
    if attempt(lambda: agents_desk().agents.pause(agent.slug, paused=paused)) is not None:
        say("done", f"{agent.name} is paused." if paused else f"{agent.name} can be asked again.")


def _delete(agent: Agent) -> None:
    def delete() -> bool:
        agents_desk().agents.delete(agent.slug)
        return True

    if attempt(delete):
        st.session_state["agent"] = ""
        say("done", f"{agent.name} is deleted. The catalogue has it, if it came from there.")
