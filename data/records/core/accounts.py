"""The facts that an organization has of a customer: its own notes, the plan, account records."""

from datetime import date

from data.records.core.record import Record


class Account(Record):
    """One account of a contact, as the organization's own system tells it."""

    id: str
    """Address and number together; stable."""
    email: str
    """The contact's address, lower-cased."""
    account: str = ""
    """Its number or name; empty where a contact has one account only."""
    plan: str = ""
    status: str = ""
    """In the organization's words: `active`, `overdue`."""
    renewal: date | None = None
    """The day on which it renews."""
    balance: str = ""
    """What is owed, as the organization writes it: `120.00 EUR`; below 0 it is a credit."""
    orders: str = ""
    """Open orders, as the organization writes them."""


class CustomerFacts(Record):
    """What is known of one contact, for the organization's own eyes."""

    company: str = ""
    plan: str = ""
    """The plan or account that `contacts.csv` names."""
    notes: str = ""
    accounts: tuple[Account, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is known."""
        return not (self.company or self.plan or self.notes or self.accounts)
