"""Tools over contacts: who somebody is, what they have with us, and who waits for an answer."""

from pydantic import Field

from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    Fact,
    Item,
    Source,
    ToolResult,
    declare_lookup,
)
from data.records.mail.accounts import CustomerFacts
from data.store.core.database import Connection
from data.store.mail import contact_cards, customers
from data.store.mail.contact_cards import CardRow
from flows.core.tools import Calling, Tool
from flows.mail.tools.lasting import lasting
from tasks.words.sentences import words

GROUP = "contacts"
_SHOWN = 10
_NAMED = 5


class WhichContact(Record):
    """A contact by name, company or address."""

    name: str = Field(min_length=1, max_length=300)


class Everybody(Record):
    """Nothing is to be said."""


async def _find_contacts(calling: Calling, given: WhichContact) -> ToolResult:
    def read(cursor: Connection) -> tuple[list[CardRow], dict[str, CustomerFacts]]:
        cards = contact_cards.called(cursor, words(given.name), limit=_NAMED)
        return cards, customers.facts_of(cursor, [card.email for card in cards])

    cards, known = await calling.workspace.db.read(read)
    if not cards:
        return ToolResult(sentence="No contact of ours has that name.", refused=True)
    items = tuple(_card(card, known.get(card.email, CustomerFacts())) for card in cards)
    count = "One contact has" if len(items) == 1 else f"{len(items)} contacts have"
    return ToolResult(items=items, total=len(items), sentence=f"{count} that name:")


def _card(card: CardRow, known: CustomerFacts) -> Item:
    facts = [
        Fact(name="address", value=card.email),
        Fact(name="company", value=card.company),
        Fact(name="language", value=card.language),
        Fact(name="plan", value=card.plan or ""),
        Fact(name="notes", value=card.notes),
    ]
    for account in known.accounts:
        renewal = account.renewal.isoformat() if account.renewal else ""
        facts += [
            Fact(name="account", value=f"{account.account} {account.plan}".strip()),
            Fact(name="status", value=account.status),
            Fact(name="renewal", value=renewal),
            Fact(name="balance", value=account.balance),
            Fact(name="orders", value=account.orders),
        ]
    if card.waiting:
        facts.append(Fact(name="cases that wait", value=str(card.waiting)))
    if card.blocked:
        facts.append(Fact(name="blocked", value="yes"))
    return Item(title=card.name or card.email, facts=tuple(fact for fact in facts if fact.value))


async def _follow_ups(calling: Calling, _: Everybody) -> ToolResult:
    listed, total = await calling.workspace.db.read(contact_cards.waiting_by_contact, limit=_SHOWN)
    if not total:
        return ToolResult(sentence="Nobody waits for an answer: the queue is empty.")
    now = calling.house.clock()
    items = tuple(
        Item(
            title=row.name or row.email,
            facts=(
                Fact(name="waits for", value=lasting(now - row.since)),
                Fact(name="cases", value=str(row.waiting)),
                Fact(name="about", value=row.subject or "(no subject)"),
            ),
            source=Source(kind="case", id=row.case_id, title=row.subject or "(no subject)"),
        )
        for row in listed
    )
    count = "One person waits" if total == 1 else f"{total} people wait"
    return ToolResult(
        items=items, total=total, sentence=f"{count} for an answer, the longest first:"
    )


CONTACT_TOOLS = (
    Tool(
        declare_lookup(
            "find_contacts",
            GROUP,
            "Tells who a contact is, with plan, account and open cases.",
            OF_STRANGERS,
        ),
        WhichContact,
        _find_contacts,
    ),
    Tool(
        declare_lookup(
            "follow_ups",
            GROUP,
            "Lists who waits for an answer of ours, the longest first.",
            OF_STRANGERS,
        ),
        Everybody,
        _follow_ups,
    ),
)
