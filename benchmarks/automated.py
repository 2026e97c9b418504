"""Automated mail: how much of it is recognized, and how much ordinary mail is taken for it.

    python -m benchmarks automated --replies DIR [--index FILE] [--mail DIR]

`--replies`: a folder of messages that machines wrote (bounces, absence notes). An index of one JSON
object a line, by default `DIR_index.jsonl` beside it, gives the `path` of each (its end is enough),
its `class`, and whether an automatic reply would be right (`send_auto_reply_ok`). `--mail`: a
folder of ordinary mail; files named `ham-` are wanted, `spam-` unwanted. Every message counts as
sent to the address that it names first, so that being a stranger to us is no sign.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from pathlib import Path

from data.records.core.envelope import Channel, Envelope
from data.records.core.parsed_mail import Automated, AutomatedKind, ParsedMail
from tasks.core.parse.parsing import parse
from tasks.mail.automated.bounce import read_bounce
from tasks.mail.automated.detecting import detect_automated

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OWN = ("desk@postern.example",)
SHOWN = 20
"""Messages that are named, of each kind of mistake."""


def main() -> int:
    """Measure what was asked for; return the exit status."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--replies", type=Path, help="a folder of mail that machines wrote")
    asked.add_argument("--index", type=Path, help="what is in it; default: beside it")
    asked.add_argument("--mail", type=Path, help="a folder of ordinary mail")
    given = asked.parse_args()
    if given.replies is None and given.mail is None:
        print("nothing to measure: give --replies DIR, --mail DIR, or both")
        return 0
    if given.replies is not None:
        index = given.index or given.replies.with_name(f"{given.replies.name}_index.jsonl")
        recognized(given.replies, index)
    if given.mail is not None:
        false_alarms(given.mail)
    return 0


def recognized(folder: Path, index: Path) -> None:
    """Print how many of the machines' messages are known as such, and what bounces say."""
    right, total = 0, 0
    kinds: Counter[str] = Counter()
    stated: Counter[str] = Counter()
    bounces = recipients = statuses = 0
    for path, entry in entries(folder, index):
        if entry.get("send_auto_reply_ok"):
            continue
        total += 1
        stated[str(entry.get("class", "?"))] += 1
        mail, found = judged(path)
        right += found.automated
        kinds[str(found.kind)] += 1
        if not found.automated and total - right <= SHOWN:
            print(f"  not recognized: {path.name}")
        if found.kind is AutomatedKind.BOUNCE:
            report = read_bounce(mail)
            bounces += 1
            recipients += bool(report)
            statuses += any(one.status for one in report)
    print(f"machines' mail: {right} of {total} recognized ({right / max(1, total):.1%})")
    print(f"  stated as: {listed(stated)}")
    print(f"  called: {listed(kinds)}")
    print(f"  of {bounces} bounces: a failed recipient in {recipients}, a status in {statuses}")


def false_alarms(folder: Path) -> None:
    """Print what ordinary mail is taken for, and why, where wording alone made it."""
    called: dict[str, Counter[str]] = {"ham": Counter(), "spam": Counter(), "": Counter()}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        label = path.name.partition("-")[0]
        _, found = judged(path)
        called[label if label in called else ""][str(found.kind)] += 1
        if label == "ham" and found.automated and all("header" not in why for why in found.reasons):
            print(f"  without a header that says so: {path.name}: {'; '.join(found.reasons)}")
    for label, counts in called.items():
        if counts:
            name = {"ham": "wanted", "spam": "unwanted"}.get(label, "other")
            machines = counts.total() - counts[str(AutomatedKind.NONE)]
            print(f"{name} mail: {machines} of {counts.total()} called automated: {listed(counts)}")


def entries(folder: Path, index: Path) -> Iterator[tuple[Path, dict[str, object]]]:
    """Yield the files of an index that lie in the folder, with what it says of each."""
    there = {path.name: path for path in sorted(folder.rglob("*")) if path.is_file()}
    by_end = {str(path.relative_to(folder)): path for path in there.values()}
    for line in index.read_text(encoding="utf-8").splitlines():
        entry: dict[str, object] = json.loads(line)
        name = str(entry["path"])
        end = name.partition(f"{folder.name}/")[2] or name
        if path := by_end.get(end) or there.get(Path(name).name):
            yield path, entry


def judged(path: Path) -> tuple[ParsedMail, Automated]:
    """Return a message as read, and what it is taken for."""
    raw = path.read_bytes()
    mail = parse(raw)
    return mail, detect_automated(mail, envelope(raw), OWN, frozenset(), lambda _: False)


def envelope(raw: bytes) -> Envelope:
    """Return an envelope as a server would have had it: Return-Path, and who is written to."""
    head: Message = BytesHeaderParser().parsebytes(raw)
    back = str(head.get("Return-Path", head.get("From", "")))
    sender = next((address for _, address in getaddresses([back]) if "@" in address), "")
    named = [str(value) for name in ("To", "Cc") for value in head.get_all(name, [])]
    to = next((address for _, address in getaddresses(named) if "@" in address), OWN[0])
    return Envelope(
        spool_id="01",
        channel=Channel.SMTP,
        received_at=NOW,
        mail_from="" if back.strip() == "<>" else sender,
        rcpt_to=(to,),
        size_bytes=len(raw),
        sha256="0",
    )


def listed(counts: Counter[str]) -> str:
    """Return counts as one line, the most first."""
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())


if __name__ == "__main__":
    raise SystemExit(main())
