"""The choice of who may ask an agent: everybody, some teams and people, or nobody."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from data.counting import plural
from data.errors import ConflictError
from data.records.agents.agents import (
    AgentWork,
    AssigneeKind,
    Assignment,
    AssignmentList,
    Restrictions,
)
from data.records.core.tools import Trust
from ui.agents.api.desk import agents_desk
from ui.core.chips import section
from ui.core.session import attempt, core_desk, manages, read_lately, say
from ui.core.text.text_runs import line, run
from ui.core.widgets.conflict_forms import (
    ReadFields,
    begin_anew,
    begun_with,
    keep_typed,
    tell_changes,
)
from ui.core.widgets.marked import draw_marked

ReadWorkFields = ReadFields[AgentWork]

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
    teams = {team.id: team.name for team in read_lately("teams", core_desk().teams.list_all)}
    users = {
        colleague.id: colleague.name
        for colleague in read_lately("colleagues", core_desk().users.colleagues)
    }
    names = {f"team:{id}": f"Team {name}" for id, name in teams.items()}
    names |= {f"user:{id}": name for id, name in users.items()}
    assigned = work.assigned
    if not manages():
        names_told = ["Everybody here"] if EVERYBODY in assigned else [
            names.get(f"{assignment.kind}:{assignment.subject}", "somebody who has left")
            for assignment in assigned
        ]  # fmt: skip
        draw_marked(
            [line(run(name_told)) for name_told in names_told or ["Nobody"]], "list", key="assigned"
        )
        return
    slug = work.agent.slug

    def fields(shown: AgentWork) -> dict[str, object]:
        keys = [_key(assignment) for assignment in shown.assigned if assignment != EVERYBODY]
        return {
            f"assigned-who-{slug}": "everybody" if EVERYBODY in shown.assigned else "some",
            f"assigned-{slug}": [key for key in keys if key in names],
        }

    form = _begin(f"assigned-{slug}", work, names, fields)
    who = st.radio(
        "Who may ask it", list(WHO), format_func=WHO.__getitem__, key=f"assigned-who-{slug}"
    )
    chosen: Sequence[str] = ()
    if who == "some":
        chosen = st.multiselect(
            "People and teams",
            list(names),
            format_func=lambda item: names.get(item, item),
            key=f"assigned-{slug}",
        )
        if not chosen:
            st.caption("With nobody here it does not exist for anybody but who manages agents.")
    st.button(
        "Save", key="assigned-save", type="primary", on_click=_assign,
        args=(form, who == "everybody", tuple(chosen)),
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
        draw_marked(
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

    def fields(shown: AgentWork) -> dict[str, object]:
        restrictions = _restrictions(shown, chosen)
        return {
            f"narrow-tools-{chosen}": list(restrictions.without),
            f"narrow-trust-{chosen}": restrictions.trust and str(restrictions.trust),
            f"narrow-calls-{chosen}": restrictions.most_calls,
            f"narrow-budget-{chosen}": restrictions.budget,
        }

    form = _begin(f"narrow-{work.agent.slug}-{chosen}", work, names, fields)
    tells = {tool.name: tool.description for tool in work.tools}
    for shown in (form.begun, work):
        without_now = _restrictions(shown, chosen).without
        tells |= {name: name for name in without_now if name not in tells}
    without = st.multiselect(
        "Without these tools", list(tells), format_func=tells.__getitem__,
        key=f"narrow-tools-{chosen}",
    )  # fmt: skip
    trust = st.selectbox(
        "Trusted so far that it", [str(level) for level in Trust],
        index=None, format_func=TRUST.__getitem__, key=f"narrow-trust-{chosen}",
        placeholder="as the agent is",
    )  # fmt: skip
    calls = st.number_input(
        "Calls of tools in one answer, at most", 0, 1000, None,
        key=f"narrow-calls-{chosen}", placeholder="as the agent has it",
    )  # fmt: skip
    budget = st.number_input(
        "US dollars for one answer, at most", 0.01, None, None,
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
        args=(form, chosen, less),
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


def _restrictions(work: AgentWork, key: str) -> Restrictions:
    """Return what is taken away from an agent for one team or person."""
    of_each = {_key(assignment): assignment.restrictions for assignment in work.assigned}
    return of_each.get(key, Restrictions())


def _begin(form: str, work: AgentWork, names: Mapping[str, str], fields: ReadWorkFields) -> "_Form":
    """Begin a form with what is there, or go on with one in which something is typed."""
    begun = begun_with(form, work, fields)
    for key, value in fields(begun).items():  # one that was not drawn of late is forgotten
        st.session_state.setdefault(key, value)
    return _Form(form, begun, names, fields)


class _Form(NamedTuple):
    """A form over whom an agent is there for."""

    name: str
    begun: AgentWork
    """The agent as the form was begun with it."""
    names: Mapping[str, str]
    """Of teams and people, by the keys of their assignments."""
    fields: ReadWorkFields

    def save(self, items: tuple[Assignment, ...]) -> bool:
        """Save these assignments; where somebody was faster, tell it and keep what is typed."""
        slug = self.begun.agent.slug
        assignment_list = AssignmentList(items=items, version=self.begun.agent.assigned_version)

        def act() -> AssignmentList:
            try:
                return agents_desk().agents.assign(slug, assignment_list)
            except ConflictError as error:
                there = agents_desk().agents.work(slug)
                keep_typed(self.name, self.begun, there, self.fields)
                before, now = (
                    self._describe_assignments(self.begun),
                    self._describe_assignments(there),
                )
                changes = tell_changes(before, dict.fromkeys(before, "not given it") | now)
                raise ConflictError(f"{error}. {changes}") from error

        if attempt(act) is None:
            return False
        begin_anew(self.name, agents_desk().agents.work(slug), self.fields)
        return True

    def _describe_assignments(self, work: AgentWork) -> dict[str, str]:
        """Return in words what each has of the agent, by their names."""
        return {
            "Everybody here"
            if assignment == EVERYBODY
            else self.names.get(_key(assignment), "somebody who has left"): (
                f"given it {_less(assignment.restrictions)}".strip()
            )
            for assignment in work.assigned
        }


def _save_less(form: _Form, chosen: str, less: Restrictions) -> None:
    kind, _, subject = chosen.partition(":")
    fresh = Assignment(kind=AssigneeKind(kind), subject=subject, restrictions=less)
    assigned = form.begun.assigned
    others = tuple(assignment for assignment in assigned if _key(assignment) != chosen)
    keeps = less != Restrictions() or EVERYBODY not in assigned
    if form.save((*others, fresh) if keeps else others):
        say("done", "Saved; it holds from the next answer on.")


def _assign(form: _Form, everybody: bool, chosen: tuple[str, ...]) -> None:
    """Give an agent to everybody or to some; what is taken away from it for some stays so."""
    assigned = form.begun.assigned
    assigned_by_key = {_key(assignment): assignment for assignment in assigned}
    parts = [(choice, *choice.partition(":")) for choice in chosen]
    some = tuple(
        assigned_by_key.get(key, Assignment(kind=AssigneeKind(kind), subject=id))
        for key, kind, _, id in parts
    )
    narrowed = tuple(
        assignment for assignment in assigned if assignment.restrictions != Restrictions()
    )
    if form.save((EVERYBODY, *narrowed) if everybody else some):
        who = (
            "everybody here"
            if everybody
            else plural(len(some), "person or team", "people and teams")
        )
        name = form.begun.agent.name
        say("done", f"{name} is there for {who if everybody or some else 'nobody'}.")
