"""What the organization knows about senders when a message is screened."""

from pydantic import Field

from data.records.record import Record


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

    def allowed_rules(self, sender: str) -> frozenset[str]:
        """Return the names of rules that do not count for address `sender`."""
        address = sender.casefold()
        domain = "@" + address.rpartition("@")[2]
        return frozenset(
            allowance.rule
            for allowance in self.allowances
            if allowance.sender.casefold() in (address, domain)
        )
