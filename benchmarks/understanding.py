"""Speed and figures of the local understanding: `python -m benchmarks.understanding`."""

import json
import time
from collections import Counter

from data.linear import LinearModel
from data.records.understanding import Priority
from data.training.compose import messages
from data.training.understanding import report
from data.weights import LANGUAGE, UNDERSTANDING
from tasks.classify import Incoming, LocalClassifier
from tasks.language import LanguageTeller
from tasks.urgent import is_urgent


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


def main() -> None:
    """Print the figures, the last line as JSON."""
    items = list(messages("test"))
    incoming = [Incoming(text=item.text, subject=item.subject) for item in items]
    said = LocalClassifier().classify_many(incoming)
    urgent = [item.labels.priority is Priority.URGENT for item in items]
    found = [one.priority is Priority.URGENT for one in said]
    ruled = [is_urgent(item.text, item.subject) is not None for item in items]
    told = Counter(
        (item.language, item.language == one.language)
        for item, one in zip(items, said, strict=True)
        if len(item.text) > 25
    )
    languages = sorted({language for language, _ in told})
    report(LinearModel.load(UNDERSTANDING))
    size = sum(path.stat().st_size for path in (UNDERSTANDING, LANGUAGE))
    figures = {
        "messages": len(items),
        "characters_mean": round(sum(len(one.document) for one in incoming) / len(incoming)),
        "messages_per_second_one_core": round(messages_per_second(incoming)),
        "load_ms": round(milliseconds_to_load(), 1),
        "weights_mb": round(size / 1e6, 2),
        "urgent_recall_with_rule": round(
            sum(map(all, zip(urgent, found, strict=True))) / sum(urgent), 3
        ),
        "urgent_precision_of_rule": round(
            sum(map(all, zip(urgent, ruled, strict=True))) / max(1, sum(ruled)), 3
        ),
        "language_accuracy": {
            language: round(
                told[language, True] / (told[language, True] + told[language, False]), 3
            )
            for language in languages
        },
        "forked_share": round(sum(len(one.intents) > 1 for one in said) / len(said), 3),
    }
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()
