"""The stage: what it asks for, and what it spares."""

import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from connectors.dns_resolver import RecordType, SystemResolver
from data.errors import SettingsError
from data.records.core.screening import Authentication, AuthResult
from data.settings import Settings, load_settings
from data.store.mail import messages
from flows.core.batch import Batch
from flows.mail.line.take import take_in_waiting
from flows.mail.stages.authenticate import THREADS, AuthenticateStage, authenticate_shortly
from flows.mail.stages.parse import ParseStage
from flows.mail.stages.run_stage import run_stage
from tasks.core.parse.parsing import parse
from tests.core.authentication.zone import PLAIN, QUINCE_HOST, ZoneResolver, envelope, signed, zone
from tests.core.small import SLUG, Line, open_line


class Counting(ZoneResolver):
    """A zone that notes how many are asking at the same time, and takes its time."""

    def __init__(self) -> None:
        super().__init__(zone())
        self.now = self.most = 0
        self.threads: Counter[str] = Counter()
        self._lock = threading.Lock()

    def answers(self, name: str, kind: RecordType, seconds: float) -> tuple[str, ...]:
        """Answer after a while."""
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.threads[threading.current_thread().name] += 1
        time.sleep(0.01)
        with self._lock:
            self.now -= 1
        return super().answers(name, kind, seconds)


async def authenticated(line: Line, stage: AuthenticateStage) -> dict[str, Authentication]:
    """Take what waits through reading and this stage; return what it journalled."""
    await take_in_waiting(line.house, 200)
    ids = await line.workspace.db.read(messages.list_due, line.clock(), 200)
    batch = Batch(house=line.house, workspace=line.workspace, ids=list(ids))
    await run_stage(ParseStage(), batch)
    await run_stage(stage, batch)
    return await batch.read_results("authenticate", Authentication)


async def test_the_stage_takes_message_and_peer_from_where_they_are(tmp_path: Path) -> None:
    """A signed message out of the archive passes, in threads, never more than allowed at once."""
    names = Counting()
    async with open_line(tmp_path / "var") as line:
        for number in range(40):
            line.house.spool.put(
                signed(PLAIN.replace(b"seven crates", b"%d crates" % number)),
                channel=envelope().channel,
                mail_from="petra@quince.example",
                rcpt_to=("hello@teasel.example",),
                peer=QUINCE_HOST,
            )
        said = await authenticated(line, AuthenticateStage(lambda: names))
    assert len(said) == 40
    assert {one.dmarc for one in said.values()} == {AuthResult.PASS}
    assert {one.spf for one in said.values()} == {AuthResult.PASS}
    assert 1 < names.most <= THREADS
    assert all(thread.startswith("authenticate") for thread in names.threads)


async def test_a_reserved_domain_costs_no_question(tmp_path: Path) -> None:
    """With the resolver that the engine opens, made-up domains are answered at once."""
    async with open_line(tmp_path / "var") as line:
        sent = line.send("When do the crates arrive?")
        said = (await authenticated(line, AuthenticateStage()))[sent]
    assert said.dmarc is AuthResult.NOT_ESTABLISHED
    assert said.reasons == ("not asked: heron.example is a name that nobody can own (RFC 2606)",)
    assert line.workspace.slug == SLUG


def test_switched_off_nothing_is_asked() -> None:
    """The setting stops every question and says so."""
    names, settings = ZoneResolver(zone()), Settings(authenticate_senders=False)
    said = authenticate_shortly(parse(PLAIN), envelope(), settings, names)
    assert said is not None
    assert said.reasons == ("not asked: setting 'authenticate_senders' is off",)
    assert names.asked == []


def test_a_dead_resolver_is_the_reason() -> None:
    """While the resolver is silent, messages pass by with that reason."""
    names = ZoneResolver(zone(), refusal="no resolver answered")
    said = authenticate_shortly(parse(PLAIN), envelope(), Settings(), names)
    assert said == Authentication(reasons=("not asked: no resolver answered",))


def test_networks_in_settings_have_to_be_networks() -> None:
    """A front server that is no address is refused when the settings are read."""
    with pytest.raises(SettingsError, match="trusted_front_servers"):
        load_settings(trusted_front_servers=("mx.alder.example",))
    assert Settings(trusted_front_servers=("192.0.2.9",)).trusted_front_servers == ("192.0.2.9/32",)


def test_nothing_to_establish_asks_nobody() -> None:
    """Where the domain is reserved the answer comes without a question."""
    mail, names = parse(PLAIN), Refusing()
    for _ in range(200):
        assert authenticate_shortly(mail, envelope(), Settings(), names) is not None
    assert names.asked == 0


class Refusing(SystemResolver):
    """The resolver of this machine, which counts what it is asked."""

    asked = 0

    def answers(self, name: str, kind: RecordType, seconds: float) -> tuple[str, ...]:
        """Count a question."""
        self.asked += 1
        return super().answers(name, kind, seconds)
