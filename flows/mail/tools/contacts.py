"""Tools over contacts: who somebody is, what they have with us, and who waits for an answer."""

from typing import Literal, Self

from pydantic import Field, model_validator

from data.records.core.accounts import CustomerFacts
from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    Fact,
    Item,
    Source,
    ToolResult,
    declare_lookup,
)
from data.store.core.database import Connection
from data.store.mail import contact_cards, customers
from data.store.mail.contact_cards import CardRow
from flows.core.tools import Calling, Tool
from flows.mail.tools.durations import lasting
from flows.mail.tools.wording import say_count, subject_words
from tasks.core.words.sentences import is_stop_word, words

GROUP = "contacts"
_SHOWN = 10
_NAMED = 5
_JOINTS = frozenset({"and", "und", "et", "y", "n"})


class WhichContact(Record):
    """A contact by name, company or address."""

    name: str = Field(min_length=1, max_length=300)


class ContactQuestion(Record):
    """Which contact, and what is asked of them."""

    name: str = Field(default="", max_length=300, description="name, company or address")
    asked: Literal["", "phone", "place", "owing"] = Field(
        default="",
        description="`phone` for a phone number, `place` for whoever is in a company or a town or "
        "on a plan, `owing` without a name for all whose account is not settled",
    )

    @model_validator(mode="after")
    def _names_somebody(self) -> Self:
        if not self.name.strip() and self.asked != "owing":
            raise ValueError("name somebody, a company, a town or an address")
        return self


class Everybody(Record):
    """Nothing is to be said."""


_SENTENCE = {"": "contacts", "phone": "contacts_phone", "place": "contacts_at"}
"""What is said of contacts, by what was asked of them."""


async def _find_contacts(calling: Calling, order: ContactQuestion) -> ToolResult:
    if order.asked == "owing":
        return await _who_owes(calling)
    in_place = order.asked == "place"

    def read(cursor: Connection) -> tuple[list[CardRow], dict[str, CustomerFacts], str, bool]:
        besides, alike = "", False
        cards = cards_called(cursor, order.name, limit=_SHOWN, noted=in_place)
        if not cards:
            head, besides = _split_name(order.name)
            cards = cards_called(cursor, head, limit=_SHOWN, noted=in_place)
        if not cards:
            cards, alike = contact_cards.list_alike(cursor, words(order.name), limit=_NAMED), True
        cards = cards if in_place else cards[:_NAMED]
        return cards, customers.read_facts(cursor, [card.email for card in cards]), besides, alike

    cards, cards_known, besides, alike = await calling.workspace.db.read(read)
    sentence = say_count(calling, _SENTENCE[order.asked], len(cards))
    if cards and alike:
        sentence = say_count(calling, "contacts_alike", len(cards))
    if not cards:
        return ToolResult(sentence=sentence, refused=True)
    items = tuple(card_item(card, cards_known.get(card.email, CustomerFacts())) for card in cards)
    unanswered = (besides,) if besides else ()
    return ToolResult(items=items, total=len(items), sentence=sentence, unanswered=unanswered)


def cards_called(
    cursor: Connection, name: str, *, limit: int, noted: bool = False
) -> list[CardRow]:
    """Return the contacts that a name means, in the genitive too: *priyas mail*."""
    name_words = words(name)
    cards = contact_cards.list_named(cursor, name_words, limit=limit, noted=noted)
    if not cards and name_words and name_words[-1].endswith("s"):
        bare = [*name_words[:-1], name_words[-1].removesuffix("s").removesuffix("'")]
        cards = contact_cards.list_named(cursor, bare, limit=limit, noted=noted)
    leading = [word for word in name_words if not is_stop_word(word)]
    if not cards and leading != name_words:  # *Gareth at the Steamworks*
        cards = contact_cards.list_named(cursor, leading, limit=limit, noted=noted)
    return cards


def _split_name(name: str) -> tuple[str, str]:
    """Return what stands before a word that joins, and what behind: *Ana and does she owe us*."""
    runs = name.split()
    at = next((place for place, run in enumerate(runs) if run.lower() in _JOINTS), len(runs))
    return (" ".join(runs[:at]), " ".join(runs[at + 1 :])) if at < len(runs) else ("", "")


async def _who_owes(calling: Calling) -> ToolResult:
    """List the contacts with an account that is not settled, as its balance or its state says."""

    def read(cursor: Connection) -> tuple[list[CardRow], dict[str, CustomerFacts]]:
        emails = customers.list_owing(cursor)
        cards = [contact_cards.find_by_address(cursor, email) for email in emails]
        return [card for card in cards if card is not None], customers.read_facts(cursor, emails)

    cards, facts_by_email = await calling.workspace.db.read(read)
    shown = [card_item(card, facts_by_email[card.email]) for card in cards[:_SHOWN]]
    sentence = say_count(calling, "contacts_owing", len(cards))
    return ToolResult(items=tuple(shown), total=len(cards), sentence=sentence)


def card_item(card: CardRow, customer_facts: CustomerFacts) -> Item:
    """Return who a contact is."""
    facts = [
        Fact(name="address", value=card.email),
        Fact(name="company", value=card.company),
        Fact(name="language", value=card.language),
        Fact(name="plan", value=card.plan or ""),
        Fact(name="notes", value=card.notes),
    ]
    for account in customer_facts.accounts:
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
    title = card.name or card.email
    return Item(
        title=title,
        facts=tuple(fact for fact in facts if fact.value),
        source=Source(kind="contact", id=card.email, title=title),
    )


async def _follow_ups(calling: Calling, _: Everybody) -> ToolResult:
    listed, total = await calling.workspace.db.read(
        contact_cards.list_waiting_contacts, limit=_SHOWN
    )
    sentence = say_count(calling, "follow_ups", total)
    if not total:
        return ToolResult(sentence=sentence)
    now = calling.house.clock()
    items = tuple(
        Item(
            title=row.name or row.email,
            facts=(
                Fact(name="waits for", value=lasting(now - row.since)),
                Fact(name="cases", value=str(row.waiting)),
                Fact(name="about", value=subject_words(calling, row.subject)),
            ),
            source=Source(kind="case", id=row.case_id, title=subject_words(calling, row.subject)),
        )
        for row in listed
    )
    return ToolResult(items=items, total=total, sentence=sentence)


CONTACT_TOOLS = (
    Tool(
        declare_lookup(
            "find_contacts",
            GROUP,
            "Tells who a contact is, with address, plan, account and open cases, who is where, and "
            "who owes something.",
            OF_STRANGERS,
        ),
        ContactQuestion,
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
