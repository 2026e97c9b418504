"""Mailboxes that administrators name in the window: kept beside `mailboxes.yaml`, never in it.

Each secret is a file of its own that only Postern's account may read; no answer ever holds it.
"""

import asyncio
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

from pydantic import ValidationError

from connectors import disk
from connectors.authorities import check_authorities
from data.errors import ConflictError, NotFoundError, UnfitError
from data.mailbox_files import keep_mailboxes, load_kept_mailboxes, load_mailboxes
from data.records.core.principals import Principal
from data.records.core.version_diff import VersionDiff
from data.records.mail.mailbox_versions import RestoreMailbox
from data.records.mail.mailboxes import ChangeMailbox, KeepMailbox, MailboxAccount
from data.settings import Settings
from data.store.core import audit
from data.store.core.database import Connection
from data.store.mail import mailbox_versions
from data.text_diff import diff_lines
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.mail_line import mail_line_of

PASSWORD, CLIENT_SECRET, REFRESH_TOKEN = "password", "client secret", "refresh token"
SECRETS = {
    PASSWORD: "password",
    CLIENT_SECRET: "client-secret",
    REFRESH_TOKEN: "refresh-token",
}
"""What may be kept of a mailbox beside its settings, as messages name it: how its file ends."""


async def keep_mailbox(
    house: House, workspace: Workspace, name: str, change: ChangeMailbox, principal: Principal
) -> None:
    """Keep a mailbox, in the place of one of that name; the engine fetches from it soon.

    Raises:
        UnfitError: a field cannot be meant, or a secret was never given.
        ConflictError: there is a newer version than was read, `mailboxes.yaml` names it, or replies
            leave by the tokens that it has.

    """
    order = KeepMailbox(**{field: getattr(change, field) for field in KeepMailbox.model_fields})
    parts = [
        f"{order.user} at {order.host}",
        f"access tokens of {order.oauth.token_url}" if order.oauth else "",
        "a private CA" if order.ca_pem else "",
        "" if order.enabled else "switched off",
    ]
    detail = ", ".join(part for part in parts if part)
    async with mail_line_of(workspace).mailboxes_lock:
        await _must_be_newest(workspace, name, change.was)
        before = await _replace(house, workspace, name, order)
        await _note(house, workspace, principal, "keep-mailbox", name, detail, order, before)


async def restore_mailbox(
    house: House, workspace: Workspace, name: str, order: RestoreMailbox, principal: Principal
) -> None:
    """Let earlier settings of a mailbox count again, as one more version.

    Raises:
        NotFoundError: there is no such version.
        UnfitError: a secret is kept no more, and none was given; or its private CA has expired.
        ConflictError: there is a newer version than was read, `mailboxes.yaml` names it, or replies
            leave by the tokens that it has.

    """
    async with mail_line_of(workspace).mailboxes_lock:
        await _must_be_newest(workspace, name, order.was or None)
        earlier = await workspace.db.read(mailbox_versions.read_version, name, order.number)
        restored = _with_secrets(earlier.mailbox, order)
        before = await _replace(house, workspace, name, restored)
        detail = f"version {order.number}: {restored.user} at {restored.host}"
        await _note(house, workspace, principal, "restore-mailbox", name, detail, restored, before)


async def _must_be_newest(workspace: Workspace, name: str, was: int | None) -> None:
    """Refuse to write over a version that was not read; one that forgets it is nobody's words.

    Raises:
        ConflictError: there is a newer one.

    """
    newest = await workspace.db.read(mailbox_versions.find_newest, name)
    if was is None or newest is None or newest.number == was:
        return
    if not newest.removed or was:
        raise ConflictError(
            f"{newest.author} has changed mailbox {name!r} meanwhile (version "
            f"{newest.number}); look at it again"
        )


async def _replace(
    house: House, workspace: Workspace, name: str, order: KeepMailbox
) -> KeepMailbox | None:
    """Write a mailbox and its secrets; return the settings that were kept before, if any were."""
    if order.oauth is None:
        _must_not_be_the_relays(house.settings, workspace, name)
    before = await asyncio.to_thread(_find_kept, workspace, name)
    await asyncio.to_thread(_write, house.settings, workspace, name, order, house.clock())
    return before


def _with_secrets(mailbox: KeepMailbox, order: RestoreMailbox) -> KeepMailbox:
    """Return settings with those secrets of an order that they have a place for."""
    if mailbox.oauth is None:
        return mailbox.model_copy(update={"password": order.password})
    secrets = {"client_secret": order.client_secret, "refresh_token": order.refresh_token}
    return mailbox.model_copy(update={"oauth": mailbox.oauth.model_copy(update=secrets)})


def compare_versions(cursor: Connection, name: str, before: int, after: int) -> VersionDiff:
    """Return how two versions of a mailbox differ; 0 stands for nothing.

    Raises:
        NotFoundError: one of them is not there.

    """
    texts = [
        mailbox_versions.read_version(cursor, name, number).text if number else ""
        for number in (before, after)
    ]
    return VersionDiff(before=before, after=after, lines=diff_lines(*texts))


async def remove_mailbox(
    house: House, workspace: Workspace, name: str, principal: Principal
) -> None:
    """Forget a mailbox that is kept here, and its secrets; what was taken stays.

    Raises:
        NotFoundError: none of that name is kept here.
        ConflictError: replies leave by its access tokens.

    """
    _must_not_be_the_relays(house.settings, workspace, name)
    async with mail_line_of(workspace).mailboxes_lock:
        before = await asyncio.to_thread(_remove, house.settings, workspace, name)
        await _note(
            house, workspace, principal, "remove-mailbox", name, "", before, before, removed=True
        )


def _remove(settings: Settings, workspace: Workspace, name: str) -> KeepMailbox:
    """Take a mailbox out of the file, then remove its secrets; return what it was.

    Raises:
        NotFoundError: none of that name is kept here.

    """
    before = _find_kept(workspace, name)
    if before is None:
        raise NotFoundError(
            f"no mailbox {name!r} is kept here; what mailboxes.yaml names is removed there"
        )
    others = [mailbox for mailbox in load_kept_mailboxes(workspace.folder) if mailbox.name != name]
    keep_mailboxes(workspace.folder, others)
    _remove_secrets(settings, workspace, name)
    return before


def _must_not_be_the_relays(settings: Settings, workspace: Workspace, name: str) -> None:
    """Refuse a change that would leave the relay without its access tokens.

    Raises:
        ConflictError: replies leave by the tokens of this mailbox.

    """
    if settings.transport == "smtp" and settings.relay_mailbox == f"{workspace.slug}/{name}":
        raise ConflictError(
            f"approved replies leave by the access tokens of mailbox {name!r}; give the relay "
            "another login first, under Settings"
        )


def _find_kept(workspace: Workspace, name: str) -> KeepMailbox | None:
    """Return the settings of a mailbox that is kept here; None where it is not."""
    kept = (mailbox for mailbox in load_kept_mailboxes(workspace.folder) if mailbox.name == name)
    mailbox = next(kept, None)
    return KeepMailbox.of(mailbox) if mailbox is not None else None


def _write(
    settings: Settings, workspace: Workspace, name: str, order: KeepMailbox, now: datetime
) -> None:
    """Write new secrets under new names, then the settings that name them; old ones go at last.

    So one write changes both: whatever ends this in between, no secret is offered to a server that
    it was not given for.

    Raises:
        UnfitError: a field cannot be meant, or a secret is missing.
        ConflictError: `mailboxes.yaml` names it.

    """
    mailboxes_kept = load_kept_mailboxes(workspace.folder)
    before = next((mailbox for mailbox in mailboxes_kept if mailbox.name == name), None)
    places, needed = _places(before), _needed_secrets(order)
    files = {
        secret: _fresh_file(settings, workspace, name, secret)
        if text or secret not in places
        else places[secret]
        for secret, text in needed.items()
    }
    account = _account(name, order, files)
    everywhere = {mailbox.name for mailbox in load_mailboxes(workspace.folder)}
    if name in everywhere - {mailbox.name for mailbox in mailboxes_kept}:
        raise ConflictError(f"mailbox {name!r} stands in mailboxes.yaml; change it there")
    if order.ca_pem:
        check_authorities(order.ca_pem, now)
    _check_secrets(needed, places, goes_elsewhere=_goes_elsewhere(before, order))
    for secret, text in needed.items():
        if text:
            path = files[secret]
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            disk.write_durably(path.parent, path.name, text.encode() + b"\n")
    others = [mailbox for mailbox in mailboxes_kept if mailbox.name != name]
    keep_mailboxes(workspace.folder, [*others, account])
    _remove_secrets(settings, workspace, name, but=files.values())


def _check_secrets(
    needed: Mapping[str, str], places: Mapping[str, Path], *, goes_elsewhere: bool
) -> None:
    """Refuse secrets that have more lines than one, or that are empty and not kept for this.

    Raises:
        UnfitError: one is.

    """
    for secret, text in needed.items():
        if "\n" in text or "\r" in text:
            raise UnfitError(f"the {secret} cannot hold a line end; write it in one line")
        if not text and goes_elsewhere and secret in places and places[secret].exists():
            raise UnfitError(
                f"the {secret} that is there was given for another machine, and is not carried to "
                "a new one; give the new one's with it"
            )
        if not text and (secret not in places or not places[secret].exists()):
            raise UnfitError(f"give the mailbox's {secret}; none is kept for it yet")


def _account(name: str, order: KeepMailbox, files: Mapping[str, Path]) -> MailboxAccount:
    """Return the entry of a mailbox, whose secrets are these files."""
    fields = order.model_dump(exclude={"password", "oauth"})
    if order.oauth is None:
        fields["password_file"] = str(files[PASSWORD].absolute())
    else:
        oauth = order.oauth
        fields["oauth"] = {
            "token_url": oauth.token_url,
            "client_id": oauth.client_id,
            "scope": oauth.scope,
            "ca_pem": order.ca_pem if oauth.private_ca else "",
            "client_secret_file": str(files[CLIENT_SECRET].absolute()) if oauth.has_secret else "",
            "refresh_token_file": str(files[REFRESH_TOKEN].absolute()) if oauth.refreshes else "",
        }
    try:
        return MailboxAccount.model_validate({"name": name, **fields})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the mailbox"
        raise UnfitError(f"{where}: {first['msg'].removeprefix('Value error, ')}") from error


def _goes_elsewhere(before: MailboxAccount | None, order: KeepMailbox) -> bool:
    """Return whether what is kept would go to another machine than the one it was given for.

    A password goes to the mail server, the secrets of OAuth to the token endpoint, and what that
    one gives for them to the mail server.
    """
    if before is None:
        return False
    if before.host != order.host or before.oauth is None or order.oauth is None:
        return before.host != order.host
    was, goes = urlsplit(before.oauth.token_url), urlsplit(order.oauth.token_url)
    return (was.scheme, was.netloc) != (goes.scheme, goes.netloc)


def _needed_secrets(order: KeepMailbox) -> dict[str, str]:
    """Return the secrets that such a mailbox has, each empty for the one that is kept."""
    if order.oauth is None:
        return {PASSWORD: order.password}
    needed = {CLIENT_SECRET: order.oauth.client_secret} if order.oauth.has_secret else {}
    return needed | ({REFRESH_TOKEN: order.oauth.refresh_token} if order.oauth.refreshes else {})


def _places(account: MailboxAccount | None) -> dict[str, Path]:
    """Return the files that hold the secrets of a mailbox that is kept."""
    if account is None:
        return {}
    oauth = account.oauth
    files = {
        PASSWORD: account.password_file,
        CLIENT_SECRET: oauth.client_secret_file if oauth else "",
        REFRESH_TOKEN: oauth.refresh_token_file if oauth else "",
    }
    return {secret: Path(file) for secret, file in files.items() if file}


def _fresh_file(settings: Settings, workspace: Workspace, name: str, secret: str) -> Path:
    """Return where a secret may be written that no settings name yet."""
    file = f"{workspace.slug}.{name}.{token_hex(4)}.{SECRETS[secret]}"
    return _secret_folder(settings) / file


def _remove_secrets(
    settings: Settings, workspace: Workspace, name: str, *, but: Collection[Path] = ()
) -> None:
    """Remove the secrets of a mailbox, those too that a change left that did not reach its end."""
    stay = {path.name for path in but}
    for path in _secret_folder(settings).glob(f"{workspace.slug}.{name}.*"):
        if path.name not in stay:
            path.unlink(missing_ok=True)


def _secret_folder(settings: Settings) -> Path:
    return settings.secrets / "mailboxes"


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
    """Keep a version of a mailbox, and an event, of a change that is done."""

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
