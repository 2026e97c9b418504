"""Notes for colleagues: they stay inside, and whom they name is told.

Nothing that drafts, plans or answers reads them, and no model is told of them.
"""

from data.errors import ForbiddenError, NotFoundError
from data.ids import new_id
from data.records.core.principals import Permission, Principal
from data.records.mail.notes import WriteNote
from data.store.core import users
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import cases, notes, pages, threads
from data.store.mail.notes import NoteRow
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.words.mentions import Colleague, find_mentions


async def write_on_case(
    house: House, workspace: Workspace, case_id: str, order: WriteNote, principal: Principal
) -> None:
    """Keep a note on a case; whoever has the case open sees it before deciding.

    Raises:
        NotFoundError: there is no such case, or it names somebody who is not known.

    """
    colleagues = await whom_it_tells(house, workspace, order.text)

    def work(act: Act) -> None:
        add_on_case(act, case_id, order.text, colleagues)
        cases.advance_versions(act.cursor, [case_id], act.now)
        act.note("write note", f"case:{case_id}", names_of(colleagues))

    await carry_out(house, workspace, principal, work)


async def write_on_thread(
    house: House, workspace: Workspace, thread_id: str, order: WriteNote, principal: Principal
) -> None:
    """Keep a note on a conversation.

    Raises:
        NotFoundError: there is no such conversation, or it names somebody who is not known.

    """
    colleagues = await whom_it_tells(house, workspace, order.text)

    def work(act: Act) -> None:
        row = pages.read_conversation(act.cursor, thread_id)
        _add(act, row.id, "", order.text, colleagues)
        _tell(act, row.id, row.subject, colleagues)
        open_cases = cases.list_unsettled_in_threads(act.cursor, [row.id])
        cases.advance_versions(act.cursor, [case.id for case in open_cases], act.now)
        act.note("write note", f"thread:{row.id}", names_of(colleagues))

    await carry_out(house, workspace, principal, work)


async def write_about_contact(
    house: House, workspace: Workspace, address: str, text: str, principal: Principal, agent: str
) -> str:
    """Keep a note that an agent worded beside a contact's newest conversation; return its subject.

    It is the note of the person who said yes to it, and says which agent worded it; it tells
    nobody, whatever names are in it.

    Raises:
        NotFoundError: there is no conversation with this contact.

    """

    def work(act: Act) -> str:
        row = threads.find_newest(act.cursor, address)
        if row is None:
            raise NotFoundError(f"there is no conversation with {address} to keep a note beside")
        by = f"{principal.name}, through {agent}"
        note = NoteRow(new_id(act.now), row.id, "", text, [], principal.id, by, act.now)
        notes.add(act.cursor, note)
        open_cases = cases.list_unsettled_in_threads(act.cursor, [row.id])
        cases.advance_versions(act.cursor, [case.id for case in open_cases], act.now)
        act.note("write note", f"thread:{row.id}", f"through {agent}")
        return row.subject

    return await carry_out(house, workspace, principal, work)


async def remove(house: House, workspace: Workspace, note_id: str, principal: Principal) -> NoteRow:
    """Take a note away that one has written, and return it.

    Raises:
        NotFoundError: there is no such note.
        ForbiddenError: somebody else wrote it.

    """

    def work(act: Act) -> NoteRow:
        row = notes.read_note(act.cursor, note_id)
        if row.author_id != principal.id and not principal.may(Permission.ADMINISTER):
            raise ForbiddenError(f"{row.written_by} wrote this note; only its writer removes it")
        notes.remove(act.cursor, note_id)
        if row.case_id:
            cases.advance_versions(act.cursor, [row.case_id], act.now)
        where = f"case:{row.case_id}" if row.case_id else f"thread:{row.thread_id}"
        act.note("remove note", where)
        return row

    return await carry_out(house, workspace, principal, work)


async def whom_it_tells(house: House, workspace: Workspace, text: str) -> tuple[Colleague, ...]:
    """Return whom a note names.

    Raises:
        NotFoundError: a name after `@` is nobody's, or that of several.

    """
    everybody = await house.control.read(list_colleagues, workspace.slug)
    mentions = find_mentions(text, everybody)
    if mentions.unclear:
        names = ", ".join(f"@{colleague.name}" for colleague in everybody if colleague.name)
        raise NotFoundError(
            f"@{mentions.unclear[0]} names nobody here, or more than one; there is {names}. Write "
            "the name out, or leave the @ away"
        )
    return mentions.colleagues


def add_on_case(act: Act, case_id: str, text: str, colleagues: tuple[Colleague, ...]) -> None:
    """Keep a note on a case, in the open transaction, and tell whom it names.

    Raises:
        NotFoundError: there is no such case.

    """
    case = cases.read_row(act.cursor, case_id)
    _add(act, case.thread_id, case_id, text, colleagues)
    _tell(act, case_id, case.subject, colleagues)


def names_of(colleagues: tuple[Colleague, ...]) -> str:
    """Return what the audit log says of whom a note tells; nothing of what it says."""
    return f"tells {', '.join(colleague.name for colleague in colleagues)}" if colleagues else ""


def _add(
    act: Act, thread_id: str, case_id: str, text: str, colleagues: tuple[Colleague, ...]
) -> None:
    names = [colleague.name or colleague.email for colleague in colleagues]
    by = act.principal
    note = NoteRow(new_id(act.now), thread_id, case_id, text, names, by.id, by.name, act.now)
    notes.add(act.cursor, note)


def _tell(act: Act, subject_id: str, subject: str, colleagues: tuple[Colleague, ...]) -> None:
    mine = {act.principal.email, f"user:{act.principal.id}"}
    for colleague in colleagues:
        if colleague.key not in mine:
            sentence = f"{act.actor} mentions you: {subject or '(no subject)'}"
            notify(
                act.cursor, "mention", {subject_id: sentence}, act.now, {subject_id: colleague.key}
            )


def list_colleagues(cursor: Connection, slug: str) -> list[Colleague]:
    """Return those who may work in an organization."""
    return [
        Colleague(user.email or f"user:{user.id}", user.name, user.email)
        for user in users.list_users(cursor)
        if user.ended_at is None and any(g.organization in (None, slug) for g in user.grants)
    ]
