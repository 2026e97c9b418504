"""Who may ask an agent: everybody, some teams and people, or nobody."""

from collections.abc import Sequence

import streamlit as st

from data.records.agents.agents import Agent, AgentWork, AssigneeKind, Assignment, AssignmentList
from ui.runs import line, run
from ui.session import attempt, desk, lately, manages, say
from ui.widgets.marked import marked
from ui.words import plural

WHO = {"everybody": "Everybody here", "some": "These people and teams"}
EVERYBODY = Assignment(kind=AssigneeKind.ORGANIZATION)


def people(work: AgentWork) -> None:
    """Draw to whom an agent is there, and what changes that."""
    teams = {one.id: one.name for one in lately("teams", desk().teams)}
    users = {one.id: one.name for one in lately("colleagues", desk().colleagues)}
    names = {f"team:{id}": f"Team {name}" for id, name in teams.items()}
    names |= {f"user:{id}": name for id, name in users.items()}
    assigned = work.assigned
    if not manages():
        told = ["Everybody here"] if EVERYBODY in assigned else [
            names.get(f"{one.kind}:{one.subject}", "somebody who has left") for one in assigned
        ]  # fmt: skip
        marked([line(run(one)) for one in told or ["Nobody"]], "list", key="assigned")
        return
    key = f"{work.agent.slug}-{len(assigned)}"
    who = st.radio(
        "Who may ask it",
        list(WHO),
        index=0 if EVERYBODY in assigned else 1,
        format_func=WHO.__getitem__,
        key=f"assigned-who-{key}",
    )
    chosen: Sequence[str] = ()
    if who == "some":
        now = [f"{one.kind}:{one.subject}" for one in assigned if one != EVERYBODY]
        chosen = st.multiselect(
            "People and teams",
            list(names),
            [one for one in now if one in names],
            format_func=lambda one: names.get(one, one),
            key=f"assigned-{key}",
        )
        if not chosen:
            st.caption("With nobody here it does not exist for anybody but who manages agents.")
    st.button(
        "Save", key="assigned-save", type="primary", on_click=_assign,
        args=(work.agent, who == "everybody", tuple(chosen)),
    )  # fmt: skip
    st.caption("To whom it is not given, it does not exist: neither here nor in their chats.")


def _assign(agent: Agent, everybody: bool, chosen: tuple[str, ...]) -> None:
    parts = [one.partition(":") for one in chosen]
    some = tuple(Assignment(kind=AssigneeKind(kind), subject=id) for kind, _, id in parts)
    wanted = AssignmentList(items=(EVERYBODY,) if everybody else some)
    if attempt(lambda: desk().assign_agent(agent.slug, wanted)) is not None:
        who = (
            "everybody here"
            if everybody
            else plural(len(some), "person or team", "people and teams")
        )
        say("done", f"{agent.name} is there for {who if everybody or some else 'nobody'}.")
