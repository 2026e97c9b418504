"""Accounts of a letter's sentences: what becomes of each, beside the draft that answers it."""

from collections.abc import Sequence

import streamlit as st

from data.counting import plural
from data.records.mail.drafting import AccountedSentence, Checked, Disposition, Draft, Finding
from ui.core.text.text_runs import Icon, TextLine, line, run
from ui.core.widgets.marked import draw_marked

WORDS: dict[Disposition, tuple[str, Icon]] = {
    Disposition.OPEN: ("not dealt with", "warn"),
    Disposition.ANSWERED: ("answered", "yes"),
    Disposition.ACTION: ("before a person", "yes"),
    Disposition.BACKGROUND: ("asks for nothing", "info"),
    Disposition.COURTESY: ("courtesy", "info"),
}
MOST_LEFT = 8
"""Sentences that are listed as not dealt with: those of a long letter would push all else away."""
_SAID_HERE = ("unanswered_question", "not_dealt_with")
"""Findings that say of a sentence what its account says."""


def accounts(draft: Draft, checked: Checked) -> None:
    """Draw what is not dealt with, then folded what becomes of all the other sentences."""
    left = [account for account in checked.accounts if account.disposition is Disposition.OPEN]
    texts_told = [account.text for account in checked.accounts] + [
        finding.excerpt for finding in others_found(checked)
    ]
    told_text = " ".join(texts_told)
    listed = [text for text in draft.unanswered if text not in told_text]
    if left or listed:
        draw_marked(
            [
                *(
                    line(run("Not dealt with: ", "strong"), run(account.text), icon="warn")
                    for account in left[:MOST_LEFT]
                ),
                *_describe_rest(len(left) - MOST_LEFT),
                *(line(run("Not answered: ", "strong"), run(text), icon="warn") for text in listed),
            ],
            look="list",
        )
    if checked.accounts:
        with st.expander(f"Sentence by sentence · {plural(len(checked.accounts), 'piece')}"):
            draw_marked([_line(account) for account in checked.accounts], look="list")


def _describe_rest(count: int) -> list[TextLine]:
    """Return the line that stands for what is left out of the list, where anything is."""
    if count <= 0:
        return []
    more = f"And {plural(count, 'other piece')} of the mail; each is named below."
    return [line(run(more), icon="warn")]


def others_found(checked: Checked) -> Sequence[Finding]:
    """Return the findings that say something else than the accounts do."""
    if not checked.accounts:
        return checked.findings
    accounted_text = " ".join(account.text for account in checked.accounts)
    return [
        finding
        for finding in checked.findings
        if finding.check not in _SAID_HERE or finding.excerpt not in accounted_text
    ]


def _line(accounted_sentence: AccountedSentence) -> TextLine:
    words, icon = WORDS[accounted_sentence.disposition]
    return line(
        run(accounted_sentence.text),
        run(f"  {words}. {accounted_sentence.why}", "quiet"),
        icon=icon,
    )
