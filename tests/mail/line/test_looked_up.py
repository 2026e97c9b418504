"""Links looked up over the whole line: a service on loopback, and one that fails."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from connectors.safe_browsing import SafeBrowsing
from flows.mail.line.mailroom import mailroom_of
from tests.core.small import open_line
from tests.mail.gate.test_safe_browsing import google, matches

BAD = "http://bad.example/parcel"
LURE, DOUBTFUL = "http://broom.example/parcel", "http://gorse.example/site"


class Service(BaseHTTPRequestHandler):
    """Says that one address is bad."""

    def do_POST(self) -> None:
        """Answer a question."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.heard.append(body["urls"])  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.end_headers()
        self.wfile.write(json.dumps({"results": [{"url": BAD, "verdict": "malicious"}]}).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[Any]:
    """Serve opinions."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        server.heard, server.status = [], 200  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


def setting(service: Any, **more: object) -> dict[str, object]:  # noqa: ANN401
    """Return the settings that name the service."""
    url = f"http://127.0.0.1:{service.server_address[1]}/ask"
    return {"url_reputation_url": url, "url_reputation_allow_private": True, **more}


async def test_a_bad_link_stops_its_message_only(tmp_path: Path, service: Any) -> None:  # noqa: ANN401
    """One question for a batch; the message with the bad link is stopped, its neighbour goes on."""
    async with open_line(tmp_path / "var", **setting(service)) as line:
        bad = line.send(f"Your parcel: {BAD}?who=mara When are you open?")
        good = line.send("My loom is at https://good.example/loom, when are you open?")
        await line.run()
        assert sorted(service.heard[0]) == [BAD, "https://good.example/loom"]
        assert len(service.heard) == 1
        assert await line.status(bad) == "quarantined"
        assert await line.status(good) != "quarantined"


@pytest.mark.parametrize(("failure", "verdict"), [("ignore", "clean"), ("flag", "flagged")])
async def test_a_failing_service_stops_nothing(
    tmp_path: Path,
    service: Any,  # noqa: ANN401
    failure: str,
    verdict: str,
) -> None:
    """It counts for nothing, or flags mail with links, as the setting says."""
    service.status = 500
    given = setting(service, url_reputation_failure=failure)
    async with open_line(tmp_path / "var", **given) as line:
        linked = line.send("My loom is at https://good.example/loom, when are you open?")
        plain = line.send("When are you open?", subject="Hours")
        await line.run()
        rows = await line.rows("SELECT id, verdict, status FROM messages")
        found = {row["id"]: row["verdict"] for row in rows}
        assert (found[linked], found[plain]) == (verdict, "clean")
        assert "quarantined" not in {row["status"] for row in rows}


async def test_what_google_calls_deception_stops_its_message_and_says_so(tmp_path: Path) -> None:
    """A lure is stopped, a doubtful link flagged, a plain one untouched; each tells who said it.

    A Google that does not take the key stops nothing.
    """
    body = matches((LURE, "SOCIAL_ENGINEERING"), (DOUBTFUL, "UNWANTED_SOFTWARE"))
    async with (
        open_line(tmp_path / "var") as line,
        google("200 OK", body) as (base, heard),
        google("403 Forbidden", b"{}") as (refusing, _),
    ):
        mailroom_of(line.house).reputation = SafeBrowsing("shuttle", base=base)
        lure = line.send(f"Your parcel waits: {LURE} When are you open?")
        doubtful = line.send(f"Is {DOUBTFUL} your new site? When are you open?")
        plain = line.send("My loom is at https://good.example/loom, when are you open?")
        await line.run()
        assert await line.status(lure) == "quarantined"
        assert await line.status(doubtful) == await line.status(plain) == "draft_ready"
        for item, words in ((lure, "deception"), (doubtful, "unwanted software")):
            text = str(
                await line.rows(
                    "SELECT output FROM steps WHERE stage = 'screen' AND item_id = ?", item
                )
            )
            assert f"Google Safe Browsing: {words}" in text
        assert len(heard) == 1
        mailroom_of(line.house).reputation = SafeBrowsing("shuttle", base=refusing)
        again = line.send(f"And the parcel of my sister: {LURE} When are you open?")
        await line.run()
        assert await line.status(again) != "quarantined"
