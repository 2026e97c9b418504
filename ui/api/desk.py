"""What a person can ask and do within one organization, one method per endpoint."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlencode

from data.records.core.audit_views import AuditChain, AuditChoices, AuditFilter, AuditView
from data.records.core.model_views import PartialDraft
from data.records.core.record import Record
from data.records.mail.conversations import (
    MergeThreads,
    SplitThread,
    ThreadPreview,
    UndoThreadChange,
)
from data.records.mail.documents import PAGES_HEADER, DocumentView, DrawnPage
from data.records.mail.drafting import Checked
from data.records.mail.examples import Relabel
from data.records.mail.orders import (
    Approve,
    ArchiveCase,
    Block,
    Choose,
    Decide,
    DecideCases,
    Reassign,
    Reject,
    Release,
    TagCases,
)
from data.records.mail.overview_views import Overview, Waiting
from data.records.mail.promises import ClosePromise, PromiseView
from data.records.mail.senders import Decided
from data.records.mail.views import (
    CaseView,
    MessageLine,
    MessageView,
    QuarantineItem,
    QueueCountsView,
    QueueItem,
    ThreadLine,
    ThreadView,
)
from ui.api.admin_desk import AdminDesk
from ui.api.agenda_desk import AgendaDesk
from ui.api.agent_desk import AgentDesk
from ui.api.knowledge_desk import KnowledgeDesk
from ui.api.memory_desk import MemoryDesk
from ui.api.model_desk import ModelDesk
from ui.api.outbox_desk import OutboxDesk
from ui.api.plan_desk import PlanDesk
from ui.api.policy_desk import PolicyDesk
from ui.api.report_desk import ReportDesk
from ui.api.sender_desk import Listing
from ui.api.setup_desk import SetupDesk


class Preview(Record):
    """What an edited reply would look like, and what the check says about it."""

    reply_preview: str
    approval_hash: str
    checked: Checked


class Closed(Record):
    """What became of a promise."""

    state: str


class Outcomes(Record):
    """How each decision of several ended."""

    outcomes: tuple[Decided, ...]


class Filters(Record):
    """What the review queue is narrowed to; empty means all."""

    category: str = ""
    priority: str = ""
    assignee: str = ""
    language: str = ""
    verdict: str = ""
    tag: str = ""
    state: str = ""
    q: str = ""
    handed: str = ""
    whose: str = ""
    snoozed: str = ""


class Desk(
    PlanDesk,
    KnowledgeDesk,
    OutboxDesk,
    MemoryDesk,
    AgendaDesk,
    AgentDesk,
    ReportDesk,
    PolicyDesk,
    SetupDesk,
    ModelDesk,
    AdminDesk,
):
    """One organization, seen with one token. Every method raises what `data.refusals` lists."""

    def overview(self) -> Overview:
        """Return the numbers of the first page."""
        return self._client.read(Overview, f"{self._root}/overview")

    def waiting(self) -> Waiting:
        """Return how much waits for a person, place by place."""
        return self._client.read(Waiting, f"{self._root}/waiting")

    def queue(self, filters: Filters, limit: int = 25, offset: int = 0) -> Listing[QueueItem]:
        """Return cases that wait for a person, most pressing first."""
        return self._client.read(
            Listing[QueueItem],
            f"{self._root}/queue",
            limit=limit,
            offset=offset,
            **filters.model_dump(),
        )

    def queue_counts(self) -> QueueCountsView:
        """Return how many cases are whose."""
        return self._client.read(QueueCountsView, f"{self._root}/queue/counts")

    def case(self, id: str) -> CaseView:
        """Return everything about one case."""
        return self._client.read(CaseView, self._at("cases", id))

    def choose(self, id: str, decision: Choose) -> CaseView:
        """Make one of the other drafts the newest one."""
        return self._client.act(CaseView, self._at("cases", id, "choose"), decision)

    def promises(self, state: str = "", limit: int = 25, offset: int = 0) -> Listing[PromiseView]:
        """Return promises of replies that have left, the next due first."""
        return self._client.read(
            Listing[PromiseView],
            f"{self._root}/promises",
            state=state,
            limit=limit,
            offset=offset,
        )

    def close_promise(self, id: str, note: str) -> Closed:
        """Say that a promise is kept, or no longer holds."""
        order = ClosePromise(note=note)
        return self._client.act(Closed, self._at("promises", id, "close"), order)

    def partial_draft(self, id: str) -> PartialDraft:
        """Return the draft that a model is writing, as far as it has come."""
        return self._client.read(PartialDraft, self._at("cases", id, "draft"))

    def preview(self, id: str, subject: str, body: str) -> Preview:
        """Return what an edited reply would look like."""
        edited = {"subject": subject, "body": body}
        return self._client.act(Preview, self._at("cases", id, "preview"), edited)

    def approve(self, id: str, decision: Approve) -> CaseView:
        """Put the reply that was shown into the outbox."""
        return self._client.act(CaseView, self._at("cases", id, "approve"), decision)

    def reject(self, id: str, decision: Reject) -> CaseView:
        """Refuse the draft."""
        return self._client.act(CaseView, self._at("cases", id, "reject"), decision)

    def reassign(self, id: str, decision: Reassign) -> CaseView:
        """Give the case to another person."""
        return self._client.act(CaseView, self._at("cases", id, "reassign"), decision)

    def relabel(self, id: str, decision: Relabel) -> CaseView:
        """Say what the case is really about."""
        return self._client.act(CaseView, self._at("cases", id, "relabel"), decision)

    def archive(self, id: str, decision: ArchiveCase) -> CaseView:
        """Close the case without a reply."""
        return self._client.act(CaseView, self._at("cases", id, "archive"), decision)

    def decide_cases(self, order: DecideCases) -> tuple[Decided, ...]:
        """Apply one decision to several cases as they were shown; one outcome for each."""
        return self._client.act(Outcomes, f"{self._root}/cases/decide", order).outcomes

    def tag_cases(self, order: TagCases) -> tuple[Decided, ...]:
        """Give the conversations of several cases tags, and take tags away."""
        return self._client.act(Outcomes, f"{self._root}/cases/tag", order).outcomes

    def retry(self, id: str) -> CaseView:
        """Work on a failed case once more."""
        return self._client.act(CaseView, self._at("cases", id, "retry"), {})

    def messages(self, limit: int = 25, offset: int = 0, **only: str) -> Listing[MessageLine]:
        """Return inbound messages, newest first; `only` narrows: status, q, category and so on."""
        return self._client.read(
            Listing[MessageLine], f"{self._root}/messages", limit=limit, offset=offset, **only
        )

    def message(self, id: str) -> MessageView:
        """Return one message with all that was decided about it."""
        return self._client.read(MessageView, self._at("messages", id))

    def raw(self, id: str) -> bytes:
        """Return a message as it came over the wire."""
        return self._client.fetch(self._at("messages", id, "raw"))

    def attachment(self, id: str, sha256: str) -> bytes:
        """Return the decoded bytes of one attachment."""
        return self._client.fetch(self._at("messages", id, "attachments", sha256))

    def draw_page(self, id: str, sha256: str, page: int) -> DrawnPage:
        """Return a picture, or a page of a PDF counted from 1, as the engine draws it anew."""
        return self._page(self._at("messages", id, "attachments", sha256, "preview"), page)

    def draw_attached(self, case_id: str, file_id: str, page: int) -> DrawnPage:
        """Return a file of a case's letter, or a page of it, as the engine draws it anew."""
        return self._page(self._at("cases", case_id, "attachments", file_id, "preview"), page)

    def draw_enclosed(self, delivery_id: str, sha256: str, page: int) -> DrawnPage:
        """Return a file of something in the outbox, or a page of it, drawn anew."""
        path = self._at("deliveries", delivery_id, "attachments", sha256, "preview")
        return self._page(path, page)

    def _page(self, path: str, page: int) -> DrawnPage:
        png, pages = self._client.fetch_with(path, PAGES_HEADER, page=page)
        return DrawnPage(png=png, pages=int(pages or 1))

    def document(self, id: str, sha256: str) -> DocumentView:
        """Have an attachment read; return its text and what the screen says of it."""
        return self._client.act(
            DocumentView,
            self._at("messages", id, "attachments", sha256, "read"),
            {},
            is_long=True,
        )

    def release(self, id: str, allow: tuple[str, ...] = ()) -> MessageView:
        """Let a quarantined message go on; the rules named no longer count for its sender."""
        order: Record | dict[str, str] = Release(allow=allow) if allow else {}
        return self._client.act(MessageView, self._at("messages", id, "release"), order)

    def confirm(self, id: str) -> MessageView:
        """Say that a quarantined message is the threat it looks like."""
        return self._client.act(MessageView, self._at("messages", id, "confirm"), {})

    def block(self, id: str, scope: Literal["sender", "domain"]) -> MessageView:
        """Confirm, and stop later mail of the sender or of the sender's domain."""
        return self._client.act(MessageView, self._at("messages", id, "block"), Block(scope=scope))

    def decide(
        self,
        ids: tuple[str, ...],
        action: Literal["release", "confirm", "block_sender", "block_domain", "undo"],
    ) -> tuple[Decided, ...]:
        """Apply one decision to several messages; one outcome for each."""
        path = f"{self._root}/quarantine/decide"
        return self._client.act(Outcomes, path, Decide(ids=ids, action=action)).outcomes

    def replay(self, id: str) -> MessageView:
        """Work on a message again from its raw bytes."""
        return self._client.act(MessageView, self._at("messages", id, "replay"), {})

    def threads(self, limit: int = 25, offset: int = 0, **only: str) -> Listing[ThreadLine]:
        """Return conversations, last touched first; `only` narrows: status, q, tag and so on."""
        return self._client.read(
            Listing[ThreadLine], f"{self._root}/threads", limit=limit, offset=offset, **only
        )

    def thread(self, id: str) -> ThreadView:
        """Return one conversation, oldest message first."""
        return self._client.read(ThreadView, self._at("threads", id))

    def merge_preview(self, id: str, other: str) -> ThreadPreview:
        """Return what making another conversation part of this one would do."""
        path = self._at("threads", id, "merge", "preview")
        return self._client.act(ThreadPreview, path, MergeThreads(other=other))

    def merge(self, id: str, order: MergeThreads) -> ThreadView:
        """Make another conversation part of this one."""
        return self._client.act(ThreadView, self._at("threads", id, "merge"), order)

    def split_preview(self, id: str, order: SplitThread) -> ThreadPreview:
        """Return what splitting messages off would do."""
        path = self._at("threads", id, "split", "preview")
        return self._client.act(ThreadPreview, path, order)

    def split(self, id: str, order: SplitThread) -> ThreadView:
        """Make a conversation of its own of some messages; return it."""
        return self._client.act(ThreadView, self._at("threads", id, "split"), order)

    def undo_thread(self, id: str, change: str) -> ThreadView:
        """Take a joining, merge or split of a conversation back."""
        order = UndoThreadChange(change=change)
        return self._client.act(ThreadView, self._at("threads", id, "undo"), order)

    def quarantine(
        self, limit: int = 25, offset: int = 0, *, decided: bool = False
    ) -> Listing[QuarantineItem]:
        """Return what the screen has stopped, newest first: what waits, or what was decided."""
        parameters = {"limit": limit, "offset": offset, "decided": decided}
        return self._client.read(Listing[QuarantineItem], f"{self._root}/quarantine", **parameters)

    def audit_chain(self) -> AuditChain:
        """Verify the chain of hashes over the whole audit log, now."""
        return self._client.read(AuditChain, f"{self._root}/audit/chain")

    def audit(
        self, limit: int = 25, offset: int = 0, only: AuditFilter | None = None
    ) -> Listing[AuditView]:
        """Return events of the audit log, newest first."""
        narrowed = (only or AuditFilter()).model_dump(mode="json")
        return self._client.read(
            Listing[AuditView], f"{self._root}/audit", limit=limit, offset=offset, **narrowed
        )

    def audit_choices(self) -> AuditChoices:
        """Return who did something, and what was done."""
        return self._client.read(AuditChoices, f"{self._root}/audit/choices")

    def audit_file(self, only: AuditFilter, form: str) -> bytes:
        """Return events of the audit log as a file, oldest first."""
        narrowed = {name: one for name, one in only.model_dump(mode="json").items() if one}
        query = urlencode({**narrowed, "format": form})
        return self._client.fetch(f"{self._root}/audit/export?{query}")
