"""A mailbox of a private Dovecot, and an organization that polls it."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from connectors.routes import write_routes
from connectors.spool import Spool
from data.records.core.envelope import Envelope
from data.records.mail.mailboxes import MailboxAccount, MailboxPoll
from data.settings import Settings
from data.store.core import control
from data.store.core.database import Database
from data.store.core.statements import rows
from flows.mail.polling.desk import MailboxDesk
from tests.core.small import TEASEL, Line, client_of, letter, open_line, settings_in
from tests.mail.mailboxes.dovecot import PASSWORD, USER, Dovecot, missing
from tests.mail.mailboxes.opening import open_desk

WHY = missing()
VARIABLE = "TEASEL_IMAP_PASSWORD"


@pytest.fixture
def make_dovecot() -> Iterator[Callable[..., Dovecot]]:
    """Start servers with more lines of configuration; all are ended and removed."""
    if WHY:
        pytest.skip(WHY)
    made: list[Dovecot] = []

    def start(more: str = "", **given: bool) -> Dovecot:
        made.append(Dovecot.make(more, **given))
        return made[-1].start()

    yield start
    for server in made:
        server.remove()


@pytest.fixture
def dovecot(make_dovecot: Callable[..., Dovecot]) -> Dovecot:
    """Return a server that offers all that Dovecot has."""
    return make_dovecot()


def account(server: Dovecot, **given: object) -> MailboxAccount:
    """Return a mailbox of that server, in plain text over loopback."""
    fields: dict[str, object] = {
        "name": "inbox",
        "host": "127.0.0.1",
        "port": server.port,
        "tls": "none",
        "user": USER,
        "password_env": VARIABLE,
    }
    return MailboxAccount.model_validate(fields | given)


def post(number: int, text: str = "When is the workshop open?") -> bytes:
    """Return a message that is like no other."""
    sender = f"person{number}@heron.example"
    return letter(f"{text} Number {number}.", subject=f"Number {number}", sender=sender)


@dataclass
class Desk:
    """An organization without an engine, with ways to poll and to see what came."""

    desk: MailboxDesk

    @property
    def spool(self) -> Spool:
        """The spool."""
        return self.desk.spool

    async def poll(self, mailbox: MailboxAccount) -> MailboxPoll:
        """Poll once."""
        return await self.desk.poll(mailbox)

    async def poll_well(self, mailbox: MailboxAccount) -> MailboxPoll:
        """Poll once, without any trouble."""
        report = await self.desk.poll(mailbox)
        assert report.troubles == ()
        return report

    async def rows(self, statement: str) -> list[dict[str, object]]:
        """Ask the state."""
        return await self.desk.db.read(rows, statement)

    def waiting(self) -> list[tuple[Envelope, bytes]]:
        """Return what waits in the spool."""
        return [self.spool.read(entry) for entry in self.spool.list_waiting(10_000)]

    def subjects(self) -> list[str]:
        """Return the subjects of what waits in the spool, in order of arrival."""
        return [
            raw.partition(b"Subject: ")[2].partition(b"\r\n")[0].decode()
            for _, raw in self.waiting()
        ]


@pytest.fixture
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process know the mailbox's password."""
    monkeypatch.setenv(VARIABLE, PASSWORD)


@pytest.fixture
async def home(tmp_path: Path, password: None) -> Settings:
    """Return settings of a home that holds the tiny organization, and no engine."""
    settings = settings_in(tmp_path / "var")
    state = Database(settings.home / "control.duckdb", "control")
    await state.write(control.add_organization, TEASEL, control.make_keys(), datetime.now(UTC))
    write_routes(settings.routes_file, await state.read(control.list_routes), 1)
    state.close()
    return settings


@pytest.fixture
async def desk(home: Settings) -> AsyncIterator[Desk]:
    """The tiny organization, as the command line opens it while no engine runs."""
    async with open_desk(home, TEASEL) as opened:
        yield Desk(opened)


@pytest.fixture
async def line(tmp_path: Path, password: None) -> AsyncIterator[Line]:
    """The tiny organization with all that an engine has."""
    async with open_line(tmp_path / "line") as opened:
        yield opened


@pytest.fixture
async def client(line: Line) -> AsyncIterator[httpx.AsyncClient]:
    """An administrator at the API of the line."""
    async with client_of(line) as client:
        yield client
