"""Letters that are begun again on an answered case: asked for by a person, or because none came.

Such a letter is a case of its own, which answers the last message of the other one. No stage works
on it and none has to; a person writes it and approves it like any reply, through the same checks.
"""

from collections.abc import Sequence
from datetime import datetime

from data.counting import plural
from data.ids import new_id
from data.lexicons.drafting import phrases
from data.records.core.parsed_mail import Address
from data.records.mail.drafting import BEGUN, Checked, Draft
from data.records.mail.follow_ups import FollowUpEnd
from data.states import CaseState
from data.store.core import audit
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.core.notifications import notify
from data.store.core.statements import Fields
from data.store.mail import cases, follow_ups
from data.store.mail.cases import CaseRow
from data.store.mail.follow_ups import FollowUpRow
from data.store.mail.thread_status import settle_threads_of_cases
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from tasks.mail.draft.drafting import reply_subject
from tasks.mail.draft.names import closing, greeting, personal_closing, reply_language
from tasks.mail.working_days import after_working_days

FROM_THE_CASE = (
    "contact_id", "contact_email", "contact_name", "thread_id", "message_ids", "subject", "preview",
    "verdict", "category", "priority", "language", "assignee", "cc", "bcc",
)  # fmt: skip
"""Columns that the case of a new letter takes over from the case that it is about."""


def begin_letter(
    cursor: Connection,
    workspace: Workspace,
    case: CaseRow,
    note: str,
    actor: str,
    now: datetime,
    *,
    assignee: str = "",
    reminds: bool = False,
) -> str:
    """Begin another letter to the contact of a case; return the id of its case.

    `note` says why, in a sentence; with `reminds` the letter asks whether anything is missing.
    """
    row = {name: getattr(case, name) for name in FROM_THE_CASE}
    row |= {"note": note, "again_of": case.id} | ({"assignee": assignee} if assignee else {})
    draft = _draft_of(workspace, case, reminds=reminds)
    return put_letter(cursor, workspace, row, draft, Checked(quality=0.0), actor, now)


def put_letter(
    cursor: Connection,
    workspace: Workspace,
    row: Fields,
    draft: Draft,
    checked: Checked,
    actor: str,
    now: datetime,
) -> str:
    """Put a letter of ours before a person as a case, with its first text; return its id."""
    letter = new_id(now)
    fields = {
        "id": letter,
        "state": CaseState.IN_REVIEW,
        "version": 1,
        "received_at": now,
        "created_at": now,
        "drafted_at": now,
        "changed_at": now,
        "due_at": now,
        "burst_reason": "again",
        "has_draft": True,
    }
    cases.add(cursor, [{**row, **fields}])
    note_events(cursor, "case", [letter], CaseState.IN_REVIEW, actor=actor, now=now)
    cases.add_drafts(
        cursor,
        [
            {
                "case_id": letter,
                "revision": 0,
                "draft": draft.model_dump_json(),
                "checked": checked.model_dump_json(),
                "author": draft.provider,
                "unanswered": 0,
                "created_at": now,
            }
        ],
    )
    settle_threads_of_cases(cursor, [letter])
    ask(cursor, workspace, [letter], actor, now)
    return letter


def start_waiting(cursor: Connection, workspace: Workspace, case_id: str, now: datetime) -> None:
    """Begin the wait that was asked for with the approval of a reply which has left now, if any."""
    row = follow_ups.find_running(cursor, case_id)
    if row is not None and row.due_at is None:
        follow_ups.begin(cursor, row, due_after(workspace, row.days, now))


def due_after(workspace: Workspace, days: int, start: datetime) -> datetime:
    """Return when so many working days are over, by the organization's hours and zone."""
    own, hours = workspace.organization, workspace.policy.working_hours
    return after_working_days(days, start, hours, own.timezone, own.days_off)


def follow_up(
    cursor: Connection, workspace: Workspace, row: FollowUpRow, actor: str, now: datetime
) -> None:
    """Begin a letter for a case whose answer has not come, and tell who asked for it."""
    if not follow_ups.end(cursor, [row.case_id], FollowUpEnd.TIME, now):
        return  # it was answered meanwhile
    case = cases.read_row(cursor, row.case_id)
    if case.state != CaseState.SENT or follow_ups.find_letter_begun(cursor, case.id):
        return
    days_text = plural(row.days, "working day")
    note = f"They have not answered for {days_text}."
    letter = begin_letter(
        cursor, workspace, case, note, actor, now, assignee=row.addressee, reminds=True
    )
    audit.append(
        cursor, actor=actor, action="follow up", subject=f"case:{letter}", detail=note, now=now
    )
    sentence = f"{case.subject or '(no subject)'}: they have not answered for {days_text}"
    notify(cursor, "follow_up", {letter: sentence}, now, {letter: row.addressee})


def end_by_mail(cursor: Connection, message_ids: Sequence[str], now: datetime) -> None:
    """End the follow-ups of the cases that these new messages answer."""
    follow_ups.end(
        cursor, follow_ups.list_answered_by(cursor, message_ids), FollowUpEnd.MESSAGE, now
    )


def _draft_of(workspace: Workspace, case: CaseRow, *, reminds: bool) -> Draft:
    """Return what a letter begins with: greeting, perhaps a reminder, and closing."""
    code = reply_language(case.language, workspace.organization)
    sender = Address(name=case.contact_name, email=case.contact_email)
    body = begun_body(workspace, code, sender, reminds=reminds)
    by = "local" if reminds else BEGUN
    return Draft(subject=reply_subject(case.subject), body=body, language=code, provider=by)


def begun_body(
    workspace: Workspace, language: str, sender: Address, *, reminds: bool = False
) -> str:
    """Return what a letter to `sender` begins with: greeting, perhaps a reminder, and closing.

    That a machine helped is said under a reminder alone; everything else a person writes.
    """
    organization, policy = workspace.organization, workspace.policy
    code = reply_language(language, organization)
    phrases_said = phrases(code, policy.formality)
    close = closing if reminds else personal_closing
    parts = (
        greeting(phrases_said, code, policy, sender, organization),
        phrases_said.follow_up if reminds else "",
        close(phrases_said, code, policy, organization),
    )
    return "\n\n".join(part for part in parts if part)
