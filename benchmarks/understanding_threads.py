"""How messages within a conversation are classified: `python -m benchmarks.understanding_threads`.

The half *seen* chose the weights of `tasks/mail/thread/matter.py`, the half *kept* only judges.
With `--show` it also prints what is wrong in *seen*.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from data.records.core.understanding import Category
from tasks.mail.classify.classifying import Incoming, LocalClassifier

ANSWERS = Path(__file__).parent.parent / "tests" / "mail" / "understanding" / "thread_answers.yaml"


def answers(half: str) -> list[dict[str, Any]]:
    """The messages of one half: text, thread, category, language, for some the intent."""
    rows: list[dict[str, Any]] = yaml.safe_load(ANSWERS.read_text(encoding="utf-8"))[half]
    return rows


def right(half: str, *, told: bool, show: bool = False) -> tuple[int, int, int, int]:
    """How many are right that go on about the same, of how many; and of those with a new matter.

    Without `told` nothing is known of the conversation but that there is one.
    """
    rows = answers(half)
    incoming = [
        Incoming(
            text=row["text"],
            reply=True,
            known_sender=True,
            continued=Category(row["thread"]) if told else None,
        )
        for row in rows
    ]
    count = [0, 0, 0, 0]
    for row, one in zip(rows, LocalClassifier().classify_many(incoming), strict=True):
        new = 0 if row["category"] == row["thread"] else 2
        count[new] += one.category.value == row["category"]
        count[new + 1] += 1
        if show and one.category.value != row["category"]:
            print(
                f"  {row['thread']}: {row['category']} → {one.category.value}: {row['text'][:60]}"
            )
    return count[0], count[1], count[2], count[3]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both halves, without and with what the conversation was about."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.understanding_threads")
    parser.add_argument("--show", action="store_true", help="print what is wrong in `seen`")
    show = parser.parse_args(arguments).show
    for half in ("seen", "kept"):
        for told in (False, True):
            same, of_same, new, of_new = right(
                half, told=told, show=show and told and half == "seen"
            )
            name = "with its matter" if told else "without"
            print(f"{half} {name:16} same matter {same}/{of_same}, another {new}/{of_new}")


if __name__ == "__main__":
    main()
