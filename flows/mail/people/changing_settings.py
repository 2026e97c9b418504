"""Changing settings while Postern runs: what it would delete, and keeping it with an event."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pydantic import SecretStr, ValidationError

from connectors.authorities import check_authorities
from connectors.filters.choosing import filters_from
from data.counting import plural
from data.errors import ConflictError, SettingsError, UnfitError
from data.records.core.kept_settings import (
    RestoreSettings,
    SetSettings,
    SettingsChange,
    SettingsEffect,
    SettingsVersion,
)
from data.records.core.principals import Principal
from data.records.core.version_diff import VersionDiff
from data.records.mail.mailbox_oauth import is_loopback
from data.settings import Settings
from data.store.core import kept_settings
from data.store.core.database import Connection
from data.store.mail import messages
from data.text_diff import diff_lines
from flows.core.house import House
from flows.core.kept_settings import (
    MODELS,
    OUTGOING,
    PASSWORD_FILES,
    build_changed_settings,
    keep_settings,
    list_token_mailboxes,
    read_default,
)
from flows.core.model_setup import check_choice
from flows.core.noting import note_access_change

NIGHTLY = (
    "The night's work begins at 03:20 UTC, unless the schedule of the flow upkeep was changed."
)
"""As `prefect.yaml` schedules the upkeep."""
ListOldChats = Callable[[Connection, datetime], Sequence[str]]
"""What lists the chats of chat programs that nothing was said in since a time: no matter of mail,
and so handed in."""


async def preview_settings(
    house: House, change: SettingsChange, list_old_chats: ListOldChats
) -> SettingsEffect:
    """Return how much the next night would delete under a change of how long things are kept.

    Raises:
        ConflictError: a setting is not changed here.
        UnfitError: an address is not valid.
    """
    _check_change(house, change)
    mail_days = _new_days(house, change, "archive_days")
    chat_days = _new_days(house, change, "program_chat_days")
    mail = await _count_old_mail(house, mail_days)
    programs = await _count_old_chats(house, chat_days, list_old_chats)
    sentences = [*_mail_sentences(mail_days, mail), *_chat_sentences(chat_days, programs)]
    if mail_days or chat_days:
        sentences.append(NIGHTLY)
    return SettingsEffect(raw_mail=mail, program_chats=programs, sentences=tuple(sentences))


async def change_settings(
    house: House, order: SetSettings, principal: Principal, list_old_chats: ListOldChats
) -> SettingsEffect:
    """Keep settings, each change with an event in every organization.

    Raises:
        ConflictError: a setting is not changed here, somebody has changed the same since it was
            read, or something would be deleted and nobody has said that this is meant.
        UnfitError: an address is not valid.
    """
    async with house.changing_settings:
        return await _keep_and_note(house, order, principal, list_old_chats, "change-settings")


async def restore_settings(
    house: House, order: RestoreSettings, principal: Principal, list_old_chats: ListOldChats
) -> SettingsEffect:
    """Let earlier settings count again, as one more version; passwords and keys stay as they are.

    Raises:
        NotFoundError: there is no such version.
        ConflictError: there is a newer version than was read, nothing is different, a setting is
            not changed here, or something would be deleted and nobody has said that this is meant.
        UnfitError: a value of that version is no longer allowed.
    """
    async with house.changing_settings:
        restored = await house.control.read(kept_settings.read_version, order.number)
        newest, *_ = await house.control.read(kept_settings.list_versions)
        if order.was and newest.number != order.was:
            raise ConflictError(
                f"{newest.author} has changed the settings meanwhile (version {newest.number}); "
                "look at them again"
            )
        change = _change_between(restored, newest)
        settings_order = SetSettings(change=change, knowing=order.knowing)
        return await _keep_and_note(
            house,
            settings_order,
            principal,
            list_old_chats,
            "restore-settings",
            f"version {order.number}",
        )


def _change_between(restored: SettingsVersion, newest: SettingsVersion) -> SettingsChange:
    try:
        change = restored.change_from(newest)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "a setting"
        raise UnfitError(
            f"{name} of version {restored.number} can no longer be kept: {first['msg']}"
        ) from error
    if change is None:
        raise ConflictError(f"version {restored.number} is the same as the settings of now")
    return change


def compare(cursor: Connection, before: int, after: int) -> VersionDiff:
    """Return how two versions differ; 0 stands for the defaults alone.

    Raises:
        NotFoundError: one of them is not there.

    """
    texts = [
        kept_settings.read_version(cursor, number).text if number else ""
        for number in (before, after)
    ]
    return VersionDiff(before=before, after=after, lines=diff_lines(*texts))


async def _keep_and_note(
    house: House,
    order: SetSettings,
    principal: Principal,
    list_old_chats: ListOldChats,
    action: str,
    *notes: str,
) -> SettingsEffect:
    """Keep settings, with an event in every organization that tells `notes` and what changed.

    The caller holds `House.changing_settings`.
    """
    effect = await preview_settings(house, order.change, list_old_chats)
    if effect.deletes and not order.knowing:
        raise ConflictError(f"{' '.join(effect.sentences)} Say so, if that is meant")
    if order.was is not None:
        await house.control.read(_must_be_newest, order.change, order.was)
    before = house.settings
    await keep_settings(house, order.change, principal)
    changes = [*notes]
    changes += [
        f"{name}: {_shown(name, getattr(before, name))} → {_shown(name, value)}"
        for name, value in order.change.values.items()
        if getattr(before, name) != getattr(house.settings, name)
    ]
    changes += [
        f"{name}: {_shown(name, getattr(before, name))} → default, "
        f"{_shown(name, getattr(house.settings, name))}"
        for name in order.change.defaults
        if getattr(before, name) != getattr(house.settings, name)
    ]
    await note_access_change(
        house, [None], principal, action=action, subject="settings",
        detail="; ".join(changes or ["nothing is different"]),
    )  # fmt: skip
    return effect


def _must_be_newest(cursor: Connection, change: SettingsChange, was: int) -> None:
    """Refuse a change over one that was not read, of the same settings or of what they belong to.

    Raises:
        ConflictError: there is a newer version that has changed one of them.

    """
    names = {*change.values, *change.defaults}
    for together in (OUTGOING, MODELS):
        if names.intersection(together):
            names.update(together)
    for version in kept_settings.list_versions(cursor):
        changed = [name for name in version.changed if name in names]
        if version.number > was and changed:
            values = ", ".join(
                f"{name} is {_shown(name, version.values.get(name, 'the default'))}"
                for name in changed
            )
            raise ConflictError(
                f"{version.author} has changed the same meanwhile (version {version.number}): "
                f"{values}; look at it again"
            )


def _new_days(house: House, change: SettingsChange, name: str) -> int | None:
    """Return the days that a change gives a setting; None where it leaves it alone."""
    days = read_default(house, name) if name in change.defaults else change.values.get(name)
    return days if isinstance(days, int) else None


def _check_change(house: House, change: SettingsChange) -> None:
    """Refuse invalid addresses of filters, relay and models, and a password sent in plain text."""
    settings = build_changed_settings(house, change)
    try:
        filters_from(settings)
    except SettingsError as error:
        raise UnfitError(str(error)) from error
    if any(name in OUTGOING for name in (*change.values, *change.defaults)):
        _refuse_plain_password(settings)
        _refuse_carried_password(house.settings, settings, change)
        _check_authorities_and_mailbox(settings, change, house.clock())
    check_choice(house.settings, settings, change)


def _refuse_plain_password(settings: Settings) -> None:
    """Refuse a relay that would be given a name and a password in plain text."""
    in_plain_text = settings.transport == "smtp" and settings.relay_tls == "none"
    signs_in = settings.relay_user or settings.relay_mailbox
    if in_plain_text and signs_in and not is_loopback(settings.relay_host):
        raise UnfitError(
            "a password is not sent to another machine without encryption; choose STARTTLS or "
            "encryption from the first byte, or leave the login name empty"
        )


def _refuse_carried_password(before: Settings, after: Settings, change: SettingsChange) -> None:
    """Refuse a relay on another machine that would be given the password of the one before."""
    if "relay_password" in change.values or "relay_password" in change.defaults:
        return
    if before.relay_host != after.relay_host and after.relay_password.get_secret_value():
        raise UnfitError(
            "the relay's password that is there was given for another machine, and is not carried "
            "to a new one; give the new one's with it, or an empty one where none is wanted"
        )


def _check_authorities_and_mailbox(
    settings: Settings, change: SettingsChange, now: datetime
) -> None:
    """Refuse a private CA that is not valid, and a mailbox without access tokens."""
    if change.relay_ca:
        check_authorities(change.relay_ca, now)
    mailbox = change.relay_mailbox
    if mailbox and mailbox not in (with_tokens := list_token_mailboxes(settings)):
        raise UnfitError(
            f"mailbox {mailbox!r} has no access tokens; name it with them first, or choose of "
            f"{', '.join(with_tokens) or 'none yet'}"
        )


async def _count_old_mail(house: House, days: int | None) -> int:
    """Return how many files of raw mail would go in the next night."""
    if not days:
        return 0
    before = house.clock() - timedelta(days=days)
    counted = 0
    for workspace in await house.list_workspaces():
        counted += await workspace.db.read(messages.count_raw_before, before)
    return counted


async def _count_old_chats(house: House, days: int | None, list_old_chats: ListOldChats) -> int:
    """Return how many chats of chat programs would go in the next night."""
    if not days:
        return 0
    before = house.clock() - timedelta(days=days)
    return sum(
        [
            len(await workspace.db.read(list_old_chats, before))
            for workspace in await house.list_workspaces()
        ]
    )


def _mail_sentences(days: int | None, gone_count: int) -> list[str]:
    if days is None:
        return []
    if days == 0:
        return ["Raw mail is kept for ever."]
    stays = "What was read from it, cases and replies stay; attachments can no longer be opened."
    return [
        f"Raw mail is deleted in the night after it is {plural(days, 'day')} old.",
        _first_night(gone_count, "raw message"),
        stays,
    ]


def _chat_sentences(days: int | None, gone_count: int) -> list[str]:
    if days is None:
        return []
    if days == 0:
        return ["Chats of chat programs are kept for ever."]
    return [
        "Chats of chat programs are deleted in the night after nothing was said in them for "
        f"{plural(days, 'day')}.",
        _first_night(gone_count, "chat of a chat program", "chats of chat programs"),
    ]


def _first_night(gone_count: int, *words: str) -> str:
    if not gone_count:
        return "Nothing is that old now."
    verb = "is" if gone_count == 1 else "are"
    return (
        f"In the next night {plural(gone_count, *words)} {verb} deleted; only a backup brings "
        f"{'it' if gone_count == 1 else 'them'} back."
    )


def _shown(name: str, value: object) -> str:
    if name in PASSWORD_FILES or isinstance(value, SecretStr):
        return "********"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value) or "none"
    if isinstance(value, str) and "\n" in value:
        return f"{value.partition(chr(10))[0]} …"
    return str(value) or "none"
