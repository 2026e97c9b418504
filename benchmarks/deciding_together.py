"""People in browsers who decide on one queue, each in a window of their own.

    postern demo --fast                   # or a home of your own, in another terminal
    python -m benchmarks.deciding_together LINK --home var/demo

The link is the one that signs an administrator in. As many mails as `--messages` are sent to the
receiver, and people are made who open the review queue and approve what they see, one case after
the other, for `--minutes`. Printed are how many decisions there were, whether any case was decided
on twice, whether a page ever showed the words of two cases or offered to approve another case than
the shown one, how long it takes from a press of A to the next case and from J to the next case
(median), and what share of a core the engine and the window took. Six browsers beside the engine
take all of two cores, so there the seconds say how busy the browsers are; one browser says them.
"""

import argparse
import json
import smtplib
import statistics
import subprocess
import tempfile
import threading
import time
from collections import Counter
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from benchmarks.line import spent_by
from tests.core.window.browsing import RESTS, Browser, Chromium
from tests.mail.window.test_nothing_stays import APPROVE, OPEN, WATCH

TEXT = (
    "Hello,\n\nI forgot the password of the portal and the mail with the link does not come. {}\n"
)
REFUSED = (
    "[...document.querySelectorAll('.stAlert')]"
    ".some((notice) => notice.innerText.includes('so nothing was done'))"
)
LOOKING = WATCH.partition("new MutationObserver")[0] + "setInterval(words, 250);"
"""Six pages that are looked at with each change take all of two cores; four times a second do."""
PATIENCE = 30.0
"""How long a person waits for the next case, seconds."""


class Person(threading.Thread):
    """Somebody who decides on one case after the other, in a browser."""

    def __init__(self, browser: Browser, link: str, place: int, until: float) -> None:
        super().__init__(name=f"person-{place}", daemon=True)
        self._browser, self._link, self._place, self._until = browser, link, place, until
        self.approved: list[float] = []
        """Seconds from a press of A to the next case, one for each decision."""
        self.stepped: list[float] = []
        """Seconds from a press of J to the next case."""
        self.refused = 0
        """Presses of A on a case that somebody else had decided on."""
        self.seen: dict[str, Any] = {"mixed": [], "approvable": {}}
        self.trouble = ""

    def run(self) -> None:
        """Decide until the time is over or nothing can be approved any more."""
        try:
            self._browser.open(self._link, 1440, 900)
            self._browser.until(f"!!({OPEN})")
            self._browser.settles()
            self._browser.value(LOOKING)
            for _ in range(3 * self._place):  # not everybody begins with the same case
                self._step("j")
            while time.monotonic() < self._until:
                if self._browser.comes(f"!!document.querySelector('{APPROVE}')", 1):
                    self._approve()
                self.stepped.append(self._step("j"))
            self.seen = self._browser.value("window.seen") or self.seen
        except Exception as error:  # noqa: BLE001  # the others go on; it is printed at the end
            self.trouble = f"{type(error).__name__}: {error}"

    def _approve(self) -> None:
        """Press A; where a colleague was quicker, nothing is done and the page says so."""
        took = self._step("a")
        if self._browser.value(REFUSED):
            self.refused += 1
        else:
            self.approved.append(took)

    def _step(self, key: str) -> float:
        """Press a key; return how many seconds later another case is open, at most PATIENCE."""
        before, began = self._browser.value(OPEN), time.monotonic()
        self._browser._press(key)  # one press, as it is timed
        changed = f"({OPEN} && {OPEN} !== {json.dumps(before)})"
        if key == "a":
            changed += f" || ({REFUSED})"
        self._browser.comes(changed, PATIENCE, pause=0.01)
        took = time.monotonic() - began
        self._browser.comes(RESTS, 2)  # nobody decides on what is being drawn
        return took


def send(port: int, to: str, count: int) -> None:
    """Send `count` mails to the receiver, each with a matter of its own."""
    # a matter of an earlier run would join its conversation
    first = int(time.time()) % 100_000 * 1000
    with smtplib.SMTP("127.0.0.1", port) as server:
        for number in range(first, first + count):
            mail = EmailMessage()
            mail["From"] = f"Guest {number} <guest{number}@heron.example>"
            mail["To"], mail["Subject"] = to, f"Password, matter-{number}"
            mail.set_content(TEXT.format("What now?"))
            server.send_message(mail)


def wait_for_cases(client: httpx.Client, slug: str, count: int) -> int:
    """Wait until so many cases are before a person; return how many there are."""
    end = time.monotonic() + 900
    while (total := client.get(f"/{slug}/queue?limit=1").json()["total"]) < count:
        if time.monotonic() > end:
            raise SystemExit(f"only {total} cases have come after a quarter of an hour")
        time.sleep(2)
    return int(total)


def make_people(client: httpx.Client, slug: str, count: int) -> list[str]:
    """Make users who may decide; return a token of each."""
    tokens = []
    for number in range(count):
        key = f"{number}-{time.time_ns()}"
        user = {
            "name": f"Reviewer {key}",
            "email": f"reviewer.{key}@heron.example",
            "grants": [{"role": "reviewer", "organization": slug}],
        }
        answer = client.post("/users", json=user).raise_for_status().json()
        order = {"user": answer["name"], "user_id": answer["id"]}
        tokens.append(client.post("/tokens", json=order).raise_for_status().json()["token"])
    return tokens


def find_processes(home: Path) -> dict[str, list[int]]:
    """Return the ids of the engine and of the window that run over a home."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout
    ids: dict[str, list[int]] = {"engine": [], "window": []}
    for row in listed.splitlines():
        pid, _, words = row.strip().partition(" ")
        name = (
            "engine"
            if "flows.cli engine" in words
            else "window"
            if "streamlit run" in words
            else ""
        )
        if name and str(home.resolve()) in Path(f"/proc/{pid}/environ").read_text(errors="replace"):
            ids[name].append(int(pid))
    return ids


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("link", nargs="?", help="the link that signs an administrator in")
    options.add_argument("--home", type=Path, default=Path("var/demo"), help="the home that runs")
    options.add_argument("--people", type=int, default=6)
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--messages", type=int, default=600)
    options.add_argument("--api", type=int, default=8080, help="port of the API")
    options.add_argument("--smtp", type=int, default=8025, help="port of the receiver")
    chosen = options.parse_args()
    if chosen.link is None:
        print("left out: it needs the link of a window that runs")
        return
    parts = urlsplit(chosen.link)
    token = parse_qs(parts.query)["token"][0]
    client = httpx.Client(
        base_url=f"http://127.0.0.1:{chosen.api}/v1",
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )
    organization = client.get("/me").json()["organizations"][0]
    slug = organization["slug"]
    address = client.get(f"/{slug}/profile").json()["profile"]["addresses"][0]
    before = client.get(f"/{slug}/queue?limit=1").json()["total"]
    send(chosen.smtp, address, chosen.messages)
    total = wait_for_cases(client, slug, before + chosen.messages)
    tokens = make_people(client, slug, chosen.people)
    pids = find_processes(chosen.home)
    with tempfile.TemporaryDirectory() as folder:
        running = Chromium(Path(folder))
        browsers = [Browser(running) for _ in tokens]
        spent = {name: spent_by(ids) for name, ids in pids.items()}
        began = time.monotonic()
        people = [
            Person(
                browser,
                f"{parts.scheme}://{parts.netloc}/review?token={own}",
                place,
                began + 60 * chosen.minutes,
            )
            for place, (browser, own) in enumerate(zip(browsers, tokens, strict=True))
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()
        took = time.monotonic() - began
        cores = {name: (spent_by(ids) - spent[name]) / took for name, ids in pids.items()}
        for browser in browsers:
            browser.close()
        running.close()
    report(client, slug, people, total, took, cores)


def read_approvals(client: httpx.Client, slug: str) -> list[dict[str, Any]]:
    """Return every approval of the audit log."""
    events: list[dict[str, Any]] = []
    while page := client.get(f"/{slug}/audit?limit=500&offset={len(events)}&action=approve").json()[
        "items"
    ]:
        events += page
    return events


def report(
    client: httpx.Client,
    slug: str,
    people: list[Person],
    total: int,
    took: float,
    cores: dict[str, float],
) -> None:
    """Print what there was."""
    events = read_approvals(client, slug)
    twice = [case for case, times in Counter(e["subject"] for e in events).items() if times > 1]
    mixed = [words for person in people for words in person.seen["mixed"]]
    others = [
        (case, matters)
        for person in people
        for case, matters in person.seen["approvable"].items()
        if len([matter for matter in matters if matter]) > 1
    ]
    approved = [seconds for person in people for seconds in person.approved]
    stepped = [seconds for person in people for seconds in person.stepped]
    print(f"{len(people)} people, {took / 60:.1f} min, {total} cases before a person at the begin")
    print(f"  approvals in the audit log {len(events)}, cases approved twice {len(twice)}")
    print(f"  pages that showed two cases {len(mixed)}, offers of another case {len(others)}")
    for name, seconds in (("A", approved), ("J", stepped)):
        if seconds:
            print(
                f"  {name} to the next case: {statistics.median(seconds):.2f} s median of "
                f"{len(seconds)}, {max(seconds):.1f} s at most"
            )
    print(f"  refused because a colleague was quicker {sum(p.refused for p in people)}")
    print("  of a core: " + ", ".join(f"{name} {share:.2f}" for name, share in cores.items()))
    for person in people:
        if person.trouble:
            print(f"  {person.name} ended early: {person.trouble[:300]}")


if __name__ == "__main__":
    main()
