"""Changes in a case since somebody looked at it. Pure, no Streamlit."""

from data.counting import plural
from data.records.mail.views import CaseView
from data.states import CaseState
from ui.core.text.inert import one_line
from ui.core.text.words import word

TAKEN_OVER = "Newer mail came, and another case answers all of it together."


def changes(before: CaseView, after: CaseView) -> tuple[str, ...]:
    """Return what is new in `after`, one sentence each, what matters most first.

    Subjects and names in the sentences are the sender's: draw them inert.
    """
    changes_seen = (
        *_state(before, after),
        *_mail(before, after),
        *_drafts(before, after),
        *_labels(before, after),
        *_assignee(before, after),
        *_notes(before, after),
    )
    return changes_seen or ("Something about it was changed.",)


def _mail(before: CaseView, after: CaseView) -> list[str]:
    message_ids = {message.id for message in before.messages}
    fresh = [message for message in after.messages if message.id not in message_ids]
    sentences = [
        f"New in this case: “{one_line(new_message.subject, 60) or '(no subject)'}”."
        for new_message in fresh
    ]
    here = len(before.thread.entries) if before.thread else 0
    there = len(after.thread.entries) if after.thread else 0
    if (more := there - here - len(fresh)) > 0:
        sentences.append(f"The conversation has {plural(more, 'message')} more.")
    return sentences


def _state(before: CaseView, after: CaseView) -> list[str]:
    if before.state is after.state:
        return []
    if after.state is CaseState.SUPERSEDED:
        return [TAKEN_OVER]
    if after.state is CaseState.RUNNING:
        return ["It is being worked on again; a new draft follows."]
    return [f"It was {word(before.state)}, and is {word(after.state)} now."]


def _drafts(before: CaseView, after: CaseView) -> list[str]:
    if len(after.revisions) <= len(before.revisions):
        return []
    author = after.revisions[-1].author
    by = "Postern" if author == "local" else one_line(author, 60)
    return [f"There is a newer draft, by {by}."]


def _labels(before: CaseView, after: CaseView) -> list[str]:
    was = (before.item.category, before.item.priority)
    now = (after.item.category, after.item.priority)
    if was == now:
        return []
    return ["It counts as " + ", ".join(word(label) for label in now if label) + " now."]


def _notes(before: CaseView, after: CaseView) -> list[str]:
    """Say who has written a note; one is read before the case is decided."""
    note_ids = {note.id for note in before.thread.notes} if before.thread else set()
    fresh = [note for note in after.thread.notes if note.id not in note_ids] if after.thread else []
    return [
        f"{one_line(note.written_by, 60)} wrote a note: {one_line(note.text, 120)}"
        for note in fresh
    ]


def _assignee(before: CaseView, after: CaseView) -> list[str]:
    if before.item.assignee == after.item.assignee:
        return []
    assignee = after.item.assignee
    return [f"It was given to {one_line(assignee, 80)}." if assignee else "It is nobody's now."]
