"""What a person can ask and do about tickets, owners' questions, rules, and parts of cases."""

from typing import Literal

from data.records.mail.attaching import DetachFile
from data.records.mail.copies import ChooseCopies
from data.records.mail.follow_ups import AskFollowUp, WriteAgain
from data.records.mail.notes import NoteView, WriteNote
from data.records.mail.onlookers import LookIn, Onlooker, Onlookers
from data.records.mail.orders import Join, PartCase
from data.records.mail.overview_views import Count
from data.records.mail.passing_on import ForwardDraft, ForwardPreview, PassOn
from data.records.mail.questions import OwnerAnswer, QuestionView
from data.records.mail.rules import ProposeRule, RuleView
from data.records.mail.snoozing import Snooze, Unsnooze
from data.records.mail.tickets import Comment, Reason, TicketView
from data.records.mail.views import CaseView, ThreadView
from data.records.mail.writing import WriteMail
from ui.api.sender_desk import Listing, SenderDesk

Noted = CaseView | ThreadView
"""What a note was written on, with the note."""
_NOTED: dict[str, type[CaseView] | type[ThreadView]] = {"cases": CaseView, "threads": ThreadView}


class PlanDesk(SenderDesk):
    """The part of a `Desk` about what plans carry out; raises what `data.refusals` lists."""

    def changed_case(self, id: str, seen_version: int) -> CaseView | None:
        """Return a case when it has another version than `seen_version`, else None."""
        return self._client.read_if_new(CaseView, self._at("cases", id), seen_version)

    def look_in(self, id: str, *, writing: bool) -> tuple[Onlooker, ...]:
        """Say that the case is open here; return who else has it open, who writes first."""
        order = LookIn(writing=writing)
        return self._client.act(Onlookers, self._at("cases", id, "onlookers"), order).items

    def choose_copies(self, id: str, decision: ChooseCopies) -> CaseView:
        """Say who gets a copy of the reply."""
        return self._client.act(CaseView, self._at("cases", id, "copies"), decision)

    def attach_file(self, id: str, version: int, name: str, content: bytes) -> CaseView:
        """Put a file on the letter of a case."""
        return self._client.upload(
            CaseView, self._at("cases", id, "attachments"), content, version=version, name=name
        )

    def attached_file(self, id: str, file: str) -> bytes:
        """Return the bytes of a file on the letter of a case."""
        return self._client.fetch(self._at("cases", id, "attachments", file))

    def detach_file(self, id: str, file: str, order: DetachFile) -> CaseView:
        """Take a file off the letter of a case."""
        return self._client.act(
            CaseView, self._at("cases", id, "attachments", file, "remove"), order
        )

    def part(self, id: str, decision: PartCase) -> CaseView:
        """Make a case of its own of some parts of a case, and return that."""
        return self._client.act(CaseView, self._at("cases", id, "part"), decision)

    def join(self, id: str, decision: Join) -> CaseView:
        """Answer all parts of a message in one case again."""
        return self._client.act(CaseView, self._at("cases", id, "join"), decision)

    def reopen(self, id: str) -> CaseView:
        """Open a case again that a person rejected or closed without a reply."""
        return self._client.act(CaseView, self._at("cases", id, "reopen"), {})

    def snooze(self, id: str, order: Snooze) -> CaseView:
        """Put a case off."""
        return self._client.act(CaseView, self._at("cases", id, "snooze"), order)

    def unsnooze(self, id: str, order: Unsnooze) -> CaseView:
        """Bring a case back that was put off."""
        return self._client.act(CaseView, self._at("cases", id, "unsnooze"), order)

    def ask_follow_up(self, id: str, order: AskFollowUp) -> CaseView:
        """Have an answered case come back where no answer comes, or no more."""
        return self._client.act(CaseView, self._at("cases", id, "follow-up"), order)

    def write_again(self, id: str, order: WriteAgain) -> CaseView:
        """Begin another letter to the contact of a case; return its case."""
        return self._client.act(CaseView, self._at("cases", id, "again"), order)

    def write_mail(self, order: WriteMail) -> CaseView:
        """Begin a mail to an address; return its case."""
        return self._client.act(CaseView, f"{self._root}/letters", order)

    def write_note(self, place: Literal["cases", "threads"], id: str, note: WriteNote) -> Noted:
        """Keep a note on a case or a conversation."""
        return self._client.act(_NOTED[place], self._at(place, id, "notes"), note)

    def remove_note(self, id: str) -> NoteView:
        """Take a note away, and return what it was."""
        return self._client.act(NoteView, self._at("notes", id, "remove"), {})

    def preview_forward(self, id: str, order: ForwardDraft) -> ForwardPreview:
        """Return to whom a case may be passed on, and what would leave."""
        return self._client.act(ForwardPreview, self._at("cases", id, "forward", "preview"), order)

    def forward(self, id: str, order: PassOn) -> CaseView:
        """Pass a case's messages on to a colleague, as they were shown."""
        return self._client.act(CaseView, self._at("cases", id, "forward"), order)

    def tags(self) -> Listing[Count]:
        """Return the tags of conversations with how many bear each, most used first."""
        return self._client.read(Listing[Count], f"{self._root}/tags")

    def tickets(
        self, state: str = "", q: str = "", limit: int = 25, offset: int = 0, case: str = ""
    ) -> Listing[TicketView]:
        """Return tickets without their notes, newest first."""
        return self._client.read(
            Listing[TicketView],
            f"{self._root}/tickets",
            state=state,
            q=q,
            limit=limit,
            offset=offset,
            case=case,
        )

    def exported_tickets(self) -> bytes:
        """Return all tickets as a Parquet file."""
        return self._client.fetch(f"{self._root}/export/tickets")

    def ticket(self, id: str) -> TicketView:
        """Return one ticket with its notes."""
        return self._client.read(TicketView, self._at("tickets", id))

    def close_ticket(self, id: str, reason: str) -> TicketView:
        """Close a ticket."""
        return self._client.act(TicketView, self._at("tickets", id, "close"), Reason(reason=reason))

    def reopen_ticket(self, id: str, reason: str) -> TicketView:
        """Open a ticket again."""
        order = Reason(reason=reason)
        return self._client.act(TicketView, self._at("tickets", id, "reopen"), order)

    def tell_tracker(self, id: str) -> TicketView:
        """Tell the outside tracker again what it has not taken."""
        return self._client.act(TicketView, self._at("tickets", id, "tell"), {})

    def comment(self, id: str, text: str) -> TicketView:
        """Say something about a ticket."""
        return self._client.act(TicketView, self._at("tickets", id, "comment"), Comment(text=text))

    def questions(self, state: str = "", limit: int = 25, offset: int = 0) -> Listing[QuestionView]:
        """Return questions to owners, newest first."""
        return self._client.read(
            Listing[QuestionView],
            f"{self._root}/questions",
            state=state,
            limit=limit,
            offset=offset,
        )

    def answer(self, id: str, order: OwnerAnswer) -> QuestionView:
        """Answer a question; its case is drafted again."""
        return self._client.act(QuestionView, self._at("questions", id, "answer"), order)

    def withdraw(self, id: str) -> QuestionView:
        """Take a question back."""
        return self._client.act(QuestionView, self._at("questions", id, "withdraw"), {})

    def remember(self, id: str) -> QuestionView:
        """Propose an answer as knowledge, which somebody has to accept."""
        return self._client.act(QuestionView, self._at("questions", id, "remember"), {})

    def rules(self) -> Listing[RuleView]:
        """Return the handling rules with recent cases that they would have matched."""
        return self._client.read(Listing[RuleView], f"{self._root}/rules")

    def propose_rule(self, sentence: str) -> RuleView:
        """Compile a sentence."""
        order = ProposeRule(sentence=sentence)
        return self._client.act(RuleView, f"{self._root}/rules", order)

    def confirm_rule(self, id: str) -> RuleView:
        """Let a rule count."""
        return self._client.act(RuleView, self._at("rules", id, "confirm"), {})

    def retire_rule(self, id: str) -> RuleView:
        """Let a rule count no more."""
        return self._client.act(RuleView, self._at("rules", id, "retire"), {})
