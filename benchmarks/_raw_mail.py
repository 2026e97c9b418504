"""Attacks as raw mail, read as `postern try --until screen` does, against ordinary mail."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from email.message import EmailMessage
from typing import Any

from data.records.core.envelope import Envelope
from data.records.core.organization import Policy
from data.records.core.screening import Screening, Verdict
from tasks.core.screen import KnownSenders, load_classifier, screen
from tasks.mail.automated.detecting import detect_automated
from tasks.mail.read import read_mail


def wrapped(subject: str, text: str) -> bytes:
    """Return a message as it comes from a mail program."""
    message = EmailMessage()
    message["From"] = "Somebody <somebody@example.net>"
    message["To"] = "office@example.org"
    message["Subject"] = " ".join(subject.split())
    message["Date"] = "Thu, 01 Jan 2026 10:00:00 +0000"
    message["Message-ID"] = "<1@example.net>"
    message.set_content(text)
    return message.as_bytes()


def judge_raw(raw: bytes, envelope: Envelope) -> Screening:
    """Read and screen a raw message."""
    reading = read_mail(raw)
    automated = detect_automated(reading.mail, envelope, (), (), lambda _: False)
    return screen(
        reading.mail,
        reading.segments,
        automated,
        envelope,
        Policy(),
        KnownSenders(),
        load_classifier(),
    )


def report(
    attacks: Iterable[tuple[str, Mapping[str, Any]]],
    ordinary: Sequence[Screening],
    envelope: Envelope,
) -> None:
    """Print what share of the attacks scores above 99 % of the ordinary mails, by source.

    It is the whole score, spam and phishing included: what `postern try` prints as `score`.
    """
    limit = sorted((one.score for one in ordinary), reverse=True)[len(ordinary) // 100]
    found: dict[str, list[Screening]] = defaultdict(list)
    for name, row in attacks:
        raw = wrapped(row.get("subject") or "", row.get("body_text") or "")
        found[name].append(judge_raw(raw, envelope))
    explicit = [one for name, some in found.items() if "implicit" not in name for one in some]
    print(f"\nraw mail: 1 % of {len(ordinary)} ordinary mails exceed the score {limit:.3f}")
    print(f"{'attacks as raw mails':58} {'n':>5} {'at 1% fp':>9} {'flagged':>8}")
    for name, some in [*sorted(found.items()), ("explicit only", explicit)]:
        above = sum(one.score > limit for one in some) / len(some)
        flagged = sum(one.verdict is not Verdict.CLEAN for one in some) / len(some)
        print(f"{name[-58:]:58} {len(some):5} {above:9.3f} {flagged:8.3f}")
