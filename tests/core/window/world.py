"""What the stand-in for the engine knows, and the legal moves of its cases."""

from dataclasses import dataclass, field
from typing import Any

from data.records.core.audit_views import AuditView
from data.records.core.learning import EntryView, ProposalView, SavedReplyView
from data.records.core.model_views import ModelsView
from data.records.mail.documents import DocumentView
from data.records.mail.onlookers import Onlooker
from data.records.mail.outgoing_views import DeliveryView, ForwardView
from data.records.mail.overview_views import Me
from data.records.mail.promises import PromiseView
from data.records.mail.questions import QuestionView
from data.records.mail.report_views import Report
from data.records.mail.rules import RuleView
from data.records.mail.senders import (
    AllowanceView,
    BlockView,
    GroupsView,
    NotificationView,
    SpamLearning,
)
from data.records.mail.tickets import TicketView
from data.records.mail.views import (
    CaseView,
    MessageLine,
    MessageView,
    QuarantineItem,
    ThreadView,
)
from data.records.mail.vigilance import VigilanceView
from data.states import (
    CASE_EDGES,
    CaseState,
)
from tests.core.window import invented as records
from tests.core.window.holding import Refused
from tests.core.window.reporting import report

TOKEN = "a-made-up-token"


@dataclass
class World:
    """Everything the stand-in knows; a test sets it and looks at `calls` afterwards."""

    cases: dict[str, CaseView] = field(default_factory=dict)
    messages: dict[str, MessageView] = field(default_factory=dict)
    documents: dict[str, DocumentView] = field(default_factory=dict)
    drawn: dict[str, list[bytes]] = field(default_factory=dict)
    """The pages of files that have a preview, by their hash."""
    """What reading an attachment gives, by its hash."""
    files: dict[str, bytes] = field(default_factory=dict)
    """What was attached to letters, by its hash."""
    held: dict[str, QuarantineItem] = field(default_factory=dict)
    decided: dict[str, QuarantineItem] = field(default_factory=dict)
    threads: dict[str, ThreadView] = field(default_factory=dict)
    deliveries: dict[str, DeliveryView] = field(default_factory=dict)
    forwards: dict[str, ForwardView] = field(default_factory=dict)
    audit: list[AuditView] = field(default_factory=list)
    notifications: list[NotificationView] = field(default_factory=list)
    allowances: list[AllowanceView] = field(default_factory=list)
    blocks: list[BlockView] = field(default_factory=list)
    groups: GroupsView = field(default_factory=lambda: GroupsView(items=()))
    learned: SpamLearning = field(
        default_factory=lambda: SpamLearning(spam=12, ham=30, enough=False)
    )
    entries: list[EntryView] = field(default_factory=list)
    replies: list[SavedReplyView] = field(default_factory=list)
    proposals: dict[str, ProposalView] = field(default_factory=dict)
    models: ModelsView = field(default_factory=lambda: ModelsView(provider="local"))
    tickets: dict[str, TicketView] = field(default_factory=dict)
    questions: dict[str, QuestionView] = field(default_factory=dict)
    rules: dict[str, RuleView] = field(default_factory=dict)
    promises: dict[str, PromiseView] = field(default_factory=dict)
    writing: dict[str, str] = field(default_factory=dict)
    """Drafts that are being written, by case."""
    report: Report = field(default_factory=report)
    stopped: bool = False
    refusals: dict[str, Refused] = field(default_factory=dict)
    """What to answer instead, by the end of the path."""
    slow: float = 0.0
    """How long each answer takes, seconds."""
    token: str = TOKEN
    me: Me = records.ME
    onlookers: tuple[Onlooker, ...] = ()
    """Who else has the open case before them."""
    looks: list[tuple[str, bool]] = field(default_factory=list)
    """Which case was said to be open, and whether somebody writes there."""
    vigilance: VigilanceView = field(
        default_factory=lambda: VigilanceView(planted_a_week=0, most_at_once=50)
    )
    calls: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    """Method, path and body (or query) of every call."""

    def done(self, ending: str) -> list[dict[str, Any]]:
        """Return the bodies of POST calls whose path ends so, without how long a letter stood."""
        return [
            {name: value for name, value in body.items() if name != "looked_seconds"}
            for method, path, body in self.calls
            if method == "POST" and path.endswith(ending)
        ]

    def looked(self) -> list[float | None]:
        """Return how long each letter was looked at that was decided on."""
        return [body["looked_seconds"] for _, _, body in self.calls if "looked_seconds" in body]


def full() -> World:
    """Return a world with something on every page."""
    world = World()
    for case in (
        records.case("case-1"),
        records.case(
            "case-2", item=records.item("case-2", subject=records.HOSTILE, priority="urgent")
        ),
        records.case(
            "case-3", item=records.item("case-3", subject="Billing address", category="billing")
        ),
    ):
        world.cases[case.id] = case
        world.messages |= {message.id: message for message in case.messages}
    for id in ("held-1", "held-2"):
        world.held[id] = records.held(id)
        world.messages[id] = records.held_message(id)
    world.messages["news-1"] = records.newsletter("news-1")
    world.threads["thread-1"] = records.thread()
    return world


def line(message: MessageView) -> MessageLine:
    """Return a message as a line of the inbox."""
    return MessageLine(
        id=message.id,
        status=message.status,
        sender=message.sender,
        subject=message.subject,
        preview=(message.segments.new if message.segments else message.text)[:120],
        received_at=message.received_at,
        thread_id=message.thread_id,
        case_id=message.case_id,
        verdict=message.screening.verdict if message.screening else None,
        automated_kind=message.automated.kind if message.automated else "none",
        attachments=len(message.attachments),
        note=message.note,
    )


def moved(case: CaseView, state: CaseState, **more: Any) -> CaseView:  # noqa: ANN401
    """Return the case in another state, if the move is legal."""
    if state is not case.state and state not in CASE_EDGES[case.state]:
        raise Refused(409, "ConflictError", f"case {case.id!r} is {case.state}; read it again")
    item = case.item.model_copy(update={"state": state, **more.pop("item", {})})
    return case.model_copy(
        update={"state": state, "version": case.version + 1, "item": item, **more}
    )
