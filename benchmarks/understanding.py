"""Speed and figures of the local understanding: `python -m benchmarks.understanding [--cross]`.

With `--cross` it also trains anew for each fold of trades, which takes minutes, and prints what the
models say of trades that they never saw: the honest figures of `docs/quality.md`.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence

from benchmarks.understanding_inbox import played
from benchmarks.understanding_pairs import forks
from data.linear import LinearModel
from data.records.core.understanding import Category, Classification, Priority
from data.weights import LANGUAGE, UNDERSTANDING
from tasks.core.language.language_identification import LanguageTeller
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from training import measuring
from training.compose import Message, messages
from training.understanding import LABELS, crossed, report, targets


def milliseconds_to_load() -> float:
    """Best of five times for loading everything that `LocalClassifier` needs."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        LocalClassifier(LinearModel.load(UNDERSTANDING), LanguageTeller())
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def messages_per_second(incoming: list[Incoming]) -> float:
    """Messages classified a second of one core's CPU, all heads, language, intents and reasons."""
    classifier = LocalClassifier()
    classifier.classify_many(incoming[:64])
    start = time.process_time()
    classifier.classify_many(incoming)
    return len(incoming) / (time.process_time() - start)


def decided(items: Sequence[Message], said: Sequence[Classification]) -> dict[str, float]:
    """Figures of the whole decision: model, sentences, shifts and the rule for urgency."""
    urgent = [item.labels.priority is Priority.URGENT for item in items]
    found = [one.priority is Priority.URGENT for one in said]
    both = sum(map(all, zip(urgent, found, strict=True)))
    right = [item.labels.category == one.category for item, one in zip(items, said, strict=True)]
    return {
        "category_accuracy": round(sum(right) / len(items), 3),
        "urgent_recall": round(both / max(1, sum(urgent)), 3),
        "urgent_precision": round(both / max(1, sum(found)), 3),
        "forked_share": round(sum(len(one.intents) > 1 for one in said) / len(said), 3),
    }


def languages_told(items: Sequence[Message], said: Sequence[Classification]) -> dict[str, float]:
    """Share of messages of more than 25 characters whose language is told, by language."""
    told = Counter(
        (item.language, item.language == one.language)
        for item, one in zip(items, said, strict=True)
        if len(item.text) > 25
    )
    return {
        language: round(told[language, True] / (told[language, True] + told[language, False]), 3)
        for language in sorted({language for language, _ in told})
    }


def report_trades() -> None:
    """Print the figures over trades left out, overall and by language."""
    items, said = crossed()
    truth = targets(items)
    languages = ["all", *sorted({item.language for item in items})]
    print("\ntrades left out, " + str(len(items)) + " whole messages")
    print(f"{'':<22}" + "".join(f"{name:>8}" for name in languages))
    for head, kind in LABELS.items():
        for label, figure in (
            ("accuracy", measuring.accuracy),
            ("f1", measuring.macro_f1),
            ("ece", measuring.calibration_error),
        ):
            row = []
            for language in languages:
                own = [
                    place for place, item in enumerate(items) if language in ("all", item.language)
                ]
                row.append(figure(said[head][own], truth[head][own]))
            print(f"{head + '_' + label:<22}" + "".join(f"{value:>8.3f}" for value in row))
        print("; ".join(measuring.confusions(said[head], truth[head], list(kind))[:6]))
    within = measuring.within_one_bucket(said["priority"], truth["priority"])
    recall = measuring.urgent_recall(said["priority"], truth["priority"])
    print(f"priority_within_one {within:.3f}; urgent_recall of the model alone {recall:.3f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures, the last line as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.understanding")
    parser.add_argument("--cross", action="store_true", help="train anew without each trade")
    cross = parser.parse_args(arguments).cross
    items = list(messages("test"))
    incoming = [
        Incoming(
            text=item.text,
            subject=item.subject,
            # Colleagues are known by their domain; mail of others is never internal.
            internal=item.labels.category is Category.INTERNAL,
        )
        for item in items
    ]
    said = LocalClassifier().classify_many(incoming)
    report(LinearModel.load(UNDERSTANDING))
    if cross:
        report_trades()
    size = sum(path.stat().st_size for path in (UNDERSTANDING, LANGUAGE))
    figures = {
        "messages": len(items),
        "characters_mean": round(sum(len(one.document) for one in incoming) / len(incoming)),
        "messages_per_second_one_core": round(messages_per_second(incoming)),
        "load_ms": round(milliseconds_to_load(), 1),
        "weights_mb": round(size / 1e6, 2),
        "decided": decided(items, said),
        "two_wishes": forks(items),
        "language_accuracy": languages_told(items, said),
        "played_inbox": played(),
    }
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()
