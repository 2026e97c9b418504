"""Heaps of words in no order, learned as ordinary: no word by itself may count for an attack."""

import random
from collections.abc import Iterator
from dataclasses import replace

from training.screening.corpus import ENGLISH_SHARE, Composer
from training.screening.families import LANGUAGES, Fold
from training.screening.messages import Sample, lone
from training.screening.words import SLOT

HEAPS = 8000
"""Heaps to learn from."""
WEIGHT = 0.4
"""What each counts in training."""
ORDINARY_SHARE = 0.35
"""How many of their words are of ordinary text."""


def scrambled(fold: Fold | None) -> Iterator[Sample]:
    """Yield heaps of words of attacks and of ordinary text."""
    chance = random.Random(20_260_303)
    for language in LANGUAGES:
        composer = Composer(language, fold)
        heaps = [
            [
                word
                for texts in table.values()
                for text in texts
                for word in SLOT.sub(" ", text).split()
                if word != "/"
            ]
            for table in (composer.attacks, composer.benign)
        ]
        if not all(heaps):
            continue
        wanted = HEAPS * (ENGLISH_SHARE if language == "en" else 0.5 / (len(LANGUAGES) - 1))
        for number in range(round(wanted)):
            size = chance.choice((5, 8, 12, 18, 30))
            words = [chance.choice(heaps[chance.random() < ORDINARY_SHARE]) for _ in range(size)]
            text = "".join(words) if language in ("zh", "ja") else " ".join(words)
            heap = lone(text, "scrambled", language, f"scrambled {language} {number}")
            yield replace(heap, weight=WEIGHT)
