"""The draft with its sources, its findings, and exactly what would leave."""

from collections.abc import Sequence

import streamlit as st

from data.counting import plural
from data.records.core.briefing import Snippet, SourceKind
from data.records.mail.drafting import Checked, Draft, Finding, Severity
from data.records.mail.views import CaseView, DraftRevision
from ui.core import people
from ui.core.chips import chip, chips, make_muted, meter, section
from ui.core.text.inert import make_inert, show_controls
from ui.core.text.text_runs import Icon, annotate_body, difference, line, numbers, run
from ui.core.text.words import Tone, language, word, word_sentence
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import words
from ui.mail.widgets.letter import follow_up
from ui.mail.widgets.letter.accounts import accounts, others_found
from ui.mail.widgets.letter.copies import copies
from ui.mail.widgets.letter.others import draw_other_drafts
from ui.mail.widgets.letter.quality import GOOD, explain_number, explain_quality, written_by
from ui.mail.widgets.message.attached import attach, draw_attached

SIGNS: dict[Severity, Icon] = {Severity.BLOCK: "no", Severity.HOLD: "warn", Severity.INFO: "info"}


_NEAR, _NEAREST = 0.6, 3
"""From which score on knowledge is shown where questions are open (its greatest is 1), how much."""
USUAL = "The one address of From."
"""Where a recipient comes from nearly always; only another place is worth a line."""


def reply(case: CaseView) -> None:
    """Draw the newest draft of a case that nobody decides on; says so when there is none."""
    if not case.revisions:
        with st.container(key="card-nodraft"):
            section("Reply")
            words("There is no draft.", "small", "no")
        return
    newest = case.revisions[-1]
    checked = newest.checked or Checked()
    with st.container(key="card-draft"):
        draft_head(case, newest, checked)
        draft = newest.draft
        words(draft.subject, "who", "draft-subject")
        texts = {snippet.ref: snippet.text for snippet in (*case.snippets, *case.cited)}
        warn_of_colleague(case, draft)
        draw_marked(annotate_body(draft.body, draft.citations, checked.findings, texts), "letter")
        draw_findings(others_found(checked))
        accounts(draft, checked)
        if draft.note:
            draw_marked([line(run(draft.note), icon="info")], look="list")
        draw_other_drafts(case, checked)
        draw_leaving(case.reply_preview, case.approval_hash)
        draw_revisions(case.revisions)


def warn_of_colleague(case: CaseView, draft: Draft) -> None:
    """Say so where the letter names one colleague, and the case is with another by now."""
    assignee = case.item.assignee or ""
    if other := people.named_instead(draft.body, assignee):
        holder = people.name_of(assignee)
        warning = f"This letter names {other}; the case is with {holder} now."
        words(f"{warning} Edit it, or choose another draft.", "small", "names-another")


def draw_recipient(case: CaseView) -> None:
    """Draw to whom the reply goes and where that address comes from."""
    copied = {copy.address.lower() for copy in case.copies if copy.chosen}
    to = [recipient for recipient in case.recipients if recipient.lower() not in copied]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="to-whom"):
        chips(make_muted("To"))
        words(", ".join(to) or "nobody yet", "who", "recipients")
        copies(case)
        attach(case)
        follow_up.choice(case)
    draw_attached(case)
    if case.recipient_reason and case.recipient_reason != USUAL:
        words(case.recipient_reason, "dim", "recipient-reason")


def draw_findings(findings: Sequence[Finding], key: str | None = None) -> None:
    """Draw the findings, gravest first; drafts beside each other need a `key` each."""
    order = list(SIGNS)
    draw_marked(
        [
            line(
                run(word_sentence(finding.sentence)),
                run(f"  “{finding.excerpt}”" if finding.excerpt else "", "quiet"),
                icon=SIGNS[finding.severity],
            )
            for finding in sorted(findings, key=lambda entry: order.index(entry.severity))
        ],
        look="list",
        key=key,
    )


def draw_leaving(preview: str, approval_hash: str) -> None:
    """Draw the text exactly as it would leave, with the hash that an approval signs."""
    if preview:
        with st.expander("Exactly what will leave"):
            st.code(show_controls(preview), language=None, wrap_lines=True)
            chips(make_muted("Your approval signs"), make_muted(approval_hash[:16] + "…"))
            with st.container(key="small-hash"):
                st.text(approval_hash)


def sources(draft: Draft | None, case: CaseView) -> None:
    """Draw each cited source with its number, then folded what else was read.

    Where the draft leaves a question open, what is nearest in the knowledge stands unfolded.
    """
    number = numbers(draft.citations) if draft else {}
    if not number:
        words("The draft cites nothing.", "dim", "sources-none")
    if draft:
        cited_sources(draft, case, "card-source")
    rest = [snippet for snippet in case.snippets if snippet.ref not in number]
    nearest = _nearest(rest) if draft is None or draft.unanswered or not number else []
    if nearest:
        with st.container(key="card-nearest", gap="small"):
            section("Perhaps in these")
            for place, snippet in enumerate(nearest):
                _source(snippet, "", f"nearest-{place}")
    rest = [snippet for snippet in rest if snippet not in nearest]
    if rest:
        with st.expander(f"Also read · {plural(len(rest), 'piece')}"):
            for place, snippet in enumerate(rest):
                _source(snippet, "", f"read-{place}")


def _nearest(snippets: Sequence[Snippet]) -> list[Snippet]:
    """Return the knowledge that is nearest to what was asked, which a person may answer from."""
    knowledge_pieces = (
        piece for piece in snippets if piece.source is SourceKind.KNOWLEDGE and piece.trusted
    )
    ranked = sorted(knowledge_pieces, key=lambda snippet: -snippet.score)
    return [snippet for snippet in ranked if snippet.score >= _NEAR][:_NEAREST]


def cited_sources(draft: Draft, case: CaseView, place: str) -> None:
    """Draw the sources of a draft, each in a container of the key `place` and its number."""
    by_ref = {snippet.ref: snippet for snippet in (*case.snippets, *case.cited)}
    titles = {citation.ref: citation.title for citation in draft.citations}
    for ref, index in numbers(draft.citations).items():
        known = by_ref.get(ref)
        with st.container(key=f"{place}-{index}", gap="small"):
            if known is not None and known.text:
                _source(known, f"[{index}] ", f"{place}-{index}")
            else:
                gone_text = "  It is kept no more; nothing else of it is known."
                title = run(titles[ref] or ref, "strong", ref)
                draw_marked(
                    [line(run(f"[{index}] ", "cite"), title, run(gone_text, "quiet"))], "list"
                )


def draft_head(case: CaseView, newest: DraftRevision | None, checked: Checked) -> None:
    """Draw whose draft it is, how good it is, and to whom it goes."""
    if case.item.again:
        section("Our letter")
    elif newest is not None:
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            section("Draft" if newest.revision == 0 else f"Draft, version {newest.revision + 1}")
            chips(
                written_by(case, newest.author),
                chip(language(newest.draft.language), "quiet"),
                meter(checked.quality, "quality", explain_number(checked), _tone(checked.quality)),
            )
        # What comes and goes while somebody types has its own place: the field below keeps its.
        with st.container(key="draft-told", gap=None):
            if newest.author != "local":
                words(f"by {newest.author}", "dim", "author", wrap=False)
            if meaning := explain_quality(checked, newest.draft):
                words(meaning, "dim", "quality")
    draw_recipient(case)


def _tone(quality: float) -> Tone:
    return "accent" if quality >= GOOD else "warn"


def draw_revisions(revisions: Sequence[DraftRevision]) -> None:
    """Draw what has changed since the first draft, folded."""
    if len(revisions) > 1:
        first, last = revisions[0], revisions[-1]
        by = "Postern" if first.author == "local" else make_inert(first.author)
        with st.expander(f"Changes since the first draft by {by}"):
            draw_marked(difference(first.draft.body, last.draft.body), "letter")


def _source(snippet: Snippet, label: str, key: str) -> None:
    """Draw a source, the whole of it."""
    voucher = "" if snippet.trusted else "  from mail, not vouched for"
    drawn = line(
        run(label, "cite"),
        run(snippet.title or snippet.ref, "strong", snippet.ref),
        run(f"  {word(snippet.source)}{voucher}\n", "quiet"),
        run(snippet.text),
    )
    draw_marked([drawn], "list", key=f"source-{key}")
