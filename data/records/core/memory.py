"""An organization's allowances, blocks, spam counts and saved replies, for trying a message."""

from pydantic import Field

from data.records.core.knowledge import SavedReply
from data.records.core.organization import Policy
from data.records.core.record import Record


class LearnedFromMail(Record):
    """Everything that screening and understanding have learned, in one piece to be read only."""

    read_from: str = ""
    """Where it comes from, in words; empty before somebody says so."""
    allowances: tuple[tuple[str, str], ...] = ()
    """Rule and sender."""
    blocked_addresses: tuple[str, ...] = ()
    blocked_domains: tuple[str, ...] = ()
    contact_domains: tuple[str, ...] = ()
    """Free mail providers left out."""
    spam: int = 0
    """Messages that people called spam."""
    ham: int = 0
    """Messages that they called wanted."""
    counts: dict[int, tuple[int, int]] = Field(default_factory=dict)
    """In how many of either each token stood."""
    training: str = ""
    """Id of the training in use that came of people's corrections; empty when none is."""
    layer: str = ""
    """What it learned, base64."""
    saved_replies: tuple[SavedReply, ...] = ()
    """Those that are kept in the window; files are read as they are."""
    policy: Policy | None = None
    """The policy where it is kept in the window; None where the file counts."""

    @property
    def used(self) -> dict[str, object]:
        """What of it a trial uses, for the answer."""
        return {
            "read_from": self.read_from,
            "allowances": len(self.allowances),
            "blocks": len(self.blocked_addresses) + len(self.blocked_domains),
            "spam_examples": self.spam,
            "wanted_examples": self.ham,
            "corrections": self.training or None,
            "saved_replies": len(self.saved_replies),
        }
