"""Mailboxes that administrators name in the window: kept beside `mailboxes.yaml`, never in it.

A password is a file of its own that only Postern's account may read; no answer ever holds it.
"""

import asyncio
from pathlib import Path

from pydantic import ValidationError

from connectors.spool import disk
from data.errors import ConflictError, NotFoundError, UnfitError
from data.mailbox_files import keep_mailboxes, kept_mailboxes, load_mailboxes
from data.records.core.principals import Principal
from data.records.mail.mailbox_versions import MailboxDiff, RestoreMailbox
from data.records.mail.mailboxes import KeepMailbox, MailboxAccount
from data.settings import Settings
from data.store.core import audit
from data.store.core.database import Connection
from data.store.mail import mailbox_versions
from data.text_diff import diff_lines
from flows.core.house import House
from flows.core.workspace import Workspace


async def keep(
    house: House, workspace: Workspace, name: str, order: KeepMailbox, principal: Principal
) -> None:
    """Keep a mailbox, in the place of one of that name; the engine fetches from it soon.

    Raises:
        UnfitError: a field cannot be meant, or no password was ever given.
        ConflictError: `mailboxes.yaml` names it.

    """
    before = await asyncio.to_thread(_find_kept, workspace, name)
    await asyncio.to_thread(_keep, house.settings, workspace, name, order)
    account_text = f"{order.user} at {order.host}" + ("" if order.enabled else ", switched off")
    await _note(house, workspace, principal, "keep-mailbox", name, account_text, order, before)


async def restore(
    house: House, workspace: Workspace, name: str, order: RestoreMailbox, principal: Principal
) -> None:
    """Let earlier settings of a mailbox count again, as one more version.

    Raises:
        NotFoundError: there is no such version.
        UnfitError: no password is kept any more, and none was given.
        ConflictError: there is a newer version than was read, or `mailboxes.yaml` names it.

    """
    newest = await workspace.db.read(mailbox_versions.find_newest, name)
    if order.was and newest is not None and newest.number != order.was:
        raise ConflictError(
            f"{newest.author} has changed mailbox {name!r} meanwhile (version {newest.number}); "
            "look at it again"
        )
    earlier = await workspace.db.read(mailbox_versions.read_version, name, order.number)
    with_password = earlier.mailbox.model_copy(update={"password": order.password})
    before = await asyncio.to_thread(_find_kept, workspace, name)
    await asyncio.to_thread(_keep, house.settings, workspace, name, with_password)
    detail = f"version {order.number}: {with_password.user} at {with_password.host}"
    await _note(house, workspace, principal, "restore-mailbox", name, detail, with_password, before)


def compare(cursor: Connection, name: str, before: int, after: int) -> MailboxDiff:
    """Return what two versions of a mailbox have different; 0 stands for nothing.

    Raises:
        NotFoundError: one of them is not there.

    """
    texts = [
        mailbox_versions.read_version(cursor, name, number).text if number else ""
        for number in (before, after)
    ]
    return MailboxDiff(before=before, after=after, lines=diff_lines(*texts))


async def remove(house: House, workspace: Workspace, name: str, principal: Principal) -> None:
    """Forget a mailbox that is kept here, and its password; what was taken stays.

    Raises:
        NotFoundError: none of that name is kept here.

    """

    def work() -> KeepMailbox:
        mailboxes_kept = kept_mailboxes(workspace.folder)
        gone = next(
            (KeepMailbox.of(mailbox) for mailbox in mailboxes_kept if mailbox.name == name), None
        )
        if gone is None:
            raise NotFoundError(
                f"no mailbox {name!r} is kept here; what mailboxes.yaml names is removed there"
            )
        keep_mailboxes(
            workspace.folder, [mailbox for mailbox in mailboxes_kept if mailbox.name != name]
        )
        _password_file(house.settings, workspace.slug, name).unlink(missing_ok=True)
        return gone

    mailbox_gone = await asyncio.to_thread(work)
    await _note(
        house,
        workspace,
        principal,
        "remove-mailbox",
        name,
        "",
        mailbox_gone,
        mailbox_gone,
        removed=True,
    )


def _find_kept(workspace: Workspace, name: str) -> KeepMailbox | None:
    mailboxes_kept = kept_mailboxes(workspace.folder)
    return next(
        (KeepMailbox.of(mailbox) for mailbox in mailboxes_kept if mailbox.name == name), None
    )


def _keep(settings: Settings, workspace: Workspace, name: str, order: KeepMailbox) -> None:
    path = _password_file(settings, workspace.slug, name)
    fields = order.model_dump(exclude={"password"})
    try:
        account = MailboxAccount(name=name, password_file=str(path.absolute()), **fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the mailbox"
        raise UnfitError(f"{where}: {first['msg'].removeprefix('Value error, ')}") from error
    mailboxes_kept = kept_mailboxes(workspace.folder)
    written = {mailbox.name for mailbox in load_mailboxes(workspace.folder)} - {
        mailbox.name for mailbox in mailboxes_kept
    }
    if name in written:
        raise ConflictError(f"mailbox {name!r} stands in mailboxes.yaml; change it there")
    if "\n" in order.password or "\r" in order.password:
        raise UnfitError("a password cannot hold a line end; write it in one line")
    if order.password:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        disk.write_durably(path.parent, path.name, order.password.encode() + b"\n")
    elif not path.exists():
        raise UnfitError("give the mailbox's password; none is kept for it yet")
    keep_mailboxes(
        workspace.folder,
        [*(mailbox for mailbox in mailboxes_kept if mailbox.name != name), account],
    )


def _password_file(settings: Settings, slug: str, name: str) -> Path:
    return settings.secrets / "mailboxes" / f"{slug}.{name}.password"


async def _note(
    house: House,
    workspace: Workspace,
    principal: Principal,
    action: str,
    name: str,
    detail: str,
    mailbox: KeepMailbox,
    before: KeepMailbox | None,
    *,
    removed: bool = False,
) -> None:
    """Keep a version and an event of a change that is done."""

    def work(cursor: Connection) -> None:
        mailbox_versions.add_version(
            cursor, name, mailbox, before, removed=removed, author=principal.name, now=now
        )
        audit.append(
            cursor,
            actor=principal.name,
            action=action,
            subject=f"mailbox:{name}",
            detail=detail,
            now=now,
        )

    now = house.clock()
    await workspace.db.write(work)
