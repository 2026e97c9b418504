"""Who may ask an agent: everybody, some teams and people, or nobody."""

from collections.abc import Sequence

import streamlit as st

from data.counting import plural
from data.records.agents.agents import (
    AgentWork,
    AssigneeKind,
    Assignment,
    AssignmentList,
    Restrictions,
)
from data.records.core.tools import Trust
from ui.chips import section
from ui.runs import line, run
from ui.session import attempt, desk, manages, read_lately, say
from ui.widgets.marked import marked

TRUST = {
    "read": "looks things up",
    "standard": "writes what can be undone",
    "elevated": "writes what cannot be undone, or reaches outside",
    "admin": "changes how Postern works",
}
"""What an agent does at most that is trusted so far."""
WHO = {"everybody": "Everybody here", "some": "These people and teams"}
EVERYBODY = Assignment(kind=AssigneeKind.ORGANIZATION)


def people(work: AgentWork) -> None:
    """Draw to whom an agent is there, and what changes that."""
    teams = {team.id: team.name for team in read_lately("teams", desk().teams)}
    users = {
        colleague.id: colleague.name for colleague in read_lately("colleagues", desk().colleagues)
    }
    names = {f"team:{id}": f"Team {name}" for id, name in teams.items()}
    names |= {f"user:{id}": name for id, name in users.items()}
    assigned = work.assigned
    if not manages():
        names_told = ["Everybody here"] if EVERYBODY in assigned else [
            names.get(f"{assignment.kind}:{assignment.subject}", "somebody who has left")
            for assignment in assigned
        ]  # fmt: skip
        marked(
            [line(run(name_told)) for name_told in names_told or ["Nobody"]], "list", key="assigned"
        )
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
        now = [
            f"{assignment.kind}:{assignment.subject}"
            for assignment in assigned
            if assignment != EVERYBODY
        ]
        chosen = st.multiselect(
            "People and teams",
            list(names),
            [chosen_key for chosen_key in now if chosen_key in names],
            format_func=lambda item: names.get(item, item),
            key=f"assigned-{key}",
        )
        if not chosen:
            st.caption("With nobody here it does not exist for anybody but who manages agents.")
    st.button(
        "Save", key="assigned-save", type="primary", on_click=_assign,
        args=(work, who == "everybody", tuple(chosen)),
    )  # fmt: skip
    st.caption("To whom it is not given, it does not exist: neither here nor in their chats.")
    _narrow(work, names)


def _narrow(work: AgentWork, names: dict[str, str]) -> None:
    """Draw what is taken away from the agent for a team or a person, and what changes that."""
    section("Less for some")
    st.caption("Tools are taken away and limits lowered for a team or a person, never added.")
    if narrowed := [
        assignment for assignment in work.assigned if assignment.restrictions != Restrictions()
    ]:
        marked(
            [
                line(run(names.get(_key(assignment), "somebody who has left"), "strong"),
                     run(f"  {_less(assignment.restrictions)}", "quiet"))
                for assignment in narrowed
            ],
            "list", key="narrowed",
        )  # fmt: skip
    may = (
        list(names)
        if EVERYBODY in work.assigned
        else [_key(assignment) for assignment in work.assigned]
    )
    chosen = st.selectbox(
        "For", [key for key in may if key in names], index=None, key="narrow-who",
        format_func=lambda item: names.get(item, item), placeholder="A team or a person",
    )  # fmt: skip
    if chosen is None:
        return
    restrictions = next(
        (assignment.restrictions for assignment in work.assigned if _key(assignment) == chosen),
        Restrictions(),
    )
    tells = {tool.name: tool.description for tool in work.tools}
    tells |= {name: name for name in restrictions.without if name not in tells}
    without = st.multiselect(
        "Without these tools", list(tells), list(restrictions.without),
        format_func=tells.__getitem__, key=f"narrow-tools-{chosen}",
    )  # fmt: skip
    trust = st.selectbox(
        "Trusted so far that it", [str(level) for level in Trust],
        index=None if restrictions.trust is None else restrictions.trust.rank,
        format_func=TRUST.__getitem__, key=f"narrow-trust-{chosen}",
        placeholder="as the agent is",
    )  # fmt: skip
    calls = st.number_input(
        "Calls of tools in one answer, at most", 0, 1000, restrictions.most_calls,
        key=f"narrow-calls-{chosen}", placeholder="as the agent has it",
    )  # fmt: skip
    budget = st.number_input(
        "US dollars for one answer, at most", 0.01, None, restrictions.budget,
        key=f"narrow-budget-{chosen}", placeholder="as the agent has it",
    )  # fmt: skip
    less = Restrictions(
        without=tuple(without),
        trust=Trust(trust) if trust else None,
        most_calls=calls,
        budget=budget or None,
    )
    st.button(
        "Save for them", key="narrow-save", type="primary", on_click=_save_less,
        args=(work, chosen, less),
    )  # fmt: skip


def _key(assignment: Assignment) -> str:
    return f"{assignment.kind}:{assignment.subject}"


def _less(restrictions: Restrictions) -> str:
    """Return what is taken away, in words."""
    parts = [f"without {plural(len(restrictions.without), 'tool')}"] if restrictions.without else []
    if restrictions.trust is not None:
        parts.append(f"it only {TRUST[restrictions.trust]}")
    if restrictions.most_calls is not None:
        parts.append(f"{plural(restrictions.most_calls, 'call')} at most")
    if restrictions.budget is not None:
        parts.append(f"{restrictions.budget:.2f} dollars at most")
    return ", ".join(parts)


def _save_less(work: AgentWork, chosen: str, less: Restrictions) -> None:
    kind, _, subject = chosen.partition(":")
    fresh = Assignment(kind=AssigneeKind(kind), subject=subject, restrictions=less)
    others = tuple(assignment for assignment in work.assigned if _key(assignment) != chosen)
    keeps = less != Restrictions() or EVERYBODY not in work.assigned
    assignment_list = AssignmentList(items=(*others, fresh) if keeps else others)
    if attempt(lambda: desk().assign_agent(work.agent.slug, assignment_list)) is not None:
        say("done", "Saved; it holds from the next answer on.")


def _assign(work: AgentWork, everybody: bool, chosen: tuple[str, ...]) -> None:
    """Give an agent to everybody or to some; what is taken away from it for some stays so."""
    agent, assigned_by_key = (
        work.agent,
        {_key(assignment): assignment for assignment in work.assigned},
    )
    parts = [(choice, *choice.partition(":")) for choice in chosen]
    some = tuple(
        assigned_by_key.get(key, Assignment(kind=AssigneeKind(kind), subject=id))
        for key, kind, _, id in parts
    )
    narrowed = tuple(
        assignment for assignment in work.assigned if assignment.restrictions != Restrictions()
    )
    assignment_list = AssignmentList(items=(EVERYBODY, *narrowed) if everybody else some)
    if attempt(lambda: desk().assign_agent(agent.slug, assignment_list)) is not None:
        who = (
            "everybody here"
            if everybody
            else plural(len(some), "person or team", "people and teams")
        )
        say("done", f"{agent.name} is there for {who if everybody or some else 'nobody'}.")
