"""How the played sample inbox is classified, against what its timeline expects."""

import csv
from pathlib import Path
from typing import Any

import yaml

from data.errors import UnreadableMailError
from data.records.understanding import Priority
from tasks.classify import Incoming, LocalClassifier
from tasks.read import read_mail

SAMPLE = Path(__file__).parent.parent / "data" / "samples" / "fieldfare-audio"
OWN = "@fieldfare.example"
STAND_INS = {b"@@DATE@@": b"Mon, 02 Mar 2026 09:00:00 +0000", b"@@PAD@@": b"AAAA"}


def _incoming(entry: dict[str, Any], known: set[str]) -> Incoming | None:
    raw = (SAMPLE / "inbox" / entry["file"]).read_bytes()
    for mark, text in STAND_INS.items():
        raw = raw.replace(mark, text)
    try:
        read = read_mail(raw)
    except UnreadableMailError:
        return None
    sender = str(entry["envelope_from"]).lower()
    return Incoming(
        text=read.segments.new,
        subject=read.mail.subject,
        internal=sender.endswith(OWN),
        known_sender=sender in known,
        reply=bool(read.segments.quoted),
        addressed=tuple(entry["to"]),
    )


def played() -> dict[str, Any]:
    """Agreement with the timeline, and where urgency differs.

    Attacks that the screen quarantines never reach the classifier and are left out. Where a note
    allows a second category, only the first counts as right.
    """
    timeline = yaml.safe_load((SAMPLE / "inbox" / "timeline.yaml").read_text(encoding="utf-8"))
    with (SAMPLE / "contacts.csv").open(encoding="utf-8") as file:
        known = {row["email"].lower() for row in csv.DictReader(file)}
    pairs = []
    for entry in timeline["entries"]:
        expect = entry.get("expect") or {}
        if "category" in expect and "file" in entry and expect.get("verdict") != "quarantine":
            own = _incoming(entry, known)
            if own is not None:
                pairs.append((entry["id"], expect, own))
    said = LocalClassifier().classify_many([own for _, _, own in pairs])
    wrong, missed, false = [], [], []
    for (name, expect, _), one in zip(pairs, said, strict=True):
        if one.category.value != expect["category"]:
            wrong.append(f"{name}: {expect['category']} → {one.category.value}")
        if "priority" in expect:
            if expect["priority"] == "urgent" and one.priority is not Priority.URGENT:
                missed.append(name)
            if expect["priority"] != "urgent" and one.priority is Priority.URGENT:
                false.append(name)
    right = sum(
        expect.get("priority", one.priority.value) == one.priority.value
        for (_, expect, _), one in zip(pairs, said, strict=True)
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
