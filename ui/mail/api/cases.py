"""Cases and the queue."""

from data.records.core.record import Record
from data.records.mail.examples import Relabel
from data.records.mail.follow_ups import AskFollowUp
from data.records.mail.onlookers import LookIn, Onlooker, Onlookers
from data.records.mail.orders import (
    Approve,
    ArchiveCase,
    DecideCases,
    Join,
    PartCase,
    Reassign,
    Reject,
    TagCases,
)
from data.records.mail.passing_on import ForwardDraft, ForwardPreview, PassOn
from data.records.mail.senders import Decided
from data.records.mail.snoozing import Snooze, Unsnooze
from data.records.mail.views import CaseView, QueueCountsView, QueueItem
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient
from ui.mail.api.outcomes import Outcomes


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


class CaseApi:
    """The part of the API about cases and the queue."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def queue(self, filters: Filters, limit: int = 25, offset: int = 0) -> Listing[QueueItem]:
        """Return cases that wait for a person, most pressing first."""
        return self._client.read(
            Listing[QueueItem],
            self._at("queue"),
            limit=limit,
            offset=offset,
            **filters.model_dump(),
        )

    def queue_counts(self) -> QueueCountsView:
        """Return how many cases are whose."""
        return self._client.read(QueueCountsView, self._at("queue", "counts"))

    def read(self, id: str) -> CaseView:
        """Return everything about one case."""
        return self._client.read(CaseView, self._at("cases", id))

    def read_if_changed(self, id: str, seen_version: int) -> CaseView | None:
        """Return a case when it has another version than `seen_version`, else None."""
        return self._client.read_if_new(CaseView, self._at("cases", id), seen_version)

    def look_in(self, id: str, *, writing: bool) -> tuple[Onlooker, ...]:
        """Say that the case is open here; return who else has it open, who writes first."""
        order = LookIn(writing=writing)
        return self._client.act(Onlookers, self._at("cases", id, "onlookers"), order).items

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

    def decide_several(self, order: DecideCases) -> tuple[Decided, ...]:
        """Apply one decision to several cases as they were shown; one outcome for each."""
        return self._client.act(Outcomes, self._at("cases", "decide"), order).outcomes

    def tag_several(self, order: TagCases) -> tuple[Decided, ...]:
        """Give the conversations of several cases tags, and take tags away."""
        return self._client.act(Outcomes, self._at("cases", "tag"), order).outcomes

    def retry(self, id: str) -> CaseView:
        """Work on a failed case once more."""
        return self._client.act(CaseView, self._at("cases", id, "retry"), {})

    def reopen(self, id: str) -> CaseView:
        """Open a case again that a person rejected or closed without a reply."""
        return self._client.act(CaseView, self._at("cases", id, "reopen"), {})

    def part(self, id: str, decision: PartCase) -> CaseView:
        """Make a case of its own of some parts of a case, and return that."""
        return self._client.act(CaseView, self._at("cases", id, "part"), decision)

    def join(self, id: str, decision: Join) -> CaseView:
        """Answer all parts of a message in one case again."""
        return self._client.act(CaseView, self._at("cases", id, "join"), decision)

    def snooze(self, id: str, order: Snooze) -> CaseView:
        """Put a case off."""
        return self._client.act(CaseView, self._at("cases", id, "snooze"), order)

    def unsnooze(self, id: str, order: Unsnooze) -> CaseView:
        """Bring a case back that was put off."""
        return self._client.act(CaseView, self._at("cases", id, "unsnooze"), order)

    def ask_follow_up(self, id: str, order: AskFollowUp) -> CaseView:
        """Have an answered case come back where no answer comes, or no more."""
        return self._client.act(CaseView, self._at("cases", id, "follow-up"), order)

    def preview_forward(self, id: str, order: ForwardDraft) -> ForwardPreview:
        """Return to whom a case may be passed on, and what would leave."""
        return self._client.act(ForwardPreview, self._at("cases", id, "forward", "preview"), order)

    def forward(self, id: str, order: PassOn) -> CaseView:
        """Pass a case's messages on to a colleague, as they were shown."""
        return self._client.act(CaseView, self._at("cases", id, "forward"), order)
