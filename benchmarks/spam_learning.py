"""How quickly the judge of spam learns: `python -m benchmarks.spam_learning INDEX`.

INDEX is a file with one JSON object per line, `path` (of a message, relative to the index) and
`label` (`spam` or `ham`). Messages are dealt to a teaching and a test half by their hash; the judge
is shown ever more of the teaching half, in an order dealt by hash as well, and asked about the
whole test half each time. `recall` and `wrongly` are the shares of spam and of wanted mail that
are found to be spam: at 0.9, from which a message is flagged, and at 0.99, from which a taught
judge may quarantine.
"""

import hashlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tasks.core.screen.bayes import Examples, judge
from tasks.core.screen.spam_tokens import spam_tokens
from tasks.mail.automated.detecting import detect_automated
from tasks.mail.read import read_mail
from tests.core.screening.letters import ENVELOPE

STEPS = (0, 5, 10, 25, 50, 100, 150, 200, 400)
"""Examples shown."""
SURE = (0.9, 0.99)

Example = tuple[bool, dict[int, str]]


def main(index: Path) -> None:
    """Print one line for each number of examples."""
    taught, asked = list(_half(index, 0)), list(_half(index, 1))
    spam = sum(label for label, _ in asked)
    print(f"{len(taught)} to learn from, {len(asked)} to be asked about, {spam} of them spam")
    names = [f"{name} {sure}" for sure in SURE for name in ("recall", "wrongly")]
    print("".join(f"{name:>14}" for name in ("spam", "wanted", *names, "ms each")))
    for step in STEPS:
        shown = taught[:step]
        counts, examples = _counted(shown)
        began = time.process_time()
        scores = [(label, judge(tokens, counts, examples).spam) for label, tokens in asked]
        each = 1000 * (time.process_time() - began) / len(asked)
        shares = []
        for sure in SURE:
            shares.append(sum(label and score >= sure for label, score in scores) / spam)
            wrong = sum(not label and score >= sure for label, score in scores)
            shares.append(wrong / (len(asked) - spam))
        print(f"{examples.spam:>14}{examples.ham:>14}", end="")
        print("".join(f"{share:>14.3f}" for share in shares) + f"{each:>14.2f}")
        if len(shown) < step:
            break


def _half(index: Path, which: int) -> Iterator[Example]:
    entries = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    dealt = sorted((_digest(entry["path"]), entry["path"], entry["label"]) for entry in entries)
    for digest, path, label in dealt:
        if digest[-1] % 2 != which:
            continue
        reading = read_mail((index.parent / path).read_bytes())
        automated = detect_automated(
            reading.mail,
            ENVELOPE,
            own_addresses=(),
            own_message_ids=frozenset(),
            is_own_loop_token=lambda _: False,
        )
        yield label == "spam", spam_tokens(reading.mail, reading.segments, automated)


def _digest(path: str) -> bytes:
    return hashlib.sha256(path.encode()).digest()


def _counted(shown: list[Example]) -> tuple[dict[int, tuple[int, int]], Examples]:
    counts: dict[int, tuple[int, int]] = {}
    for label, tokens in shown:
        for token in tokens:
            spam, ham = counts.get(token, (0, 0))
            counts[token] = (spam + label, ham + (not label))
    spam = sum(label for label, _ in shown)
    return counts, Examples(spam=spam, ham=len(shown) - spam)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(Path(sys.argv[1]))
    else:
        print("skipped: name an index of labelled messages, as the docstring says")
