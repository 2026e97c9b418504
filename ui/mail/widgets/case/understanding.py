"""The understanding of a case: its classification, its plan, and the gates of its decision."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from data.counting import plural
from data.gate_words import name_gate
from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision, Gate
from data.records.mail.planning import Action, ActionStatus, ActionType
from data.records.mail.views import BranchView, Standing
from ui.core import people
from ui.core.chips import chip, chips, meter, section
from ui.core.session import zone
from ui.core.text.clock import write_exactly
from ui.core.text.text_runs import TextLine, line, run
from ui.core.text.words import ACTIONS, AUDIENCES, FLOORS, language, word_sentence
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import words
from ui.mail.deciding.screen_decisions import explain_release
from ui.mail.widgets.case.model_lookups import looked_up

ACTION_STATUSES: dict[ActionStatus, str] = {
    ActionStatus.PLANNED: "planned",
    ActionStatus.PENDING_REVIEW: "waits for a person",
    ActionStatus.APPROVED: "approved",
    ActionStatus.EXECUTED: "done",
    ActionStatus.REJECTED: "not done",
}
"""What is said of an action's status."""


def draw_classification(classification: Classification | None) -> None:
    """Draw category, priority, sentiment, language, intents and what spoke for them."""
    section("Understood")
    if classification is None:
        words("Not classified yet.", "dim", "understood-none")
        return
    chips(
        chip(classification.category),
        chip(classification.priority),
        chip(classification.sentiment),
        chip(language(classification.language), "quiet"),
        meter(classification.confidence, "sure of it", "How sure Postern is of the category"),
    )
    several = len(classification.intents) > 1
    for number, intent in enumerate(classification.intents if several else ()):
        chips(
            chip(intent.intent, "accent"),
            chip(intent.category),
            meter(intent.confidence, "sure of it", "How sure Postern is of this wish"),
        )
        if intent.text:
            words(intent.text, "small", f"intent-{number}")
    if classification.reasons:
        with st.expander("What spoke for it"):
            draw_marked(
                [line(run(reason), icon="dot") for reason in classification.reasons], "list"
            )


def draw_plan(branches: Sequence[BranchView]) -> None:
    """Draw each branch's actions with the least approval they need."""
    planned = [branch for branch in branches if branch.plan or branch.question]
    if not planned:
        return
    section("Plan")
    for number, branch in enumerate(planned):
        chips(*(_part_chips(branch) if len(planned) > 1 else ()), _plan_certainty(branch))
        if branch.question:
            question_line = line(run("Asked: ", "strong"), run(branch.question), icon="warn")
            draw_marked([question_line], "list", key=f"plan-asked-{number}")
        actions = branch.plan.actions if branch.plan else ()
        draw_marked(
            [
                line(
                    run(ACTIONS[action.type], "strong"),
                    run(_action_object(action)),
                    run(f"  {FLOORS[action.floor]}{_action_outcome(branch, position)}", "quiet"),
                    run(f"\n{action.reason}", "quiet"),
                    run(f"\n{_consequence(action)}", "quiet"),
                    icon="dot",
                )
                for position, action in enumerate(actions)
            ],
            look="list",
            key=f"plan-{number}",
        )
        looked_up(branch.plan.lookups if branch.plan else (), f"plan-looked-{number}")


def _part_chips(branch: BranchView) -> tuple[str, ...]:
    """Return the chips that tell one wish of a message from its others."""
    return (
        chip(branch.intent.intent, "accent"),
        chip(branch.intent.category),
        chip(branch.state),
        meter(branch.answered, "answered", "How much of this part the draft answers")
        if branch.answered is not None
        else "",
    )


def _plan_certainty(branch: BranchView) -> str:
    """Return a meter of how sure the plan is; empty for older plans, which do not say."""
    if branch.plan is None or branch.plan.confidence is None:
        return ""
    return meter(
        branch.plan.confidence, "sure of it", "How sure Postern is that this is what was asked for"
    )


def draw_gates(decision: Decision | None, released: Standing | None = None) -> None:
    """Draw why the case is here: the decision and every gate with its reason.

    `released` is how a message of it left the quarantine; the gate of the screen then says that.
    """
    if decision is None:
        return
    section("Gates before sending by itself")
    holding = [_name_releaser(gate, released) for gate in decision.gates if not gate.passed]
    agreeing = [gate for gate in decision.gates if gate.passed]
    draw_marked([_gate_line(gate) for gate in holding], look="checks")
    if agreeing:
        with st.expander(f"{plural(len(agreeing), 'other gate')} agree"):
            draw_marked([_gate_line(gate) for gate in agreeing], look="checks")


def _name_releaser(gate: Gate, released: Standing | None) -> Gate:
    """Return a gate; the one of the screen with who released the message, which it lacks."""
    failed = gate.reason.startswith("Screening could not run")
    if gate.name != "screening" or released is None or failed:
        return gate
    return gate.model_copy(update={"reason": explain_release(released)})


def _gate_line(gate: Gate) -> TextLine:
    """Return a gate with its reason as a line, marked by whether it agreed."""
    return line(
        run(name_gate(gate.name), "strong", gate.name),
        run(f"\n{word_sentence(gate.reason)}", "quiet"),
        icon="yes" if gate.passed else "no",
    )


def _action_outcome(branch: BranchView, position: int) -> str:
    """Return an action's status and who decided on it; empty where it is not carried out yet."""
    action_done = next((action for action in branch.actions if action.position == position), None)
    if action_done is None:
        return ""
    by = f" by {people.name_of(action_done.reviewed_by)}" if action_done.reviewed_by else ""
    return f"  ·  {ACTION_STATUSES[action_done.status]}{by}"


def _action_object(action: Action) -> str:
    """Return what an action is done to; the end of a wait as a time of the organization."""
    if action.type is ActionType.WAIT and action.argument:
        try:
            return f" until {write_exactly(datetime.fromisoformat(action.argument), zone())}"
        except ValueError:  # a time that nobody can read is shown as it is
            return f" {action.argument}"
    return f" {people.with_names(action.argument)}" if action.argument else ""


def _consequence(action: Action) -> str:
    """Return in plain words what follows from an action, and what undoes it."""
    undone = f"To undo: {action.inverse}" if action.inverse else "Cannot be undone"
    if action.reversible and not action.inverse:
        undone = "Can be undone"
    money = " Concerns money." if action.money else ""
    return f"{AUDIENCES[action.audience]}. {undone}.{money}"
