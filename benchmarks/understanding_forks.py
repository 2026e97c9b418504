"""Forking, measured on whole messages: `python -m benchmarks.understanding_forks [--show]`.

The files in `training/corpora/forking` hold messages with two wishes and with one, in eight
languages; no program is trained on them. The rules were chosen on `seen`; `kept` only judges. With
`--show` what is wrong in `seen` is listed.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from data.records.core.understanding import Classification
from tasks.mail.classify.classifying import Incoming, LocalClassifier

HALVES = ("seen", "kept")


@dataclass(frozen=True)
class Written:
    """One message."""

    language: str
    wants: frozenset[str]
    """Two categories; empty for a message with one wish."""
    text: str


def written(half: str) -> list[Written]:
    """Return the messages of a half, those with two wishes first."""
    path = Path(__file__).parents[1] / "training" / "corpora" / "forking" / f"{half}.yaml"
    given = yaml.safe_load(path.read_text(encoding="utf-8"))
    two = [Written(lang, frozenset((one, other)), text) for lang, one, other, text in given["two"]]
    return [*two, *(Written(lang, frozenset(), text) for lang, text in given["one"])]


def figures(items: Sequence[Written], said: Sequence[Classification]) -> dict[str, float]:
    """Return the shares of two-wish messages that fork, and rightly, and of others that fork."""
    two = [(item, one) for item, one in zip(items, said, strict=True) if item.wants]
    single = [one for item, one in zip(items, said, strict=True) if not item.wants]
    return {
        "two_wishes": len(two),
        "forked": round(sum(len(one.intents) > 1 for _, one in two) / len(two), 3),
        "both_right": round(sum(right(item, one) for item, one in two) / len(two), 3),
        "one_wish": len(single),
        "forked_wrongly": round(sum(len(one.intents) > 1 for one in single) / len(single), 3),
    }


def right(item: Written, said: Classification) -> bool:
    """Return whether a message forks into exactly the categories that it wants."""
    return {str(intent.category) for intent in said.intents} == item.wants


def main() -> None:
    """Print the figures of both halves."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--show", action="store_true", help="list what is wrong in the seen half")
    show = asked.parse_args().show
    classifier = LocalClassifier()
    for half in HALVES:
        items = written(half)
        said = classifier.classify_many([Incoming(text=item.text) for item in items])
        print(half, figures(items, said))
        if show and half == "seen":
            _show(items, said)


def _show(items: Sequence[Written], said: Sequence[Classification]) -> None:
    for item, one in zip(items, said, strict=True):
        wrong = not right(item, one) if item.wants else len(one.intents) > 1
        if wrong:
            made = [(str(i.category), i.confidence, i.text[:70]) for i in one.intents]
            print(item.language, sorted(item.wants), repr(item.text[:300]), made, sep="\n   ")


if __name__ == "__main__":
    main()
