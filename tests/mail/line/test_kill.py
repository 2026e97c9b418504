"""The engine is killed at random moments, and every message is finished once all the same."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import httpx
import pytest

from connectors.spool import Spool
from data.records.core.envelope import Channel
from tests.core.running.prefect_server import real_server
from tests.core.small import ADDRESS, SLUG, TEASEL, letter, open_line
from tests.ports import free_port, is_answered

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(1200)]
MESSAGES, KILLS = 40, int(os.environ.get("POSTERN_TEST_KILLS", "2"))


@dataclass
class Service:
    """A Prefect server, and an engine that is started and killed beside it."""

    home: Path
    env: dict[str, str]
    api: str
    http: httpx.Client = field(default_factory=lambda: httpx.Client(trust_env=False, timeout=120))
    engine: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the engine and wait until it answers."""
        with (self.home / "engine.out").open("ab") as out:
            self.engine = subprocess.Popen(
                [sys.executable, "-m", "flows.cli", "engine"], env=self.env, stdout=out, stderr=out
            )
        self.wait(lambda: is_answered(f"{self.api}/healthz"), 300)

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.engine is not None
        self.engine.send_signal(signal.SIGKILL)
        self.engine.wait()

    def wait(self, done: object, seconds: float) -> None:
        """Wait until `done()` is true."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if done():  # type: ignore[operator]
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.2)
        raise AssertionError(self.said())

    def said(self) -> str:
        """Return the engine's last words."""
        return (self.home / "engine.out").read_text()[-3000:]

    def ask(self, path: str, body: object = None) -> httpx.Response:
        """Ask the API about the tiny organization."""
        token = (self.home / "secrets" / "operator.token").read_text()
        return self.http.request(
            "GET" if body is None else "POST",
            f"{self.api}/v1/{SLUG}{path}",
            json=body,
            headers={"Authorization": f"Bearer {token}"},
        )

    def settled(self) -> bool:
        """Whether every message is where a person or nobody has to act."""
        counts = {c["name"]: c["value"] for c in self.ask("/overview").json()["by_status"]}
        return sum(counts.get(name, 0) for name in ("draft_ready", "escalated")) == MESSAGES

    def all_sent(self) -> bool:
        """Whether nothing waits in the outbox."""
        states = {item["state"] for item in self.ask("/outbox?limit=200").json()["items"]}
        return states == {"sent"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A home with the tiny organization and a full spool, and a Prefect server."""
    home = tmp_path / "var"
    asyncio.run(prepare(home))
    api = free_port()
    with real_server(home) as server:
        env = os.environ | {
            "POSTERN_HOME": str(home),
            "POSTERN_API_PORT": str(api),
            "POSTERN_PREFECT_PORT": server.port,
            "POSTERN_BATCH_SIZE": "16",
            "POSTERN_COALESCE_SECONDS": "0",
            "POSTERN_PARSE_PROCESSES": "1",
        }
        made = Service(home, env, f"http://127.0.0.1:{api}")
        try:
            yield made
        finally:
            made.http.close()
            if made.engine is not None and made.engine.poll() is None:
                made.engine.terminate()
                made.engine.wait(300)


async def prepare(home: Path) -> None:
    """Make the organization, and put messages of many senders into the spool."""
    async with open_line(home):
        spool = Spool(home / "spool")
        for number in range(MESSAGES):
            sender = f"person{number}@heron.example"
            raw = letter(f"When is the workshop open? Number {number}.", sender=sender)
            spool.put(raw, channel=Channel.INGEST, mail_from=sender, rcpt_to=(ADDRESS,))


def test_killed_anywhere_and_every_message_is_finished_once(service: Service) -> None:
    """After kills in intake, work and delivery: nothing lost, nothing twice, all of it sent."""
    chance = random.Random(20260302)
    for _ in range(KILLS):
        service.start()
        time.sleep(chance.uniform(0.1, 4.0))
        service.kill()
    service.start()
    service.wait(service.settled, 600)

    for item in service.ask("/queue?limit=200").json()["items"][:20]:
        case = service.ask(f"/cases/{item['case_id']}").json()
        given = {"version": case["version"], "approval_hash": case["approval_hash"]}
        assert service.ask(f"/cases/{case['id']}/approve", given).status_code == 200
    service.kill()
    service.start()
    service.wait(service.all_sent, 300)
    assert service.engine is not None
    service.engine.terminate()
    assert service.engine.wait(120) == 0, service.said()
    check_state(service.home)


def check_state(home: Path) -> None:
    """Read what is left on the disk."""
    folder = home / "organizations" / TEASEL.slug
    with duckdb.connect(str(folder / "state.duckdb")) as state:
        messages = state.execute("SELECT count(*), count(DISTINCT id) FROM messages").fetchall()
        in_cases = state.execute(
            "SELECT unnest(message_ids) FROM cases WHERE state <> 'superseded'"
        ).fetchall()
        steps = state.execute(
            "SELECT stage, item_id FROM steps WHERE status = 'done' AND NOT superseded"
        ).fetchall()
        deliveries = state.execute("SELECT count(*) FROM deliveries").fetchall()
    assert messages == [(MESSAGES, MESSAGES)]
    assert len(in_cases) == len(set(in_cases)) == MESSAGES
    assert max(Counter(steps).values()) == 1
    assert len(list((home / "outgoing" / "new").iterdir())) == deliveries[0][0] == 20
