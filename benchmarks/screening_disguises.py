"""What each disguise and code that the screen undoes finds: all but one are undone, in turn.

On the measured mails (`training.screening.measured`) and the fresh sets (`benchmarks/sets`), none
of which is learned. A mail whose forms are the same without a disguise has the same verdict without
it, so only the others are screened, with and without it.

    python -m benchmarks.screening_disguises [every nth mail, 1 by default]
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.screening import rows, views_of
from benchmarks.screening_fresh import SETS
from data.records.core.screening import Screening, Verdict
from tasks.core.screen.classifier import load_classifier
from tasks.core.screen.disguises.disguise_names import ALL, EVERY
from tasks.core.screen.message.views import Views
from tasks.core.screen.screening import screen_all
from training.screening.measured import measured_mails


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail, and whether its writer meant an attack."""

    subject: str
    text: str
    attack: bool


def letters() -> Iterator[Letter]:
    """Yield every mail that is measured on."""
    for mail in measured_mails():
        yield Letter(mail.subject, mail.text, mail.attack)
    for path in sorted(SETS.glob("screening_fresh_*.jsonl")):
        for row in rows(path):
            yield Letter(row["subject"], row["text"], row["attack"])


def hidden(views: Views) -> list[tuple[str, str]]:
    """Return every text that is read besides those that stand there."""
    return [(text.form, text.text) for text in views.texts if text.disguised]


def changes(every: Views, without: Views) -> Iterator[str]:
    """Yield what a mail loses where a disguise is not undone."""
    before, after = _screened(every), _screened(without)
    if before.verdict is not Verdict.CLEAN and after.verdict is Verdict.CLEAN:
        yield "flagged"
    if before.verdict is Verdict.QUARANTINE and after.verdict is not Verdict.QUARANTINE:
        yield "stopped"
    if round(before.score, 3) != round(after.score, 3):
        yield "scored"


def _screened(views: Views) -> Screening:
    return screen_all([views], load_classifier())[0]


def count(letter: Letter, counts: Counter[tuple[str, str, bool]]) -> None:
    """Add to `counts` what each disguise does in a mail, by (disguise, what, attack)."""
    every = views_of(letter.subject, letter.text)
    own = hidden(every)
    if not own:
        return
    for name in _at_work(every, own, EVERY):
        without = replace(every, undone=ALL - {name})
        counts[name, "read", letter.attack] += 1
        for change in changes(every, without):
            counts[name, change, letter.attack] += 1


def _at_work(every: Views, own: list[tuple[str, str]], names: Sequence[str]) -> Iterator[str]:
    """Yield those of `names` without any of which fewer texts are read.

    Where all of them together change nothing, none of them does.
    """
    if hidden(replace(every, undone=ALL.difference(names))) == own:
        return
    if len(names) == 1:
        yield names[0]
        return
    half = len(names) // 2
    yield from _at_work(every, own, names[:half])
    yield from _at_work(every, own, names[half:])


def main() -> None:
    """Print for each disguise what only it finds."""
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    counts: Counter[tuple[str, str, bool]] = Counter()
    some = list(letters())[::step]
    for letter in some:
        count(letter, counts)
    attacks = sum(letter.attack for letter in some)
    print(f"{attacks} attacks and {len(some) - attacks} honest mails; without it fewer are")
    print("| disguise | read in attacks | flagged | stopped | other score "
          "| read in honest mail | flagged | stopped | other score |")  # fmt: skip
    print("|---|" + "---|" * 8)
    for name in EVERY:
        cells = [
            str(counts[name, what, attack])
            for attack in (True, False)
            for what in ("read", "flagged", "stopped", "scored")
        ]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
