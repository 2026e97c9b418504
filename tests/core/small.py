"""A tiny organization and ways to send it mail, for tests of the whole line."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from textwrap import dedent

import httpx
from fastapi import FastAPI

from connectors.spool import Spool
from data.records.core.envelope import Channel
from data.records.core.organization import Organization, Person
from data.settings import Settings, load_settings
from data.store.core import control
from flows.api.app import create_app
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.inbound import inbound_batch
from flows.intake import intake_batch
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.take import take_in_waiting
from flows.opening import open_house
from flows.sync import sync_one
from tests.copies import Make, copy_made
from tests.core.shared_readers import shared_readers

SLUG = "teasel"
ADDRESS = "hello@teasel.example"
CUSTOMER = "mara@heron.example"

TEASEL = Organization(
    slug=SLUG,
    name="Teasel Looms",
    addresses=(ADDRESS,),
    signature="Teasel Looms\nMill Lane 4",
    people=(Person(name="Ida Fenn", email="ida@teasel.example", role="service"),),
)

KNOWLEDGE = {
    "opening-hours": (
        "Opening hours",
        "The workshop is open from Monday to Friday, 09:00 to 16:30. "
        "It is closed on Saturdays and Sundays.",
    ),
    "loom-repair": (
        "Repair of a loom",
        "A repair of a table loom takes 12 working days. The inspection costs 35 euros. "
        "The inspection is credited when the repair is ordered.",
    ),
    "invoice-copy": (
        "Copy of an invoice",
        "A copy of an invoice is sent by mail on the same working day. "
        "Invoices are due within 14 days.",
    ),
}

POLICY = """
version: 1
mode: shadow
confidence_threshold: 0.8
coalesce_seconds: 0
undo_seconds: 0
escalation: {default: ida@teasel.example}
"""


@dataclass
class Clock:
    """A clock that runs, and that tests can put forward."""

    ahead: timedelta = field(default_factory=timedelta)

    def __call__(self) -> datetime:
        """Return the time it shows."""
        return datetime.now(UTC) + self.ahead

    def forward(self, seconds: float) -> None:
        """Let time pass."""
        self.ahead += timedelta(seconds=seconds)


@dataclass
class Line:
    """The line of one tiny organization, driven step by step."""

    house: House
    workspace: Workspace
    clock: Clock

    def send(
        self,
        text: str,
        *,
        subject: str = "Opening hours",
        sender: str = CUSTOMER,
        message_id: str | None = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
        to: str = ADDRESS,
    ) -> str:
        """Put a message into the spool; return its id."""
        content = (
            raw
            if raw is not None
            else letter(
                text, subject=subject, sender=sender, message_id=message_id, headers=headers
            )
        )
        envelope = self.house.spool.put(
            content, channel=Channel.SMTP, mail_from=sender, rcpt_to=(to,)
        )
        return envelope.spool_id

    async def intake(self) -> None:
        """Take in and read whatever waits."""
        await take_in_waiting(self.house, 100)
        while await intake_batch(self.house, self.workspace):
            self.clock.forward(0.01)

    async def work(self) -> None:
        """Work on whatever is due."""
        while await inbound_batch(self.house, self.workspace):
            self.clock.forward(0.01)

    async def run(self) -> None:
        """Take everything that waits to where it goes."""
        await self.intake()
        await self.work()

    async def rows(self, statement: str, *given: object) -> list[dict[str, object]]:
        """Ask the state."""
        from data.store.core.statements import rows

        return await self.workspace.db.read(rows, statement, list(given))

    async def status(self, message_id: str) -> str:
        """Return where a message is."""
        found = await self.rows("SELECT status FROM messages WHERE id = ?", message_id)
        return str(found[0]["status"]) if found else "gone"


def letter(
    text: str,
    *,
    subject: str = "Opening hours",
    sender: str = CUSTOMER,
    message_id: str | None = None,
    headers: dict[str, str] | None = None,
) -> bytes:
    """Return a plain message with CRLF line ends."""
    message = EmailMessage()
    message["From"] = f"Mara Heron <{sender}>"
    message["To"] = ADDRESS
    message["Subject"] = subject
    message["Date"] = "Mon, 02 Mar 2026 09:59:00 +0000"
    message["Message-ID"] = message_id or f"<{abs(hash((text, subject, sender)))}@heron.example>"
    for name, value in (headers or {}).items():
        message[name] = value
    message.set_content(dedent(text))
    return message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


async def settle(house: House) -> None:
    """Wait until nothing runs beside the loops any more: turns, and what is learnt behind them.

    An errand may begin another one when it ends.

    Raises:
        Exception: what one of them failed with.

    """
    while house.errands:
        for outcome in await asyncio.gather(*house.errands, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome


def settings_in(home: Path, **given: object) -> Settings:
    """Return settings for a line in that folder."""
    Spool.create(home / "spool")
    small = {"coalesce_seconds": 0, "parse_processes": 1, "smtp_hostname": "mx.teasel.example"}
    return load_settings(home=home, **small | given)


def write_sources(folder: Path) -> None:
    """Write the organization's own files."""
    (folder / "knowledge").mkdir(parents=True)
    for name, (title, body) in KNOWLEDGE.items():
        (folder / "knowledge" / f"{name}.md").write_text(
            f"---\nid: {name}\ntitle: {title}\nkind: fact\npublic: true\n---\n{body}\n"
        )
    (folder / "policy.yaml").write_text(POLICY)


async def make_home(home: Path) -> None:
    """Make the tiny organization in that folder, and load its sources."""
    house = await open_house(settings_in(home))
    try:
        await house.add_organization(TEASEL)
        workspace = await house.get_workspace(SLUG)
        await asyncio.to_thread(write_sources, workspace.sources)
        await sync_one(house, workspace)
    finally:
        await house.close()


@asynccontextmanager
async def open_line(home: Path, make: Make = make_home, **given: object) -> AsyncIterator[Line]:
    """Open the house with the tiny organization, its sources loaded.

    Loading them takes a second or two of processor time; so it is done once, and what was made is
    copied. They are loaded again where a test settles something otherwise, or has files in the
    home already. Its mail is read by processes that all such lines share, unless a setting is
    about them.
    """
    as_loaded = await copy_made(make, home) and not given
    clock = Clock()
    house = await open_house(settings_in(home, **given), clock)
    if not any(name.startswith("parse_") for name in given):
        mailroom_of(house).parsers = shared_readers()
    try:
        workspace = await house.get_workspace(SLUG)
        await (house.reload_policy(workspace) if as_loaded else sync_one(house, workspace))
        yield Line(house, workspace, clock)
    finally:
        await house.close()


def api_over(house: House) -> FastAPI:
    """Return the engine's API over a house.

    It is made once in a process, for a second of processor time, and serves the house that it was
    asked for last.
    """
    if not _apis:
        _apis.append(create_app(house))
    _apis[0].state.house = house
    return _apis[0]


_apis: list[FastAPI] = []


@asynccontextmanager
async def client_of(line: Line, role: str = "admin") -> AsyncIterator[httpx.AsyncClient]:
    """Open the API over a line, signed in."""
    token = await line.house.control.write(control.add_token, "ida", role, None, line.clock())
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(api_over(line.house)),
        base_url="http://engine",
        headers={"Authorization": f"Bearer {token}"},
    ) as client:
        yield client
