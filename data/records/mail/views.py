"""Cases, messages, conversations and the quarantine, as the engine's API shows them.

Every text that came from outside (names, subjects, bodies, file names, excerpts) is plain,
untrusted text: whoever draws it must draw it inert.
"""

from typing import Literal

from pydantic import AwareDatetime

from data.records.core.accounts import CustomerFacts
from data.records.core.briefing import Snippet, Tier
from data.records.core.model_views import CallsView
from data.records.core.parsed_mail import (
    Address,
    Attachment,
    Automated,
    Carried,
    Hidden,
    Link,
    Segments,
)
from data.records.core.record import Record
from data.records.core.screening import Authentication, Screening, SecurityFlags, Verdict
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    Priority,
    Sentiment,
)
from data.records.mail.attaching import AttachedFile
from data.records.mail.conversations import CaseLink, ThreadChange, ThreadLink
from data.records.mail.copies import Copy
from data.records.mail.deciding import Decision, Outcome
from data.records.mail.drafting import Checked, Draft
from data.records.mail.follow_ups import FollowUpView
from data.records.mail.notes import NoteView
from data.records.mail.passing_on import PassedOn
from data.records.mail.planning import ActionView, Plan
from data.records.mail.questions import QuestionView
from data.records.mail.service_levels import ServiceTarget
from data.records.mail.snoozing import SnoozeView
from data.records.mail.stage_outputs import PartLink
from data.states import (
    BranchState,
    CaseState,
    MessageStatus,
    StepStatus,
)


class QueueItem(Record):
    """One line of the review queue."""

    case_id: str
    state: CaseState
    subject: str
    contact: Address
    preview: str
    """The first words of what is new, at most 160 characters."""
    received_at: AwareDatetime
    """When the burst's last message was accepted."""
    waiting_since: AwareDatetime
    messages: int
    category: Category | None = None
    priority: Priority | None = None
    sentiment: Sentiment | None = None
    language: str = "und"
    confidence: float = 0.0
    quality: float = 0.0
    verdict: Verdict = Verdict.CLEAN
    outcome: Outcome | None = None
    would_auto_send: bool = False
    has_draft: bool = False
    assignee: str | None = None
    tier: Tier = Tier.NORMAL
    again: bool = False
    """Whether it is a letter that a person or a follow-up has begun, and no reply to new mail."""
    part: bool = False
    """Whether another case answers another part of its messages."""
    reason: str = ""
    """Why it waits, in the sentence of the decision."""
    holding: tuple[str, ...] = ()
    """Names of the gates that say no, in order."""
    target: ServiceTarget | None = None
    """By when it should be answered; None where the policy sets nothing for it."""
    tags: tuple[str, ...] = ()
    """What its conversation bears, in alphabetical order."""


class QueueCountsView(Record):
    """How many cases of the review queue there are, by with whom they are."""

    all: int
    mine: int
    """With the caller."""
    others: int
    """With other people."""
    unassigned: int
    """With nobody."""
    handed: int
    """With anybody, whom a person or the line chose."""
    failed: int
    snoozed: int


class Standing(Record):
    """A decision of a person on one message that nobody has taken back."""

    action: Literal["release", "person", "confirm", "block", "spam", "not_spam"]
    """What was decided."""
    stopped: bool
    """Whether the message was in quarantine before."""
    by: str
    """Who decided."""
    at: AwareDatetime


class MessageView(Record):
    """One inbound message with everything that was decided about it."""

    id: str
    status: MessageStatus
    sender: Address | None
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    reply_to: tuple[Address, ...] = ()
    subject: str
    date: AwareDatetime | None = None
    received_at: AwareDatetime
    channel: str
    mail_from: str
    rcpt_to: tuple[str, ...]
    message_id: str | None = None
    text: str = ""
    html_body: str = ""
    """The HTML part as it came, in the answer for a single message alone; never drawn."""
    segments: Segments | None = None
    attachments: tuple[Attachment, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    hidden_at: tuple[int, ...] = ()
    """For each hidden text the index in `text` that it stood before; -1 when it is not known."""
    links: tuple[Link, ...] = ()
    carried: tuple[Carried, ...] = ()
    """Words beside the body, e.g. of a calendar entry; no model gets them."""
    defects: tuple[str, ...] = ()
    automated: Automated | None = None
    screening: Screening | None = None
    authentication: Authentication | None = None
    security_flags: SecurityFlags | None = None
    """The record kept when the screen stopped it."""
    taught: bool | None = None
    """What was learned from it: spam, wanted, or nothing."""
    released: Standing | None = None
    """The release by which it went on; None when nobody released it, or it was taken back."""
    decision: Standing | None = None
    """The newest decision on it that stands, which is what *undo* takes back."""
    thread_id: str | None = None
    thread_reason: str = ""
    """Why it is in its conversation."""
    same_id_as: str | None = None
    """Another message that has the same Message-ID and says something else."""
    case_id: str | None = None
    note: str = ""
    """Why it ended where it is, e.g. `duplicate of …`."""


class MessageLine(Record):
    """One line of the inbox."""

    id: str
    status: MessageStatus
    sender: Address | None
    subject: str
    preview: str = ""
    received_at: AwareDatetime
    thread_id: str | None = None
    case_id: str | None = None
    verdict: Verdict | None = None
    automated_kind: str = "none"
    attachments: int = 0
    note: str = ""


class ThreadEntry(Record):
    """One message of a conversation, inbound or ours."""

    ref: str
    """`message:<id>`, `delivery:<id>` or `history:<id>`."""
    outbound: bool
    sender: Address | None
    at: AwareDatetime
    subject: str
    turns: bool = False
    """Whether it is about something else than what was said before it, or than the conversation."""
    segments: Segments
    status: str = ""
    attachments: tuple[Attachment, ...] = ()


class ThreadLine(Record):
    """One line of the list of conversations."""

    id: str
    subject: str
    contact: Address
    status: Literal["open", "pending_review", "resolved", "archived"]
    messages: int
    last_message_at: AwareDatetime
    assignee: str | None = None
    tags: tuple[str, ...] = ()
    """Tags, in alphabetical order; empty in lists."""


class ThreadView(ThreadLine):
    """A whole conversation, oldest first."""

    entries: tuple[ThreadEntry, ...] = ()
    contacts: tuple[str, ...] = ()
    """Addresses of everybody whose mail is in it."""
    refers_to: tuple[ThreadLink, ...] = ()
    """Conversations that it names without being part of them."""
    referred_by: tuple[ThreadLink, ...] = ()
    """Conversations that name this one without being part of it."""
    changes: tuple[ThreadChange, ...] = ()
    """How it was joined, merged and split, newest first, without what was taken back."""
    notes: tuple[NoteView, ...] = ()
    """What colleagues wrote beside it, oldest first."""
    cases: tuple[CaseLink, ...] = ()
    """Its cases that nothing has taken over, newest first, at most 20; empty within a case."""


class BranchView(Record):
    """One intent of a case with its plan."""

    id: str
    state: BranchState
    intent: Intent
    plan: Plan | None = None
    actions: tuple[ActionView, ...] = ()
    """What became of the plan's actions, in their order."""
    question: str = ""
    """What the owner is asked, when it waits for input."""
    answered: float | None = None
    """Share of what this part asks that the newest draft answers, 0 to 1; None without a draft or
    a question."""
    priority: Priority | None = None
    """How soon this part wants an answer."""
    draft: Draft | None = None
    """The reply to this part by itself; None in a case with one part, whose reply that is."""
    checked: Checked | None = None
    """What the check says of it."""
    decision: Decision | None = None
    """What would become of this part by itself."""


class StepView(Record):
    """One entry of the journal."""

    stage: str
    item_id: str
    attempt: int
    status: StepStatus
    started_at: AwareDatetime
    milliseconds: float
    provider: str = ""
    tokens_in: int = 0
    """Tokens that models have read for it."""
    tokens_out: int = 0
    cost: float = 0.0
    """What models have cost for it, US dollars."""
    config_version: str = ""
    error: str = ""


class DraftRevision(Record):
    """One version of the reply; 0 is the machine's."""

    revision: int
    draft: Draft
    checked: Checked | None = None
    author: str
    """`local`, a model's name, or a user."""
    created_at: AwareDatetime


class CaseView(Record):
    """Everything a reviewer needs to decide on one case."""

    id: str
    version: int
    """Goes up with every change; sent back with a decision, which is refused when it has moved."""
    state: CaseState
    item: QueueItem
    messages: tuple[MessageView, ...]
    thread: ThreadView | None = None
    classification: Classification | None = None
    branches: tuple[BranchView, ...] = ()
    questions: tuple[QuestionView, ...] = ()
    """What owners were asked for it and have not answered yet."""
    tier: Tier = Tier.NORMAL
    snippets: tuple[Snippet, ...] = ()
    """The briefing that plan and draft saw."""
    cited: tuple[Snippet, ...] = ()
    """What its drafts cite beside the briefing; a source that is kept no more has no text."""
    revisions: tuple[DraftRevision, ...] = ()
    """Newest last."""
    decision: Decision | None = None
    steps: tuple[StepView, ...] = ()
    recipients: tuple[str, ...] = ()
    """Where the reply would go; computed, never chosen by a model."""
    copies: tuple[Copy, ...] = ()
    """Who is offered a copy of the reply, and whether it goes there; a person may add others."""
    bcc: tuple[str, ...] = ()
    """Who gets a blind copy of it, whom its headers do not name."""
    attachments: tuple[AttachedFile, ...] = ()
    """The files that it carries, in the order they were attached."""
    recipient_reason: str = ""
    """Where the recipients come from."""
    reply_preview: str = ""
    """The text exactly as it would leave."""
    approval_hash: str = ""
    """Hash of recipients, subject, body and attachments; what an approval signs."""
    fallbacks: tuple[str, ...] = ()
    """Where the embedded provider stood in for a model, and why; one sentence each."""
    calls: tuple[CallsView, ...] = ()
    """What models have used for it, by task."""
    delivery_id: str | None = None
    leaves_at: AwareDatetime | None = None
    """When its approved reply leaves, where a person chose the moment."""
    run_url: str = ""
    """Where Prefect shows the flow run that worked on it last; empty when none did."""
    passed_on: tuple[PassedOn, ...] = ()
    """To whom its messages were passed on, oldest first; those taken back are not among them."""
    snooze: SnoozeView | None = None
    """When a person last put it off, or what it took over; None for never."""
    follow_up: FollowUpView | None = None
    """When somebody wanted to hear of it again last; None for never."""
    again_of: str | None = None
    """The case to whose contact it begins another letter; None for a reply."""
    taken_over_by: str | None = None
    """The case that stands in its place since newer mail came; None while it stands itself."""
    others: tuple[PartLink, ...] = ()
    """The cases that answer the other parts of its messages, oldest first."""
    other_cases: tuple[CaseLink, ...] = ()
    """Other cases of the same contact that are not at an end, newest first, at most 20."""
    customer: CustomerFacts | None = None
    """What the organization knows of the contact; None when it knows nothing."""
    customer_established: bool = False
    """Whether the sender is established, so that a reply may tell it."""


class QuarantineItem(Record):
    """One line of the quarantine."""

    message: MessageLine
    score: float
    technique: str
    excerpt: str
    rules: tuple[str, ...]
    decision: Standing | None = None
    """What a person made of it; None while it waits."""
