"""How the played sample inbox is classified, against what its timeline expects."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from data.errors import UnreadableMailError
from data.records.core.understanding import Category, Priority
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.read import Reading, read_mail
from tasks.mail.thread.matter import CARRIED

SAMPLE = Path(__file__).parent.parent / "data" / "samples" / "fieldfare-audio"
OWN = "@fieldfare.example"
STAND_INS = {b"@@DATE@@": b"Mon, 02 Mar 2026 09:00:00 +0000", b"@@PAD@@": b"AAAA"}


def _reading(entry: dict[str, Any]) -> Reading | None:
    raw = (SAMPLE / "inbox" / entry["file"]).read_bytes()
    for mark, text in STAND_INS.items():
        raw = raw.replace(mark, text)
    try:
        return read_mail(raw)
    except UnreadableMailError:
        return None


class Conversations:
    """What is known of the conversations when a message comes: history, and what was said of it."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._decided: dict[str, Category] = {}
        for line in (SAMPLE / "history.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            before = self._texts.get(row["in_reply_to"] or "", "")
            self._texts[row["message_id"]] = f"{before}\n{row['subject']}\n{row['text']}".strip()

    def before(self, read: Reading) -> tuple[Category | None, str]:
        """What the message's conversation was about, and what was said in it."""
        named = [own for own in (read.mail.in_reply_to, *read.mail.references[::-1]) if own]
        decided = next((self._decided[own] for own in named if own in self._decided), None)
        earlier = next((self._texts[own] for own in named if own in self._texts), "")
        return decided, earlier or read.segments.quoted

    def told(self, read: Reading, category: Category) -> None:
        """Remember what was said of a message, right or wrong."""
        decided = category if category in CARRIED else self.before(read)[0]
        if read.mail.message_id and decided is not None:
            self._decided[read.mail.message_id] = decided


def _incoming(
    entry: Mapping[str, Any], read: Reading, known: set[str], talks: Conversations
) -> Incoming:
    sender = str(entry["envelope_from"]).lower()
    decided, earlier = talks.before(read)
    return Incoming(
        text=read.segments.new,
        subject=read.mail.subject,
        internal=sender.endswith(OWN),
        known_sender=sender in known,
        reply=bool(read.segments.quoted),
        addressed=tuple(entry["to"]),
        continued=decided,
        earlier=earlier,
    )


def played() -> dict[str, Any]:
    """Agreement with the timeline, and where urgency differs.

    Attacks that the screen quarantines never reach the classifier and are left out. Where a note
    allows a second category, only the first counts as right. What a conversation was about is what
    was said of its messages before, as in the line, not what the timeline expects of them.
    """
    timeline = yaml.safe_load((SAMPLE / "inbox" / "timeline.yaml").read_text(encoding="utf-8"))
    with (SAMPLE / "contacts.csv").open(encoding="utf-8") as file:
        known = {row["email"].lower() for row in csv.DictReader(file)}
    pairs, said = [], []
    classifier, talks = LocalClassifier(), Conversations()
    for entry in timeline["entries"]:
        expect = entry.get("expect") or {}
        if "category" in expect and "file" in entry and expect.get("verdict") != "quarantine":
            read = _reading(entry)
            if read is None:
                continue
            pairs.append((entry["id"], expect))
            said += classifier.classify_many([_incoming(entry, read, known, talks)])
            talks.told(read, said[-1].category)
    wrong, missed, false = [], [], []
    for (name, expect), one in zip(pairs, said, strict=True):
        if one.category.value != expect["category"]:
            wrong.append(f"{name}: {expect['category']} → {one.category.value}")
        if "priority" in expect:
            if expect["priority"] == "urgent" and one.priority is not Priority.URGENT:
                missed.append(name)
            if expect["priority"] != "urgent" and one.priority is Priority.URGENT:
                false.append(name)
    right = sum(
        expect.get("priority", one.priority.value) == one.priority.value
        for (_, expect), one in zip(pairs, said, strict=True)
    )
    return {
        "messages": len(pairs),
        "category": round(1 - len(wrong) / len(pairs), 3),
        "priority": round(right / len(pairs), 3),
        "urgent_missed": missed,
        "urgent_false": false,
        "wrong": wrong,
    }


if __name__ == "__main__":
    for name, found in played().items():
        print(f"{name:14} {found}")
