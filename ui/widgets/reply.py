"""The draft with its sources, its findings, and exactly what would leave."""

from collections.abc import Sequence

import streamlit as st

from data.records.briefing import Snippet
from data.records.drafting import Checked, Draft, Finding, Severity
from data.records.views import CaseView, DraftRevision
from ui import unsent
from ui.inert import inert, shown
from ui.runs import Icon, Line, annotated, difference, line, numbers, run
from ui.widgets.chips import chip, chips, meter, muted, section
from ui.widgets.copies import copies
from ui.widgets.marked import marked
from ui.widgets.others import others
from ui.widgets.plain import words
from ui.widgets.quality import meant, measured, written_by
from ui.words import language, plural, word

SIGNS: dict[Severity, Icon] = {Severity.BLOCK: "no", Severity.HOLD: "warn", Severity.INFO: "info"}


RECIPIENTS = {"The one address of From.": "The address that the mail itself names as its sender."}
"""Where a recipient comes from, where the engine's words are too short for people."""


def reply(case: CaseView) -> None:
    """Draw the newest draft; says so when there is none."""
    if not case.revisions:
        with st.container(key="card-nodraft"):
            section("Reply")
            words(
                "There is no draft. Write one with Edit, or close without a reply.", "small", "no"
            )
        return
    newest = case.revisions[-1]
    checked = newest.checked or Checked()
    with st.container(key="card-draft"):
        _head(case, newest, checked)
        draft = newest.draft
        words(draft.subject, "who", "draft-subject")
        marked(annotated(draft.body, draft.citations, checked.findings), "letter")
        found(checked.findings)
        _open_questions(draft)
        if draft.note:
            marked([line(run(draft.note), icon="info")], look="list")
        others(case, checked)
        leaving(case.reply_preview, case.approval_hash)
        _older(case.revisions)


def addressed(case: CaseView) -> None:
    """Draw to whom the reply goes and where that address comes from."""
    copied = {one.address.lower() for one in case.copies if one.chosen}
    to = [one for one in case.recipients if one.lower() not in copied]
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        chips(muted("To"))
        words(", ".join(to) or "nobody yet", "who", "recipients")
    if case.recipient_reason:
        words(
            RECIPIENTS.get(case.recipient_reason, case.recipient_reason), "dim", "recipient-reason"
        )


def found(findings: Sequence[Finding], key: str | None = None) -> None:
    """Draw the findings, gravest first; drafts beside each other need a `key` each."""
    order = list(SIGNS)
    marked(
        [
            line(
                run(finding.sentence),
                run(f"  “{finding.excerpt}”" if finding.excerpt else "", "quiet"),
                icon=SIGNS[finding.severity],
            )
            for finding in sorted(findings, key=lambda entry: order.index(entry.severity))
        ],
        look="list",
        key=key,
    )


def leaving(preview: str, approval_hash: str) -> None:
    """Draw the text exactly as it would leave, with the hash that an approval signs."""
    if preview:
        with st.expander("Exactly what will leave"):
            st.code(shown(preview), language=None, wrap_lines=True)
            chips(muted("Your approval signs"), muted(approval_hash[:16] + "…"))
            with st.container(key="small-hash"):
                st.text(approval_hash)


def sources(draft: Draft | None, snippets: Sequence[Snippet]) -> None:
    """Draw the cited snippets with their numbers, then folded what else was read."""
    number = numbers(draft.citations) if draft else {}
    by_ref = {snippet.ref: snippet for snippet in snippets}
    cited = [(ref, index) for ref, index in number.items() if ref in by_ref]
    section("Sources")
    if not cited:
        words("The draft cites nothing.", "dim", "sources-none")
    for ref, index in cited:
        with st.container(key=f"card-source-{index}"):
            marked([_source(by_ref[ref], f"[{index}] ")], "list")
    rest = [snippet for snippet in snippets if snippet.ref not in number]
    if rest:
        with st.expander(f"Also read · {plural(len(rest), 'piece')}"):
            marked([_source(snippet, "") for snippet in rest], "list")


def _head(case: CaseView, newest: DraftRevision, checked: Checked) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        section("Draft" if newest.revision == 0 else f"Draft, version {newest.revision + 1}")
        chips(
            written_by(case, newest.author),
            chip(language(newest.draft.language), "quiet"),
            meter(checked.quality, "quality", measured(checked)),
        )
    if unsent.found(case.id) not in (None, (newest.draft.subject, newest.draft.body)):
        chips(chip("Edited, not sent", "warn"), muted("Your text is kept; Edit opens it."))
    if newest.author != "local":
        words(f"by {newest.author}", "dim", "author", wrap=False)
    if meaning := meant(checked):
        words(meaning, "dim", "quality")
    addressed(case)
    copies(case)


def _open_questions(draft: Draft) -> None:
    if draft.unanswered:
        marked(
            [
                line(run("Not answered: ", "strong"), run(question), icon="warn")
                for question in draft.unanswered
            ],
            look="list",
        )


def _older(revisions: Sequence[DraftRevision]) -> None:
    if len(revisions) > 1:
        first, last = revisions[0], revisions[-1]
        by = "Postern" if first.author == "local" else inert(first.author)
        with st.expander(f"Changes since the first draft by {by}"):
            marked(difference(first.draft.body, last.draft.body), "letter")


def _source(snippet: Snippet, label: str) -> Line:
    voucher = "" if snippet.trusted else "  from mail, not vouched for"
    text = snippet.text if len(snippet.text) <= 700 else snippet.text[:699] + "…"
    return line(
        run(label, "cite"),
        run(snippet.title or snippet.ref, "strong", snippet.ref),
        run(f"  {word(snippet.source)}{voucher}\n", "quiet"),
        run(text),
    )
