"""A tool over the contact that a chat is about: who it is, what waits, and what we promised."""

from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from data.records.core.accounts import CustomerFacts
from data.records.core.record import Record
from data.records.core.tools import OF_STRANGERS, Fact, Item, Source, ToolResult, declare_lookup
from data.store.core.database import Connection
from data.store.mail import contact_cards, customers, promises
from data.store.mail.cases import CaseRow
from data.store.mail.contact_cards import CardRow
from data.store.mail.promises import PromiseRow
from flows.core.tools import Calling, Tool
from flows.mail.tools.contacts import GROUP, card_item
from flows.mail.tools.durations import lasting
from flows.mail.tools.promised import promise_items
from flows.mail.tools.wording import say, say_count, subject_words

_CASES, _PROMISES = 10, 10


class ContactPart(StrEnum):
    """What can be asked of a contact."""

    ALL = "all"
    SENDER = "sender"
    PROMISES = "promises"


class AboutContact(Record):
    """A part of what is known of the contact."""

    part: ContactPart = Field(
        default=ContactPart.ALL, description="`all`, `sender` for who it is, `promises`"
    )


class _Known(NamedTuple):
    """What is known of a contact."""

    card: CardRow
    customer: CustomerFacts
    waiting: list[CaseRow]
    promised: list[PromiseRow]
    promised_in_all: int


async def _this_contact(calling: Calling, about_contact: AboutContact) -> ToolResult:
    address = calling.occasion.about_a("contact") if calling.occasion is not None else ""
    contact_known = await calling.workspace.db.read(_read_contact, calling, address)
    if contact_known is None:
        return ToolResult(sentence=say(calling, "contact_gone"), refused=True)
    promised = promise_items(contact_known.promised)
    if about_contact.part is ContactPart.PROMISES:
        sentence = say_count(calling, "case_promises", contact_known.promised_in_all)
        return ToolResult(items=promised, total=contact_known.promised_in_all, sentence=sentence)
    items = [card_item(contact_known.card, contact_known.customer)]
    if about_contact.part is ContactPart.ALL:
        items += [_waiting(calling, row) for row in contact_known.waiting]
        items += [
            item.model_copy(update={"title": f"We promised: {item.title}"}) for item in promised
        ]
    return ToolResult(items=tuple(items), total=len(items), sentence=say(calling, "contact_is"))


def _read_contact(cursor: Connection, calling: Calling, address: str) -> _Known | None:
    card = contact_cards.find_by_address(cursor, address)
    if card is None:
        return None
    today = calling.workspace.organization.day(calling.house.clock())
    waiting, _ = contact_cards.list_waiting_cases(cursor, [card], limit=_CASES)
    promised, promised_in_all = promises.list_unkept(
        cursor, card.email, today=today, limit=_PROMISES
    )
    return _Known(
        card=card,
        customer=customers.read_facts(cursor, [card.email]).get(card.email, CustomerFacts()),
        waiting=waiting,
        promised=promised,
        promised_in_all=promised_in_all,
    )


def _waiting(calling: Calling, row: CaseRow) -> Item:
    """Return a case of the contact that waits for a person."""
    title = subject_words(calling, row.subject)
    waits = lasting(calling.house.clock() - row.received_at)
    return Item(
        title=title,
        facts=(Fact(name="waits for", value=waits),),
        source=Source(kind="case", id=row.id, title=title),
    )


THIS_CONTACT_TOOLS = (
    Tool(
        declare_lookup(
            "this_contact",
            GROUP,
            "Tells of the contact that this chat is about: who it is, what waits, our promises.",
            OF_STRANGERS,
            about="contact",
        ),
        AboutContact,
        _this_contact,
    ),
)
