"""Two Posterns that answer each other, over SMTP on loopback: they stop, even when headers lie."""

import asyncio
import smtplib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.utils import getaddresses
from pathlib import Path

from connectors.receiver.listening import listen
from connectors.receiver.server import serve
from data.records.core.organization import AutonomyRule, Mode, Organization
from data.records.core.understanding import Category
from flows.delivery import delivery_batch
from flows.opening import open_house
from flows.sync import sync_one
from tests.core.small import Clock, Line, settings_in, write_sources
from tests.mail.gate.sink import Received, Sink
from tests.ports import free_port

FRONT = "front.example"
MOST = 5
"""Messages that may pass between two instances within an hour."""
QUESTIONS = (
    "Hello,\n\nwhen is the workshop open on weekdays?\n\nKind regards\n",
    "Hello,\n\nhow long does the repair of a table loom take?\n\nKind regards\n",
    "Hello,\n\nhow do I get a copy of an invoice?\n\nKind regards\n",
)
TELL_TALE = (
    *("auto-submitted", "x-auto-response-suppress", "x-loop", "precedence", "references"),
    *("in-reply-to", "message-id"),
)
"""What shows that a machine wrote, or that we did."""


@dataclass
class Twin:
    """One instance: its line, its receiver's port, and what it has handed to the relay."""

    line: Line
    port: int
    sink: Sink
    passed: int = 0

    @property
    def address(self) -> str:
        """Return the one address that it answers for."""
        return self.line.workspace.organization.addresses[0]


@dataclass
class Wire:
    """The relay between two instances, which vouches for every sender."""

    twins: dict[str, Twin] = field(default_factory=dict)
    lying: bool = False
    """Whether it strips every header of machines, and asks something else whatever was answered."""
    count: int = 0

    async def carry(self) -> int:
        """Pass on what has come since the last time; return how much that was."""
        moved = 0
        for twin in self.twins.values():
            for message in twin.sink.messages[twin.passed :]:
                await self.deliver(message)
                moved += 1
            twin.passed = len(twin.sink.messages)
        return moved

    async def deliver(self, message: Received) -> None:
        """Hand a message to the receiver of its recipient, as a front server does."""
        self.count += 1
        target = self.twins[message.rcpt_to[0]]
        sender = message.mail_from
        content = message.content
        if self.lying:
            content, sender = self._disguised(content)
        domain = sender.rpartition("@")[2]
        verdict = (
            f"Authentication-Results: {FRONT}; dmarc=pass (p=reject) header.from={domain};"
            f" dkim=pass header.d={domain}; spf=pass smtp.mailfrom={sender}\r\n"
        )

        def send() -> None:
            with smtplib.SMTP("127.0.0.1", target.port, timeout=120) as client:
                client.sendmail(sender, message.rcpt_to, verdict.encode() + content)

        await asyncio.to_thread(send)

    def _disguised(self, content: bytes) -> tuple[bytes, str]:
        """Return a message without any sign of a machine, that asks on, and its sender."""
        message = message_from_bytes(content)
        ((_, sender),) = getaddresses([message["From"]])
        head = {"From": sender, "To": message["To"], "Subject": message["Subject"]}
        head["Date"] = message["Date"]
        head["Message-ID"] = f"<{self.count}@{sender.rpartition('@')[2]}>"
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        question = QUESTIONS[self.count // 2 % len(QUESTIONS)]
        return f"{lines}\r\n{question}".replace("\r\n", "\n").replace("\n", "\r\n").encode(), sender


@asynccontextmanager
async def open_twin(home: Path, name: str) -> AsyncIterator[Twin]:
    """Open an instance that may send by itself, with a receiver and a relay of its own."""
    clock = Clock()
    async with Sink() as sink, AsyncExitStack() as stack:
        given = {"transport": "smtp", "relay_port": sink.port, "relay_tls": "none"}
        given |= {"smtp_port": free_port(), "smtp_hostname": f"mx.{name}.example"}
        settings = settings_in(home, trusted_authserv_ids=(FRONT,), **given)
        house = await open_house(settings, clock)
        stack.push_async_callback(house.close)
        await house.add_organization(
            Organization(slug=name, name=name.title(), addresses=(f"hello@{name}.example",))
        )
        workspace = await house.get_workspace(name)
        await asyncio.to_thread(write_sources, workspace.sources)
        await sync_one(house, workspace)
        rules = tuple(AutonomyRule(category=one, auto_send=True) for one in Category)
        workspace.policy = workspace.policy.model_copy(
            update={
                "mode": Mode.LIVE,
                "autonomy_rules": rules,
                "confidence_threshold": 0.0,
                "undo_seconds": 0,
            }
        )
        stop, ready = asyncio.Event(), asyncio.Event()
        receiver = asyncio.create_task(
            serve(settings, stop=stop, ready=ready.set, sockets=listen(settings)[0])
        )
        await asyncio.wait_for(ready.wait(), 120)
        try:
            yield Twin(Line(house, workspace, clock), settings.smtp_port, sink)
        finally:
            stop.set()
            await receiver


@asynccontextmanager
async def pair(home: Path, *, lying: bool) -> AsyncIterator[tuple[Twin, Twin, Wire]]:
    """Open two instances and the wire between them."""
    async with open_twin(home / "a", "teasel") as one, open_twin(home / "b", "sorrel") as other:
        yield one, other, Wire({one.address: one, other.address: other}, lying=lying)


async def talk(wire: Wire, rounds: int) -> None:
    """Let both work and the wire carry, for so many rounds of three minutes."""
    for _ in range(rounds):
        for twin in wire.twins.values():
            await twin.line.run()
            await delivery_batch(twin.line.house, twin.line.workspace)
        await wire.carry()
        for twin in wire.twins.values():
            twin.line.clock.forward(180)


def first(sender: Twin, recipient: Twin) -> Received:
    """Return the letter that begins it, with an instance's own address as its sender."""
    head = {
        "From": sender.address,
        "To": recipient.address,
        "Subject": "Opening hours",
        "Date": "Mon, 02 Mar 2026 09:59:00 +0000",
        "Message-ID": f"<first@{sender.address.rpartition('@')[2]}>",
    }
    text = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    body = QUESTIONS[0].replace("\n", "\r\n")
    return Received(sender.address, [recipient.address], f"{text}\r\n{body}".encode())


async def left(twin: Twin) -> list[dict[str, object]]:
    """Return what left by itself."""
    return await twin.line.rows("SELECT subject, rcpt_to FROM deliveries WHERE automatic")


async def test_an_answer_of_the_other_instance_is_not_answered(tmp_path: Path) -> None:
    """One answers by itself; the other knows a machine's answer, keeps it and says nothing."""
    async with pair(tmp_path, lying=False) as (one, other, wire):
        for asked, asking in ((one, other), (other, one)):
            await wire.deliver(first(asking, asked))
            await talk(wire, 3)
            assert len(await left(asked)) == 1
            kept = await asking.line.rows(
                "SELECT status FROM messages WHERE automated_kind = 'out_of_office'"
            )
            assert [row["status"] for row in kept] == ["stored"]
        assert wire.count == 4
        for twin in (one, other):
            assert len(await twin.line.rows("SELECT id FROM cases")) == 1


async def test_two_instances_stop_though_every_header_lies(tmp_path: Path) -> None:
    """Stripped of every sign, and asking on each time, at most five pass within an hour."""
    async with pair(tmp_path, lying=True) as (one, other, wire):
        await wire.deliver(first(other, one))
        await talk(wire, 20)

        assert 4 <= wire.count <= MOST
        for twin in (one, other):
            cases = await twin.line.rows("SELECT outcome FROM cases")
            assert any(case["outcome"] == "auto_send" for case in cases)
        outcomes = [
            case["outcome"]
            for twin in (one, other)
            for case in await twin.line.rows("SELECT outcome FROM cases")
        ]
        assert "review" in outcomes, "nobody is told that it has stopped"
