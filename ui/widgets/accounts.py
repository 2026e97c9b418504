"""What becomes of each sentence of the sender's letter, beside the draft that answers it."""

from collections.abc import Sequence

import streamlit as st

from data.counting import plural
from data.records.mail.drafting import AccountedSentence, Checked, Disposition, Draft, Finding
from ui.runs import Icon, Line, line, run
from ui.widgets.marked import marked

WORDS: dict[Disposition, tuple[str, Icon]] = {
    Disposition.OPEN: ("not dealt with", "warn"),
    Disposition.ANSWERED: ("answered", "yes"),
    Disposition.ACTION: ("before a person", "yes"),
    Disposition.BACKGROUND: ("asks for nothing", "info"),
    Disposition.COURTESY: ("courtesy", "info"),
}
_SAID_HERE = ("unanswered_question", "not_dealt_with")
"""Findings that say of a sentence what its account says."""


def accounts(draft: Draft, checked: Checked) -> None:
    """Draw what is not dealt with, then folded what becomes of all the other sentences."""
    left = [one for one in checked.accounts if one.disposition is Disposition.OPEN]
    told = [one.text for one in checked.accounts] + [one.excerpt for one in others_found(checked)]
    said = " ".join(told)
    listed = [text for text in draft.unanswered if text not in said]
    if left or listed:
        marked(
            [
                *(
                    line(run("Not dealt with: ", "strong"), run(one.text), icon="warn")
                    for one in left
                ),
                *(line(run("Not answered: ", "strong"), run(text), icon="warn") for text in listed),
            ],
            look="list",
        )
    if checked.accounts:
        with st.expander(f"Sentence by sentence · {plural(len(checked.accounts), 'piece')}"):
            marked([_line(one) for one in checked.accounts], look="list")


def others_found(checked: Checked) -> Sequence[Finding]:
    """Return the findings that say something else than the accounts do."""
    if not checked.accounts:
        return checked.findings
    known = " ".join(one.text for one in checked.accounts)
    return [
        one for one in checked.findings if one.check not in _SAID_HERE or one.excerpt not in known
    ]


def _line(one: AccountedSentence) -> Line:
    words, icon = WORDS[one.disposition]
    return line(run(one.text), run(f"  {words}. {one.why}", "quiet"), icon=icon)
