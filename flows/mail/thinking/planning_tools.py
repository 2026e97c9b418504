"""The tools of planning: a closed registry, typed, scoped to one case's contact, and labelled.

A scope is made by code from a case; no argument can widen it. A long result is cut, and nothing
here writes or reaches outside. `flows.mail.thinking.lookups` offers them to the model that plans.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from data.errors import NotFoundError
from data.records.core.accounts import CustomerFacts
from data.records.core.knowledge import HistoryEntry
from data.records.core.record import Record
from data.records.core.tools import (
    Effect,
    Label,
    ToolDeclaration,
    declare_lookup,
)
from data.records.mail.tools import (
    ContactFacts,
    FileName,
    FileText,
    KnownFact,
    KnownFacts,
    LikeTicket,
    LikeTickets,
    Nothing,
    Passage,
    Passages,
    ReplyTitle,
    ReplyTitles,
    WordQuery,
)
from data.store.core.database import Connection
from data.store.mail import cases, contacts, customers, threads, tickets
from flows.core.house import House
from flows.core.tools import Tool, Toolbox, ToolCallError
from flows.core.workspace import Workspace
from flows.mail.line.case_texts import as_history_entry
from flows.mail.line.customers import is_established
from flows.mail.line.earlier_messages import is_about_contact
from flows.mail.line.mail_line import mail_line_of
from flows.mail.people.documents import read_file_of_case
from flows.mail.thinking.line_agents import LineAgent
from tasks.core.asking.model_view import text_view
from tasks.core.words.sentences import terms
from tasks.mail.plan.duplicates import find_duplicates

FACTS, MESSAGES, TICKETS, CHARACTERS = 5, 5, 500, 1200
REPLIES, BEGINNING = 40, 160
"""Saved replies that are listed at most, and characters of each one's text."""


@dataclass(frozen=True)
class ToolScope:
    """Whose case it is; everything a tool sees belongs to it."""

    workspace: Workspace
    case_id: str
    thread_id: str
    contact_email: str
    now: datetime
    house: House | None = None
    """Who reads attachments; None where nobody does."""


class ToolAllowance(NamedTuple):
    """What the tools of an agent of the line may do."""

    labels: frozenset[Label]
    """What they may bring."""
    outside: bool
    """Whether they may have an effect outside."""

    def permits(self, declaration: ToolDeclaration) -> bool:
        """Return whether a tool that declares this of itself may be used."""
        outside = declaration.effect is Effect.OUTSIDE
        return declaration.labels <= self.labels and (self.outside or not outside)


BOTH = ToolAllowance(frozenset(Label), outside=False)


def allowed_to(agent: LineAgent[object]) -> ToolAllowance | None:
    """Return what tools of an agent of the line may do; None for one that is offered none.

    Who reads private data and untrusted words may have no effect outside: a mail could talk it
    into telling the one to whoever wrote the other. Only the planner is offered any.
    """
    if not agent.looks_up:
        return None
    return ToolAllowance(agent.holds, outside=not agent.holds >= frozenset(Label))


async def call(
    scope: ToolScope, name: str, arguments: Mapping[str, object], allowed: ToolAllowance = BOTH
) -> Record:
    """Call a tool by name; its result is of the type that the registry says.

    Raises:
        ToolCallError: there is no such tool, it does more than is `allowed`, or the arguments
            are not its own.

    """
    if not allowed.permits(TOOLS.read_declaration(name)):
        raise ToolCallError(f"what the tool {name!r} brings or does is not allowed here")
    return await TOOLS.call(scope, name, arguments)


async def _lookup_contact(scope: ToolScope, _arguments: Nothing) -> ContactFacts:
    return await scope.workspace.db.read(_contact, scope)


def _contact(cursor: Connection, scope: ToolScope) -> ContactFacts:
    email = scope.contact_email
    row = contacts.find_by_address(cursor, email)
    if row is None:
        raise NotFoundError(f"{email!r} is no contact")
    cases_in_all, open_tickets = cases.count_of_contact(cursor, email)
    customer_facts = CustomerFacts()
    if is_established(cursor, scope.workspace, cases.read_row(cursor, scope.case_id)):
        customer_facts = customers.read_facts(cursor, [email]).get(email, customer_facts)
    return ContactFacts(
        email=row.email,
        name=row.name,
        company=row.company,
        language=row.language,
        first_seen_at=row.first_seen_at,
        cases=cases_in_all,
        open_tickets=open_tickets,
        plan=customer_facts.plan,
        notes=customer_facts.notes,
        accounts=customer_facts.accounts,
    )


async def _search_knowledge(scope: ToolScope, word_query: WordQuery) -> KnownFacts:
    (hits,) = await scope.workspace.knowledge.search(
        [word_query.words], limit=FACTS, today=scope.workspace.organization.day(scope.now)
    )
    return KnownFacts(
        found=tuple(
            KnownFact(
                ref=f"knowledge:{entry.id}",
                title=entry.title,
                text=entry.body[:CHARACTERS],
                language=entry.language,
            )
            for entry, _ in hits
            if entry.public and entry.trusted
        )
    )


async def _search_thread(scope: ToolScope, word_query: WordQuery) -> Passages:
    entries_found = await scope.workspace.db.read(threads.list_earlier, [scope.thread_id], [], 0)
    terms_wanted = set(terms(word_query.words))
    entries = [
        as_history_entry(row) for row in entries_found if is_about_contact(row, scope.contact_email)
    ]
    return Passages(
        found=tuple(_passage(entry) for entry in entries if _holds(entry, terms_wanted))[:MESSAGES]
    )


def _holds(entry: HistoryEntry, wanted_terms: set[str]) -> bool:
    return bool(wanted_terms & set(terms(f"{entry.subject} {entry.text}")))


def _passage(entry: HistoryEntry) -> Passage:
    return Passage(
        ref=entry.ref,
        outbound=entry.outbound,
        at=entry.at,
        subject=text_view(entry.subject, 200),
        text=text_view(entry.text, CHARACTERS),
    )


async def _find_duplicate_tickets(scope: ToolScope, word_query: WordQuery) -> LikeTickets:
    tickets_known = await scope.workspace.db.read(tickets.list_open, TICKETS)
    numbers = {ticket.id: ticket.number for ticket in tickets_known}
    alike = find_duplicates(
        word_query.words,
        [(ticket.id, f"{ticket.title}. {ticket.text}") for ticket in tickets_known],
    )
    return LikeTickets(
        found=tuple(
            LikeTicket(id=likeness.id, number=numbers[likeness.id], likeness=likeness.likeness)
            for likeness in alike
        )
    )


async def _list_saved_replies(scope: ToolScope, _arguments: Nothing) -> ReplyTitles:
    saved_replies = mail_line_of(scope.workspace).saved_replies
    return ReplyTitles(
        found=tuple(
            ReplyTitle(
                id=saved_reply.id,
                title=saved_reply.title[:BEGINNING],
                language=saved_reply.language,
                intent=saved_reply.intent,
                categories=saved_reply.categories,
                begins=" ".join(saved_reply.body[: 2 * BEGINNING].split())[:BEGINNING],
            )
            for saved_reply in saved_replies[:REPLIES]
        ),
        left_off=max(0, len(saved_replies) - REPLIES),
    )


async def _read_attachment(scope: ToolScope, file_name: FileName) -> FileText:
    if scope.house is None:
        return FileText(trouble="Attachments are not read here.")
    return await read_file_of_case(scope.house, scope.workspace, scope.case_id, file_name.words)


def _tool(
    name: str,
    tells: str,
    takes: type[Record],
    gives: type[Record],
    labels: frozenset[Label],
    work: Callable[[ToolScope, Any], Awaitable[Record]],
) -> Tool[ToolScope, Record]:
    """Return a tool of planning: it reads, and needs no person."""
    return Tool(declare_lookup(name, "planning", tells, labels), takes, work, gives)


_PRIVATE, _EVERY = frozenset({Label.PRIVATE}), frozenset(Label)

TOOLS: Toolbox[ToolScope, Record] = Toolbox(
    (
        _tool(
            "lookup_contact", "Who writes, how often; if established, plan and account.",
            Nothing, ContactFacts, _EVERY, _lookup_contact,
        ),
        _tool(
            "search_knowledge", "Public entries that the organization vouches for.",
            WordQuery, KnownFacts, _PRIVATE, _search_knowledge,
        ),
        _tool(
            "search_thread", "Messages of this conversation that hold the words.",
            WordQuery, Passages, _EVERY, _search_thread,
        ),
        _tool(
            "find_duplicate_tickets", "Open tickets that may be about the same.",
            WordQuery, LikeTickets, _PRIVATE, _find_duplicate_tickets,
        ),
        _tool(
            "list_saved_replies", "The templates that people wrote: what for, and how they begin.",
            Nothing, ReplyTitles, _PRIVATE, _list_saved_replies,
        ),
        _tool(
            "read_attachment", "Text of a file that came with this case, by its name.",
            FileName, FileText, _EVERY, _read_attachment,
        ),
    )
)  # fmt: skip
"""Every tool by its name; none has an effect outside."""
