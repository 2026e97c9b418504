"""Contacts with what is known of them, as somebody asks for it: by name, company or address."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import RowPage, first, records, table_page
from data.store.mail.cases import CaseRow


class CardRow(NamedTuple):
    """What is known of a contact."""

    id: str
    email: str
    """Empty where nobody knows whose mail it was; each such contact is one of its own."""
    name: str
    company: str
    language: str
    plan: str
    notes: str
    blocked: bool
    first_seen_at: datetime
    waiting: int
    """How many of the contact's cases wait for a person."""


class WaitingContactRow(NamedTuple):
    """A contact whose cases wait for a person; subject and case are those of the oldest."""

    name: str
    email: str
    waiting: int
    since: datetime
    subject: str
    case_id: str
    total: int
    """How many contacts there are whose cases wait."""


_WAITS = "state IN ('in_review', 'escalated', 'failed')"
"""Condition on a case: it waits for a person."""
_CARDS = (
    "SELECT c.id, c.email, c.name, c.company, c.language, c.plan, c.notes, c.blocked, "
    "c.first_seen_at, "
    f"(SELECT count(*) FROM cases k WHERE k.contact_id = c.id AND k.{_WAITS}) AS waiting "
    "FROM contacts c"
)
"""Selects contacts, `c`, as `CardRow` has them."""
_FOLDED = "strip_accents(lower({}))"
"""A text in lower case and without accents."""
_SPACED = r"chr(32) || regexp_replace({}, '[^\pL\pM\pN]+', ' ', 'g')"
"""A text with a space before it, and in the place of whatever is no letter and no digit."""
_NO_SPACES = 0x3000
"""From here on are letters of writing that does not part words."""
_NAMED = "c.name || chr(32) || c.company"
"""What a contact is called."""
_CALLED = f"{_NAMED} || chr(32) || c.email"
"""What a contact is called, and the address."""


def list_named(
    cursor: Connection, words: Sequence[str], *, limit: int, noted: bool = False
) -> list[CardRow]:
    """Return the contacts whose name, company and address hold all these words.

    `words` are lower-case and without accents; `noted` looks in the notes as well. One of less than
    five letters stands where a word begins: *her* is none of *Dolmetscherin*. In writing without
    spaces it stands anywhere.
    """
    folded = _FOLDED.format(f"{_CALLED} || chr(32) || c.notes" if noted else _CALLED)
    where = _SPACED.format(folded)
    within = f"(length(word) >= 5 OR unicode(word) >= {_NO_SPACES}) AND contains({where}, word)"
    if not words:
        return []
    return records(
        cursor,
        CardRow,
        f"{_CARDS} WHERE (SELECT bool_and(contains({where}, chr(32) || word) OR {within}) FROM "
        "(SELECT unnest(?::VARCHAR[]) AS word)) ORDER BY c.name, c.email LIMIT ?",
        [[word.replace("'", " ") for word in words], limit],
    )


def list_alike(cursor: Connection, words: Sequence[str], *, limit: int) -> list[CardRow]:
    """Return the contacts in whose name and company each of these words stands, or one like it.

    Of a word of five letters and more one letter may be wrong, missing, too many, or two changed
    about. `words` are lower-case and without accents.
    """
    parts = f"string_split({_SPACED.format(_FOLDED.format(_NAMED))}, ' ')"
    near = "damerau_levenshtein(part, word) <= (length(word) >= 5)::INTEGER"
    return records(
        cursor,
        CardRow,
        f"{_CARDS} WHERE (SELECT bool_and(len(list_filter({parts}, lambda part: {near})) > 0) "
        "FROM (SELECT unnest(?::VARCHAR[]) AS word)) ORDER BY c.name, c.email LIMIT ?",
        [[part for word in words for part in word.split("'") if part], limit],
    )


def find_by_address(cursor: Connection, email: str) -> CardRow | None:
    """Return what is known of the contact of an address; None where there is none of it."""
    if not email:
        return None
    return next(iter(records(cursor, CardRow, f"{_CARDS} WHERE c.email = ?", [email])), None)


def list_waiting_contacts(cursor: Connection, *, limit: int) -> RowPage[WaitingContactRow]:
    """Return contacts whose cases wait for a person, and how many there are.

    Who has waited longest comes first.
    """
    listed = records(
        cursor,
        WaitingContactRow,
        "SELECT arg_min(contact_name, received_at) AS name, "
        "arg_min(contact_email, received_at) AS email, "
        "count(*) AS waiting, min(received_at) AS since, arg_min(subject, received_at) AS subject, "
        "arg_min(id, received_at) AS case_id, count(*) OVER () AS total FROM cases "
        f"WHERE {_WAITS} GROUP BY contact_id ORDER BY since, contact_id LIMIT ?",
        [limit],
    )
    return RowPage(listed, listed[0].total if listed else 0)


def list_waiting_cases(
    cursor: Connection,
    cards: Sequence[CardRow],
    *,
    limit: int,
    came: tuple[datetime, datetime] | None = None,
) -> RowPage[CaseRow]:
    """Return those cases of contacts that wait for a person, the oldest first, and how many.

    `came` takes only those that came from its first moment on and before its second.
    """
    within = " AND received_at >= ? AND received_at < ?" if came is not None else ""
    return table_page(
        cursor,
        CaseRow,
        "cases",
        f"{_WAITS} AND contact_id IN (SELECT unnest(?)){within}",
        order="received_at, id",
        parameters=[[card.id for card in cards], *(came or ())],
        limit=limit,
        offset=0,
    )


def find_newest_draft(cursor: Connection, case_id: str) -> str | None:
    """Return the newest draft of a case as JSON; None where it has none."""
    newest = first(
        cursor,
        "SELECT draft FROM drafts WHERE case_id = ? ORDER BY revision DESC LIMIT 1",
        [case_id],
    )
    return str(newest[0]) if newest else None
