"""Tools by which an agent proposes knowledge and words a note about a contact.

Each call waits for the yes of who asked, who sees the words. A proposal is no knowledge before
somebody who may teach has accepted it; a note says through which agent it was written.
"""

from typing import Annotated

from pydantic import Field, StringConstraints

from data.errors import NotFoundError
from data.records.core.learning import LearnedOrigin, Proposed
from data.records.core.principals import Permission
from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    OWN,
    Effect,
    Item,
    Label,
    Source,
    ToolDeclaration,
    ToolResult,
    Trust,
)
from data.store.mail import contact_cards
from flows.core.acting import Act, carry_out
from flows.core.tools import Calling, Tool
from flows.mail.knowing.proposing import add_proposal
from flows.mail.people.annotating import write_about_contact
from flows.mail.tools.contacts import GROUP, WhichContact
from flows.mail.tools.wording import say, subject_words
from tasks.core.language.lists import language_of
from tasks.core.leaks.sensitive import why_sensitive
from tasks.core.words.sentences import words

_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
_Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
_SEVERAL = 5


class ProposedEntry(Record):
    """What the organization is to know."""

    title: _Title
    text: _Words


class ContactNote(WhichContact):
    """What colleagues are to read about a contact."""

    text: Annotated[_Words, Field(description="The note, as colleagues read it.")]


async def _propose(calling: Calling, entry: ProposedEntry) -> ToolResult:
    if (refused := _find_refusal(calling, f"{entry.title}\n{entry.text}")) is not None:
        return refused
    agent = _agent(calling)
    order = Proposed(
        title=entry.title,
        body=entry.text,
        language=language_of(entry.text),
        origin=LearnedOrigin.AGENT,
    )

    def work(act: Act) -> str | None:
        source = f"proposed through {agent}"
        identity = add_proposal(act.cursor, order, source=source, user=act.actor, now=act.now)
        if identity is not None:
            act.note("propose knowledge", f"knowledge:{identity}", entry.title)
        return identity

    identity = await carry_out(calling.house, calling.workspace, calling.principal, work)
    if identity is None:
        return ToolResult(sentence=say(calling, "proposed_before"), refused=True)
    return ToolResult(sentence=say(calling, "proposed_knowledge", title=entry.title))


async def _note(calling: Calling, note: ContactNote) -> ToolResult:
    """Write a note where one contact alone is meant, and has a conversation with us."""
    if (refused := _find_refusal(calling, note.text)) is not None:
        return refused
    cards = await calling.workspace.db.read(
        contact_cards.list_named, words(note.name), limit=_SEVERAL
    )
    if len(cards) != 1:
        key = "note_for_several" if cards else "contacts_none"
        items = tuple(
            Item(
                title=card.name or card.email,
                source=Source(kind="contact", id=card.email, title=card.name or card.email),
            )
            for card in cards
        )
        return ToolResult(items=items, total=len(items), sentence=say(calling, key), refused=True)
    (card,) = cards
    name = card.name or card.email
    try:
        subject = await write_about_contact(
            calling.house, calling.workspace, card.email, note.text, calling.principal,
            _agent(calling),
        )  # fmt: skip
    except NotFoundError:
        return ToolResult(sentence=say(calling, "note_nowhere", name=name), refused=True)
    about = Source(kind="contact", id=card.email, title=name)
    subject = subject_words(calling, subject)
    sentence = say(calling, "note_kept", name=name, subject=subject)
    return ToolResult(sentence=sentence, about=(about,))


def _find_refusal(calling: Calling, text: str) -> ToolResult | None:
    """Return why something is never written down; None where it may be."""
    if not why_sensitive(text):
        return None
    return ToolResult(sentence=say(calling, "never_written"), refused=True)


def _agent(calling: Calling) -> str:
    return calling.occasion.agent if calling.occasion is not None else ""


def _declare(
    name: str, group: str, description: str, labels: frozenset[Label], permission: Permission
) -> ToolDeclaration:
    return ToolDeclaration(
        name=name,
        group=group,
        description=description,
        effect=Effect.REVERSIBLE,
        labels=labels,
        trust=Trust.STANDARD,
        permission=permission,
        approval=True,
    )


NOTING_TOOLS = (
    Tool(
        _declare(
            "propose_knowledge",
            "knowledge",
            "Proposes an entry of knowledge; it counts once somebody who may teach accepts it.",
            OWN,
            Permission.SEE,
        ),
        ProposedEntry,
        _propose,
    ),
    Tool(
        _declare(
            "note_about_contact",
            GROUP,
            "Writes a note for colleagues beside a contact's newest conversation.",
            OF_STRANGERS,
            Permission.DECIDE,
        ),
        ContactNote,
        _note,
    ),
)
