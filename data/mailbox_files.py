"""An organization's mailboxes: the files in its folder that name them, and their passwords."""

import os
from collections.abc import Sequence
from pathlib import Path

from data.errors import ManifestError, NotFoundError, SettingsError
from data.manifest_files import parse_yaml, read_text, validate_values
from data.records.mail.mailboxes import MailboxAccount, MailboxList
from data.yaml_text import yaml_text

FILE, KEPT = "mailboxes.yaml", "mailboxes.kept.yaml"
"""What a person writes, and what Postern writes for those that are kept in the window."""


def load_mailboxes(folder: Path) -> tuple[MailboxAccount, ...]:
    """Return the mailboxes of an organization's folder, those kept in the window last.

    Raises:
        ManifestError: a file cannot be used, or both name the same mailbox; the sentence names the
            key.

    """
    written, kept_ones = _read(folder / FILE), _read(folder / KEPT)
    for name in sorted(
        {mailbox.name for mailbox in written} & {mailbox.name for mailbox in kept_ones}
    ):
        raise ManifestError(
            f"mailbox {name!r} stands in {FILE!r} and is kept in the window; remove one of them"
        )
    return (*written, *kept_ones)


def load_kept_mailboxes(folder: Path) -> tuple[MailboxAccount, ...]:
    """Return the mailboxes that are kept in the window.

    Raises:
        ManifestError: the file cannot be used; the sentence names the key.

    """
    return _read(folder / KEPT)


def keep_mailboxes(folder: Path, accounts: Sequence[MailboxAccount]) -> None:
    """Write the file of the mailboxes that are kept in the window, these and no others."""
    values = [account.model_dump(mode="json", exclude_defaults=True) for account in accounts]
    text = "# Written by Postern; change these on the page Mailboxes.\n"
    text += yaml_text({"mailboxes": values})
    scratch = folder / f".{KEPT}"
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(folder / KEPT)


def file_times(folder: Path) -> tuple[float, ...]:
    """Return when either file was last written, 0 where it is not there; to see changes."""
    files = (folder / name for name in (FILE, KEPT))
    return tuple(path.stat().st_mtime if path.exists() else 0.0 for path in files)


def _read(path: Path) -> tuple[MailboxAccount, ...]:
    """Return the mailboxes that a file names; none where it is not there."""
    if not path.exists():
        return ()
    return validate_values(MailboxList, parse_yaml(read_text(path), str(path)), str(path)).mailboxes


def read_mailbox(folder: Path, name: str) -> MailboxAccount:
    """Return one mailbox.

    Raises:
        NotFoundError: there is none of that name.
        ManifestError: the file cannot be used.

    """
    by_name = {account.name: account for account in load_mailboxes(folder)}
    if name not in by_name:
        names = ", ".join(by_name) or "none"
        raise NotFoundError(f"there is no mailbox {name!r}; the mailboxes are: {names}")
    return by_name[name]


def read_password(account: MailboxAccount) -> str:
    """Return a mailbox's password, read anew each time so that a change needs no restart.

    Raises:
        SettingsError: the variable is not set, or the file cannot be read.
        ManifestError: the file is not text.

    """
    return read_secret(account.name, "password", account.password_env, account.password_file)


def read_secret(mailbox: str, secret_name: str, variable: str, file: str) -> str:
    """Return a secret of a mailbox from a variable, or else from the first line of a file.

    `secret_name` is what a refusal calls it. Where `variable` is not empty, the file is not read.

    Raises:
        SettingsError: the variable is not set, or the file cannot be read.
        ManifestError: the file is not text.

    """
    path = Path(file)
    if variable:
        secret, place = os.environ.get(variable, ""), f"the variable {variable!r}"
    else:
        place = f"the file {file!r}"
        try:
            secret = path.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
        except OSError as error:
            raise SettingsError(
                f"the {secret_name} of mailbox {mailbox!r} cannot be read from "
                f"{str(path)!r}: {error.strerror}; make the file readable for this account"
            ) from error
        except UnicodeDecodeError as error:
            raise ManifestError(
                f"{str(path)!r} is not UTF-8 text; write the {secret_name} in its first line"
            ) from error
    if not secret:
        raise SettingsError(
            f"mailbox {mailbox!r} has no {secret_name}: {place} is empty"
            + (" or not set where this process runs; set it and start again" if variable else "")
        )
    return secret
