"""Mailboxes: which a command means, and what is asked of the API about them."""

from data.errors import NotFoundError
from data.mailbox_files import FILE, load_mailboxes
from data.records.core.organization import Organization
from data.records.mail.mailboxes import (
    MailboxAccount,
    MailboxPoll,
    MailboxSight,
    MailboxStanding,
)
from data.settings import Settings
from flows.operating.command_context import make_inert
from flows.operating.engine_api import Engine


def choose_mailboxes(
    settings: Settings, organization: Organization, name: str | None
) -> list[MailboxAccount]:
    """Return the named mailbox, or all that are configured.

    Raises:
        NotFoundError: there is none, or none of that name.

    """
    folder = settings.organizations / organization.slug
    mailboxes = load_mailboxes(folder)
    accounts = [account for account in mailboxes if name in (None, account.name)]
    if not accounts:
        there = ", ".join(account.name for account in mailboxes) or "none yet"
        raise NotFoundError(
            f"no mailbox {name!r}; the mailboxes are: {there}"
            if name
            else f"organization {organization.slug!r} has no mailbox; write "
            f"{str(folder / FILE)!r} as docs/configuration.md says"
        )
    return accounts


def standings(engine: Engine, organization: Organization) -> list[MailboxStanding]:
    """Return how the organization's mailboxes are doing."""
    listed = engine.get(f"/v1/{organization.slug}/mailboxes")
    return [MailboxStanding.model_validate(standing) for standing in listed]


def check(engine: Engine, organization: Organization, account: MailboxAccount) -> MailboxSight:
    """Log in and look, taking nothing; in the engine if it runs, for it needs the password."""
    path = f"/v1/{organization.slug}/mailboxes/{account.name}/check"
    return MailboxSight.model_validate(engine.post(path, {}))


def poll(engine: Engine, organization: Organization, account: MailboxAccount) -> MailboxPoll:
    """Take what is new, once."""
    path = f"/v1/{organization.slug}/mailboxes/{account.name}/poll"
    return MailboxPoll.model_validate(engine.post(path, {}))


def standing_line(standing: MailboxStanding) -> str:
    """Return one line about a mailbox."""
    when = f"{standing.polled_at:%Y-%m-%d %H:%M} UTC" if standing.polled_at else "never"
    standing_parts = [
        f"{standing.name}: {standing.user} at {standing.host}, last poll {when}, "
        f"{standing.taken} taken"
    ]
    standing_parts += [f"{standing.too_large} too large"] if standing.too_large else []
    standing_parts += [f"{standing.left} left"] if standing.left else []
    standing_parts += [] if standing.enabled else ["not enabled"]
    line = ", ".join(standing_parts)
    return f"{line}\n  {make_inert(standing.error)}" if standing.error else line
