"""Handling rules: a sentence, what was understood of it, and what it would have matched."""

import streamlit as st

from data.counting import plural
from data.records.mail.rules import RuleExample, RuleState, RuleView
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.session import attempt, guard_refusals, say
from ui.core.text.clock import now
from ui.core.text.inert import one_line
from ui.core.text.text_runs import TextLine, line, run
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.mail.api.desk import mail_desk

EXAMPLE = "anything about GDPR: always ask"


def show() -> None:
    """Draw the page."""
    heading("Rules", "Sentences that restrict or file; nothing is ever loosened by one.")
    with guard_refusals():
        _new()
        rules_page = mail_desk().rules.list_all()
        alive = [rule for rule in rules_page.items if rule.state is not RuleState.RETIRED]
        if not alive:
            empty("There are no rules.", "Write one above; it counts once you have confirmed it.")
        for rule in alive:
            _rule(rule)
        retired = [rule for rule in rules_page.items if rule.state is RuleState.RETIRED]
        if retired:
            with st.expander(f"Retired · {plural(len(retired), 'rule')}"):
                for rule in retired:
                    _draw_retired(rule)


def _new() -> None:
    with st.container(key="card-new-rule"):
        st.text_input("A new rule", key="rule-sentence", placeholder=EXAMPLE, max_chars=300)
        chips(
            make_muted(
                "What it is about, a colon, and what to do: always ask, hold, archive, tag …, "
                "assign to …"
            )
        )
        st.button(
            "Show what it means",
            key="rule-propose",
            icon=":material/rule:",
            on_click=_propose,
        )


def _rule(rule: RuleView) -> None:
    with st.container(key=f"card-rule-{rule.id}"):
        chips(
            chip("counts", "good")
            if rule.state is RuleState.CONFIRMED
            else chip("waits for your yes", "warn"),
            make_muted(f"version {rule.version}" if rule.version else ""),
            make_muted(f"by {rule.confirmed_by or rule.created_by}"),
            moment(rule.confirmed_at or rule.created_at, now()),
        )
        draw_marked([line(run(rule.sentence, "strong"))], "list", key=f"rule-said-{rule.id}")
        draw_marked(
            [line(run(text), icon="dot") for text in rule.plain], "list", key=f"rule-{rule.id}"
        )
        section(f"It would have matched {plural(rule.matched, 'recent case')}")
        if rule.examples:
            draw_marked(
                [_example(example) for example in rule.examples], "list", key=f"rule-hits-{rule.id}"
            )
        with st.container(horizontal=True, gap="small"):
            if rule.state is RuleState.PROPOSED:
                st.button(
                    "Yes, that is what I mean",
                    key=f"rule-confirm-{rule.id}",
                    type="primary",
                    icon=":material/verified:",
                    on_click=_confirm,
                    args=(rule.id,),
                )
            counts = rule.state is RuleState.CONFIRMED
            st.button(
                "Retire" if counts else "Not this",
                key=f"rule-retire-{rule.id}",
                on_click=_retire,
                args=(rule.id, counts),
            )


def _draw_retired(rule: RuleView) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", wrap=False, key=f"rule-gone-{rule.id}"
    ):
        draw_marked([line(run(rule.sentence))], "list", key=f"rule-old-{rule.id}")
        st.button(
            "Write it again",
            key=f"rule-again-{rule.id}",
            type="tertiary",
            on_click=_fill_sentence,
            args=(rule.sentence,),
        )


def _fill_sentence(sentence: str) -> None:
    """Put a retired rule's sentence into the field; it counts once it is confirmed anew."""
    st.session_state["rule-sentence"] = sentence


def _example(rule_example: RuleExample) -> TextLine:
    return line(
        run(f"{rule_example.contact_email}  ", "quiet"), run(one_line(rule_example.subject, 120))
    )


def _propose() -> None:
    """Have the engine compile what stands in the field now."""
    sentence = str(st.session_state.get("rule-sentence") or "")
    if len(sentence.strip()) < 5:
        say("warning", "Write a sentence first.")
    elif attempt(lambda: mail_desk().rules.propose(sentence.strip())):
        st.session_state["rule-sentence"] = ""
        say("done", "Look at what was understood, then confirm it.")


def _confirm(id: str) -> None:
    if attempt(lambda: mail_desk().rules.confirm(id)):
        say("done", "The rule counts from now on.")


def _retire(id: str, counted: bool) -> None:
    if attempt(lambda: mail_desk().rules.retire(id)):
        done = "The rule counts no more." if counted else "It never counted, and will not."
        say("done", f"{done} Under Retired it can be written again.")


if __name__ == "__main__":
    show()
