"""What a person can ask and do about knowledge."""

from data.records.core.kept_knowledge import (
    EntryVersions,
    GivenFile,
    KeepEntry,
    OpenQuestions,
    ReadFile,
    TurnEntry,
)
from data.records.core.learning import (
    AcceptProposal,
    EditProposal,
    EntryView,
    ProposalView,
    SavedReplyView,
)
from data.records.mail.orders import SaveReply
from ui.api.sender_desk import Listing, SenderDesk


class Proposals(Listing[ProposalView]):
    """One page of what was learned."""

    waiting: int
    """How many wait for a person, on all pages."""


class KnowledgeDesk(SenderDesk):
    """The part of a `Desk` about knowledge; every method raises what `data.refusals` lists."""

    def knowledge(
        self, q: str = "", which: str = "", limit: int = 25, offset: int = 0
    ) -> Listing[EntryView]:
        """Return knowledge entries by title."""
        return self._client.read(
            Listing[EntryView],
            f"{self._root}/knowledge",
            q=q,
            which=which,
            limit=limit,
            offset=offset,
        )

    def entry(self, id: str) -> EntryView:
        """Return one entry, a retired one too."""
        return self._client.read(EntryView, self._at("knowledge", id))

    def write_entry(self, order: KeepEntry) -> EntryView:
        """Keep a new entry."""
        return self._client.act(EntryView, f"{self._root}/knowledge", order)

    def change_entry(self, id: str, order: KeepEntry) -> EntryView:
        """Keep another wording of an entry."""
        return self._client.act(EntryView, self._at("knowledge", id), order, "PUT")

    def turn_entry(self, id: str, act: str, order: TurnEntry) -> EntryView:
        """Do with an entry what `act` says: `retire`, `restore` or `hand-back`."""
        return self._client.act(EntryView, self._at("knowledge", id, act), order)

    def entry_versions(self, id: str) -> EntryVersions:
        """Return every wording of an entry that was written here."""
        return self._client.read(EntryVersions, self._at("knowledge", id, "versions"))

    def read_knowledge_file(self, order: GivenFile) -> ReadFile:
        """Return what a file says as entries; nothing is kept."""
        return self._client.act(ReadFile, f"{self._root}/knowledge/read", order)

    def open_questions(self) -> OpenQuestions:
        """Return what people asked and the knowledge did not answer."""
        return self._client.read(OpenQuestions, f"{self._root}/knowledge/unanswered")

    def saved_replies(self, q: str = "") -> Listing[SavedReplyView]:
        """Return the saved replies by title."""
        return self._client.read(Listing[SavedReplyView], f"{self._root}/saved-replies", q=q)

    def add_reply(self, order: SaveReply) -> SavedReplyView:
        """Keep a new saved reply."""
        return self._client.act(SavedReplyView, f"{self._root}/saved-replies", order)

    def edit_reply(self, id: str, order: SaveReply) -> SavedReplyView:
        """Change a saved reply that people keep."""
        return self._client.act(SavedReplyView, self._at("saved-replies", id, "edit"), order)

    def retire_reply(self, id: str) -> SavedReplyView:
        """Let no draft use a saved reply any more."""
        return self._client.act(SavedReplyView, self._at("saved-replies", id, "retire"), {})

    def restore_reply(self, id: str) -> SavedReplyView:
        """Let drafts use a retired saved reply again."""
        return self._client.act(SavedReplyView, self._at("saved-replies", id, "restore"), {})

    def proposals(
        self, state: str = "", q: str = "", limit: int = 25, offset: int = 0
    ) -> Proposals:
        """Return what was learned, newest first."""
        return self._client.read(
            Proposals, f"{self._root}/proposals", state=state, q=q, limit=limit, offset=offset
        )

    def proposal(self, id: str) -> ProposalView:
        """Return one entry that was learned, whatever was decided on it."""
        return self._client.read(ProposalView, self._at("proposals", id))

    def accept_proposal(self, id: str, was: str) -> ProposalView:
        """Say yes to what was learned, as it was read with that mark."""
        order = AcceptProposal(was=was)
        return self._client.act(ProposalView, self._at("proposals", id, "accept"), order)

    def reject_proposal(self, id: str) -> ProposalView:
        """Say no, or no longer."""
        return self._client.act(ProposalView, self._at("proposals", id, "reject"), {})

    def edit_proposal(self, id: str, order: EditProposal) -> ProposalView:
        """Change what was learned; it waits for a yes again."""
        return self._client.act(ProposalView, self._at("proposals", id, "edit"), order)

    def undo_proposal(self, id: str) -> ProposalView:
        """Take the newest decision on it back."""
        return self._client.act(ProposalView, self._at("proposals", id, "undo"), {})
