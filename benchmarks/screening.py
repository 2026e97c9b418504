"""How the screen does: recall, false positives, speed.

First how quick it is on hostile text and on short messages, then what it finds in public attacks
and ordinary mail in the folder given, which nobody here wrote, as texts and as raw mail; without
the folder that part is left out. Measures only: nothing of it is ever learned from or written down.
What it finds in the mails of our own corpus that are measured on: `benchmarks.screening_measured`.

    python -m benchmarks.screening [FOLDER]
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks._hostile_text import INPUTS, WHOLE, patterns, searching, seconds_for
from benchmarks._raw_mail import report as report_raw_mail
from data.errors import UnreadableMailError
from data.records.core.envelope import Channel, Envelope
from data.records.core.organization import Policy
from data.records.core.parsed_mail import Address, Automated, ParsedMail, Segments
from data.records.core.screening import Screening, Verdict
from flows.core.garbage_collection import settle_heap
from tasks.core.screen import KnownSenders, Views, load_classifier, screen, screen_all
from tasks.core.screen.scoring import CLASSIFIER, combine
from tasks.mail.automated.detecting import detect_automated
from tasks.mail.read import read_mail
from training.screening.measured import measured_mails

POLICY = Policy()
_BATCH = 64
"""Messages that the line screens at once."""
_SHORT = 400
"""Messages of fewer characters are short ones."""
ENVELOPE = Envelope(
    spool_id="0",
    channel=Channel.INGEST,
    received_at=datetime(2026, 1, 1, tzinfo=UTC),
    rcpt_to=("office@example.org",),
    size_bytes=0,
    sha256="0",
)


def judge_all(letters: Iterable[tuple[str, str]]) -> list[Screening]:
    """Screen letters, each a subject and a body."""
    return screen_all((views_of(*letter) for letter in letters), load_classifier())


def judge(subject: str, text: str) -> Screening:
    """Screen a subject and a body."""
    return judge_all([(subject, text)])[0]


def views_of(subject: str, text: str) -> Views:
    """Return a letter as the rules see it."""
    somebody = Address(email="somebody@example.net")
    mail = ParsedMail(subject=subject, sender=somebody, senders=(somebody,), text=text)
    return Views(mail, Segments(new=text), Automated(), ENVELOPE, POLICY, KnownSenders())


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def injection_score(screening: Screening, without: str = "") -> float:
    """Return the score of what speaks for an injection alone, spam and phishing left out.

    `without` names a rule that is left out too.
    """
    hits = [
        hit
        for hit in screening.hits
        if hit.layer.value in ("injection", "smuggling") and hit.rule != without
    ]
    if without == CLASSIFIER:
        hits = [hit.model_copy(update={"heard": None}) for hit in hits]
    return combine(hits)


def classifier_score(screening: Screening) -> float:
    """Return the score of the trained classifier alone."""
    return max((hit.score for hit in screening.hits if hit.rule == CLASSIFIER), default=0.0)


def limits(benign: Iterable[Screening]) -> tuple[float, float, float]:
    """Return what 1 % of ordinary texts exceed: of everything, the rules, the classifier."""
    own = list(benign)

    def at(scores: Iterable[float]) -> float:
        return sorted(scores, reverse=True)[len(own) // 100]

    return (
        at(injection_score(one) for one in own),
        at(injection_score(one, CLASSIFIER) for one in own),
        at(classifier_score(one) for one in own),
    )


def family(row: dict[str, Any]) -> str:
    """Return the source of a line in short, and whether its order is only implied."""
    name = row["source"].split("/")[-1].removesuffix(".json")
    return f"{name}{' (implicit)' if row.get('implicit') else ''}"


def table(judged: dict[str, list[Screening]], limit: tuple[float, float, float]) -> None:
    """Print the figures of the attacks, by source and together."""
    print(
        f"{'attacks':58} {'n':>5} {'at 1% fp':>9} {'rules':>7} {'class.':>7}"
        f" {'flagged':>8} {'quarant.':>8}"
    )
    everything = [one for some in judged.values() for one in some]
    explicit = [one for name, some in judged.items() if "implicit" not in name for one in some]
    for name, some in [*sorted(judged.items()), ("explicit only", explicit), ("all", everything)]:
        at_limit = sum(injection_score(one) > limit[0] for one in some) / len(some)
        rules = sum(injection_score(one, CLASSIFIER) > limit[1] for one in some) / len(some)
        alone = sum(classifier_score(one) > limit[2] for one in some) / len(some)
        flagged = sum(one.verdict is not Verdict.CLEAN for one in some) / len(some)
        stopped = sum(one.verdict is Verdict.QUARANTINE for one in some) / len(some)
        print(
            f"{name[-58:]:58} {len(some):5} {at_limit:9.3f} {rules:7.3f} {alone:7.3f}"
            f" {flagged:8.3f} {stopped:8.3f}"
        )


def _by_family(path: Path) -> dict[str, list[Screening]]:
    """Screen the lines of a file; return what was found by where they are from."""
    own = list(rows(path))
    found = judge_all((row.get("subject") or "", row.get("body_text") or "") for row in own)
    judged: dict[str, list[Screening]] = defaultdict(list)
    for row, one in zip(own, found, strict=True):
        judged[family(row)].append(one)
    return judged


def injections(folder: Path) -> None:
    """Print recall by source and the share of ordinary texts flagged."""
    benign = _by_family(folder / "benign.jsonl")
    limit = limits(one for some in benign.values() for one in some)
    attacks = _by_family(folder / "attacks.jsonl")
    table(attacks, limit)
    print(
        f"\nscore at 1 % false positives: {limit[0]:.3f},"
        f" rules {limit[1]:.3f}, classifier {limit[2]:.3f}"
    )
    for name, some in sorted(benign.items()):
        flagged = sum(one.verdict is not Verdict.CLEAN for one in some) / len(some)
        stopped = sum(one.verdict is Verdict.QUARANTINE for one in some) / len(some)
        false = sum(injection_score(one) >= POLICY.flag_threshold for one in some) / len(some)
        print(
            f"benign {name:40} {len(some):5}  flagged {flagged:.3f}  quarantined {stopped:.3f}"
            f"  flagged by injection and smuggling alone {false:.3f}"
        )


def hostile() -> None:
    """Print the slowest pattern and the slowest screening of a megabyte of hostile text.

    The process is prepared as an engine is.
    """
    slowest, longest = (0.0, ""), (0.0, "")
    every = patterns()  # prepares, and looks among what the collector sees, so it comes first
    settle_heap("prepare")
    for name, text in WHOLE.items():
        for called, pattern in every.items():
            seconds = seconds_for(searching(pattern, text))
            slowest = max(slowest, (seconds, f"{called} on {name}"))
    for name, text in INPUTS.items():
        seconds = seconds_for(partial(judge, "", text))
        longest = max(longest, (seconds, name))
    print(f"slowest pattern on 1 MB: {slowest[0] * 1000:.0f} ms, {slowest[1]}")
    print(f"slowest screening of 1 MB: {longest[0]:.2f} s, {longest[1]}")


def short_messages() -> None:
    """Print how many short messages the classifier alone takes in a second."""
    texts = [mail.text for mail in measured_mails() if len(mail.text) < _SHORT]
    classifier = load_classifier()
    classifier.scores(texts[:50])
    began = time.process_time()
    for text in texts:
        classifier.score(text)
    alone = time.process_time() - began
    for start in range(0, len(texts), _BATCH):
        classifier.scores(texts[start : start + _BATCH])
    together = time.process_time() - began - alone
    size = sum(map(len, texts)) / len(texts)
    print(
        f"classifier: {len(texts) / alone:.0f} messages of {size:.0f} characters a second,"
        f" {len(texts) / together:.0f} in batches of {_BATCH}"
    )


_Read = tuple[str, ParsedMail, Segments, Automated]
"""A mail's label, and what was read of it."""


def _batched(mails: Sequence[_Read]) -> tuple[float, list[Screening]]:
    """Screen mails as the line does; returns seconds of processor time, and what was found."""
    began, found = time.process_time(), []
    for start in range(0, len(mails), _BATCH):
        views = (
            Views(mail, segments, own, ENVELOPE, POLICY, KnownSenders())
            for _, mail, segments, own in mails[start : start + _BATCH]
        )
        found += screen_all(views, load_classifier())
    return time.process_time() - began, found


def _described(mails: Sequence[_Read]) -> str:
    size = sum(len(mail.text) for _, mail, _, _ in mails) / len(mails)
    return f"{len(mails)} mails of {size:.0f} characters on average"


def speed(folder: Path) -> list[Screening]:
    """Print messages per second over mail as it is read, and the verdicts by label.

    Returns what was found in the ordinary ones.
    """
    mails: list[_Read] = []
    for path in sorted(folder.glob("*.eml")):
        try:
            reading = read_mail(path.read_bytes())
        except UnreadableMailError:
            continue
        own = detect_automated(reading.mail, ENVELOPE, (), (), lambda _: False)
        mails.append((path.name.partition("-")[0], reading.mail, reading.segments, own))
    print(f"\nper second of processor time, in batches of {_BATCH} as the line does:")
    ordinary = [one for one in mails if one[0] == "ham"]
    cold, warm = (_batched(half)[0] for half in (ordinary[::2], ordinary[1::2]))
    print(f"{_described(ordinary)}, first pass: {len(ordinary) / (cold + warm):.0f}", end=", ")
    print(f"its first half {len(ordinary[::2]) / cold:.0f}", end=", ")
    print(f"its second, when a process knows other mails {len(ordinary[1::2]) / warm:.0f}")
    print(f"second pass: {len(ordinary) / _batched(ordinary)[0]:.0f}")
    spam = [one for one in mails if one[0] != "ham"]
    print(f"{_described(spam)} of spam, first pass: {len(spam) / _batched(spam)[0]:.0f}")
    seconds, found = _batched(mails)
    print(f"{_described(mails)}, a later pass: {len(mails) / seconds:.0f}")
    processor = time.process_time()
    for _, mail, segments, own in mails:
        screen(mail, segments, own, ENVELOPE, POLICY, KnownSenders(), load_classifier())
    processor = time.process_time() - processor
    print(f"one by one: {len(mails) / processor:.0f}")
    verdicts = [(label, one) for (label, *_), one in zip(mails, found, strict=True)]
    for label in sorted({label for label, _ in verdicts}):
        some = [one for name, one in verdicts if name == label]
        flagged = sum(one.verdict is not Verdict.CLEAN for one in some) / len(some)
        stopped = sum(one.verdict is Verdict.QUARANTINE for one in some) / len(some)
        print(f"{label:10} {len(some):5}  flagged {flagged:.3f}  quarantined {stopped:.3f}")
    return [one for label, one in verdicts if label == "ham"]


def main() -> None:
    """Measure what is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screening")
    parser.add_argument("folder", nargs="?", type=Path, help="public collections")
    given = parser.parse_args()
    hostile()
    short_messages()
    if given.folder is None or not (given.folder / "injection").is_dir():
        where = "given" if given.folder is None else f"at {str(given.folder)!r}"
        print(f"no public collections {where}: nothing measured on them")
        return
    injections(given.folder / "injection")
    ordinary = speed(given.folder / "mail")
    attacks = ((family(row), row) for row in rows(given.folder / "injection" / "attacks.jsonl"))
    report_raw_mail(attacks, ordinary, ENVELOPE)


if __name__ == "__main__":
    main()
