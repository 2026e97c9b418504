"""Plain questions: what would be answered without the model, beside what it answers."""

import streamlit as st

from data.counting import plural
from data.records.agents.intents import IntentSwitch, ShadowAnswer
from ui.agents.api.desk import agents_desk
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.session import attempt, guard_refusals, manages, say
from ui.core.text.clock import now
from ui.core.text.inert import one_line
from ui.core.text.text_runs import line, run
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked

NAMES = {
    "urgent": "What is urgent",
    "waiting": "What waits for a person",
    "promises": "What was promised",
}


def show() -> None:
    """Draw the page."""
    heading("Plain questions", "What agents can answer without the model, at once and at no cost.")
    with guard_refusals():
        listed = agents_desk().intents.list_all()
        seen_any = any(kind.seen for kind in listed.items)
        if not seen_any:
            empty(
                "Nothing to compare yet.",
                "Where a model answers a plain question, the answer without it is kept beside it."
                if listed.with_model
                else "No model is set up, so agents answer these questions themselves. "
                "With one, both answers stand here beside each other.",
            )
        for kind in listed.items if seen_any or listed.with_model else ():
            _kind(kind)


def _kind(kind: IntentSwitch) -> None:
    with st.container(key=f"card-intent-{kind.intent}"):
        chips(
            chip("without the model", "good")
            if kind.switched_on
            else chip("by the model", "accent"),
            make_muted(f"by {kind.changed_by}" if kind.changed_by else ""),
            moment(kind.changed_at, now()) if kind.changed_at else "",
        )
        draw_marked([line(run(name_of(kind), "strong"))], "list", key=f"intent-{kind.intent}")
        agreed = f"; both say the same in {kind.agreed} of {kind.compared}" if kind.compared else ""
        times = f"answered it {plural(kind.seen, 'time')}{agreed}"
        chips(make_muted(f"The model {times if kind.seen else 'has not answered it yet'}."))
        if manages():
            st.button(
                "Have the model answer it" if kind.switched_on else "Answer it without the model",
                key=f"intent-switch-{kind.intent}",
                on_click=_switch,
                args=(kind,),
            )
        if kind.shadows:
            section("The newest that you may read")
            for shadow in kind.shadows:
                _shadow(shadow)


def _shadow(shadow: ShadowAnswer) -> None:
    """Draw both answers to one question."""
    chips(moment(shadow.said_at, now()))
    draw_marked(
        [line(run(one_line(shadow.asked, 300), "strong"))], "list", key=f"asked-{shadow.turn_id}"
    )
    answers = (("without", "Without the model", shadow.would_say), ("by", "The model", shadow.said))
    for column, (name, title, text) in zip(st.columns(2), answers, strict=True):
        with column:
            section(title)
            with st.container(key=f"letter-{name}-{shadow.turn_id}"):
                st.text(text or "No answer came.")


def name_of(kind: IntentSwitch) -> str:
    """Return what a kind of question is called."""
    return NAMES.get(kind.intent, kind.intent)


def _switch(kind: IntentSwitch) -> None:
    on = not kind.switched_on
    if attempt(lambda: agents_desk().intents.switch(kind.intent, switched_on=on)) is not None:
        how = "without the model" if on else "by the model"
        say("done", f"“{name_of(kind)}” is answered {how} from now on.")


if __name__ == "__main__":
    show()
