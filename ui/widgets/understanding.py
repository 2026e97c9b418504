"""What the machine understood, means to do, and was or was not allowed to do."""

from collections.abc import Sequence

import streamlit as st

from data.records.deciding import Decision, Gate
from data.records.understanding import Classification
from data.records.views import BranchView
from ui.runs import Line, line, run
from ui.widgets.chips import chip, chips, meter, section
from ui.widgets.marked import marked
from ui.widgets.plain import words
from ui.words import ACTIONS, FLOORS, language, plural


def understood(classification: Classification | None) -> None:
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
        meter(classification.confidence, "How sure the machine is of the category"),
    )
    for number, intent in enumerate(classification.intents):
        chips(
            chip(intent.intent, "accent"),
            chip(intent.category),
            meter(intent.confidence, "How sure the machine is of this intent"),
        )
        if intent.text:
            words(intent.text, "small", f"intent-{number}")
    if classification.reasons:
        with st.expander("What spoke for it"):
            marked([line(run(reason), icon="dot") for reason in classification.reasons], "list")


def plan(branches: Sequence[BranchView]) -> None:
    """Draw each branch's actions with the least approval they need."""
    planned = [branch for branch in branches if branch.plan or branch.question]
    if not planned:
        return
    section("Plan")
    for branch in planned:
        if len(planned) > 1:
            chips(chip(branch.intent.intent, "accent"), chip(branch.state))
        if branch.question:
            marked([line(run("Asked: ", "strong"), run(branch.question), icon="warn")], "list")
        actions = branch.plan.actions if branch.plan else ()
        marked(
            [
                line(
                    run(ACTIONS[action.type], "strong"),
                    run(f" {action.argument}" if action.argument else ""),
                    run(f"  {FLOORS[action.floor]}", "quiet", _consequence(action.reversible)),
                    run(f"\n{action.reason}", "quiet"),
                    icon="dot",
                )
                for action in actions
            ],
            look="list",
        )


def gates(decision: Decision | None) -> None:
    """Draw why the case is here: the decision and every gate with its reason."""
    if decision is None:
        return
    section("Gates before sending by itself")
    holding = [gate for gate in decision.gates if not gate.passed]
    agreeing = [gate for gate in decision.gates if gate.passed]
    marked([_gate(gate) for gate in holding], look="checks")
    if agreeing:
        with st.expander(f"{plural(len(agreeing), 'gate')} let it through"):
            marked([_gate(gate) for gate in agreeing], look="checks")


def _gate(gate: Gate) -> Line:
    return line(
        run(gate.name.replace("_", " "), "strong"),
        run(f"\n{gate.reason}", "quiet"),
        icon="yes" if gate.passed else "no",
    )


def _consequence(reversible: bool) -> str:
    return "Can be undone" if reversible else "Cannot be undone"
