"""The organization's facts for the screen of a message: on senders, on spam, on links."""

from pydantic import Field

from data.records.core.filters import FilterVerdict
from data.records.core.record import Record
from data.records.core.reputation import Opinion
from tasks.core.screen.bayes import BayesOpinion

NEVER_EXCUSED = frozenset(
    {"blocked_sender", "lookalike_domain", "sender_mismatch", "unreadable_content"}
)
"""Rules about whether the sender is who it seems: an allowance, which goes by the sender, would
answer the question with itself. A block is taken back instead."""


class Allowance(Record):
    """A person said that a rule is wrong about a sender; holds for one organization only."""

    rule: str
    """The rule's name."""
    sender: str
    """The address, or `@domain` for all of a domain; compared without case."""


class KnownSenders(Record):
    """Who may be imitated, who is blocked, and what a person has allowed."""

    organization_domains: tuple[str, ...] = ()
    """Domains the organization receives mail under."""
    contact_domains: tuple[str, ...] = ()
    """Domains of its contacts; free mail providers left out by whoever fills this."""
    blocked_addresses: tuple[str, ...] = ()
    """Addresses a person blocked."""
    blocked_domains: tuple[str, ...] = ()
    """Domains a person blocked, subdomains included."""
    allowances: tuple[Allowance, ...] = ()
    """Rules that do not count for a sender."""
    first_time: bool = Field(default=False)
    """Whether nothing was ever received from this sender before."""
    learned: BayesOpinion | None = None
    """What a person's examples say about this message; None before there are any."""
    opinions: tuple[Opinion, ...] = ()
    """What a reputation service says about its links."""
    filters: tuple[FilterVerdict, ...] = ()
    """What spam filters of others say about it."""
    reputation_failed: bool = False
    """Whether the service could not be asked, and the setting says that this is suspicious."""

    def allowed_markers(self, sender: str, beginning: str) -> frozenset[str]:
        """Return what allowances named `beginning` and a marker excuse for address `sender`."""
        address = sender.casefold()
        return frozenset(
            allowance.rule.removeprefix(beginning)
            for allowance in self.allowances
            if allowance.rule.startswith(beginning) and allowance.sender.casefold() == address
        )

    def allowed_rules(self, sender: str) -> frozenset[str]:
        """Return the names of rules that do not count for address `sender`."""
        address = sender.casefold()
        domain = "@" + address.rpartition("@")[2]
        return (
            frozenset(
                allowance.rule
                for allowance in self.allowances
                if allowance.sender.casefold() in (address, domain)
            )
            - NEVER_EXCUSED
        )
