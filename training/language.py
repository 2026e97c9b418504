"""The language model: short pieces of the corpus and of plain sentences, by language."""

import random
import zlib
from collections.abc import Iterator

import numpy as np

from data.linear import LinearModel
from training.corpus import Half, blocks, manners, plain_sentences
from training.fitting import fitted

SIZE = 30_000
"""Features kept."""
PARTS = 16
"""Parts of one that weights are rounded to."""
PER_LANGUAGE = 2600
"""Pieces of each language at most."""


def _sentences(half: Half) -> Iterator[tuple[str, str]]:
    """Language and text of everything written, slots removed."""
    for block in blocks():
        if block.half == half:
            yield block.language, f"{block.subject} {block.text}"
    for (language, own), manner in manners().items():
        if own == half:
            shifted = [text for texts in manner.shifts.values() for text in texts]
            said = [text for who in manner.personas.values() for text in who["opens"]]
            for text in (*manner.fillers, *shifted, *said):
                yield language, text
            if half == "train":
                for words in manner.slots.values():
                    for word in words:
                        yield language, word
    for number, (language, text) in enumerate(plain_sentences()):
        if (number % 5 == 4) == (half == "test"):
            yield language, text


def pieces(half: Half) -> list[tuple[str, str]]:
    """Language and piece: whole sentences and runs of one to eight words of them."""
    found: dict[str, list[str]] = {}
    for language, text in _sentences(half):
        words = " ".join(text.split("{")[0::1]).replace("}", " ").split()
        words = [
            word
            for word in words
            if word
            not in {
                "product",
                "service",
                "company",
                "city",
                "name",
                "day",
                "month",
                "ref",
                "amount",
                "n",
                "time",
            }
        ]
        chance = random.Random(zlib.crc32(text.encode()))
        own = found.setdefault(language, [])
        if words:
            own.append(" ".join(words))
        for length in (1, 2, 3, 4, 6, 8):
            if len(words) > length:
                at = chance.randrange(len(words) - length + 1)
                own.append(" ".join(words[at : at + length]))
    result = []
    for language, texts in sorted(found.items()):
        chance = random.Random(zlib.crc32(language.encode()))
        result += [(language, text) for text in chance.sample(texts, min(PER_LANGUAGE, len(texts)))]
    return result


def trained_language() -> LinearModel:
    """The model that the train half gives; one head, `language`."""
    items = pieces("train")
    labels = tuple(sorted({language for language, _ in items}))
    counts = {label: sum(language == label for language, _ in items) for label in labels}
    mean = len(items) / len(labels)
    return fitted(
        [text for _, text in items],
        {"language": np.array([labels.index(language) for language, _ in items])},
        {"language": labels},
        weights={"language": np.array([(mean / counts[own]) ** 0.5 for own, _ in items])},
        held=np.array([zlib.crc32(text.encode()) % 6 == 0 for _, text in items]),
        cores=[text for _, text in items],
        size=SIZE,
        rarest=2,
        strength=20.0,
    )
