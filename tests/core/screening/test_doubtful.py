"""What the classifier's training does with doubtful attacks, and with text that is no words."""

import random

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from data.screening.model import FLAG_SCORE
from tasks.core.screen import load_classifier
from training.screening.doubtful import WEIGHT, without_doubtful
from training.screening.wordless import wordless


def test_attacks_that_read_like_ordinary_mail_hardly_count() -> None:
    """Of nine alike families and one that looks ordinary, only the odd one loses its weight."""
    rows = [[1.0, 0.0]] * 9 + [[0.0, 1.0]] + [[0.0, 1.0]] * 30
    target = np.array([1.0] * 10 + [0.0] * 30)
    weight = np.ones(40)
    languages, families = np.zeros(40, dtype=np.int64), np.arange(40)
    plain = np.zeros(40, dtype=np.bool_)
    found = without_doubtful(csr_matrix(rows), target, weight, families, languages, 1.0, plain)
    assert found[9] == WEIGHT
    assert found[10:].tolist() == [1.0] * 30
    assert (found[:9] == 1.0).sum() >= 7
    plain[9] = True
    found = without_doubtful(csr_matrix(rows), target, weight, families, languages, 1.0, plain)
    assert found[9] == 1, "what says to everybody what it is counts whole"


def test_wordless_texts_are_the_same_each_time() -> None:
    """Two generations give the same texts, none of them an attack."""
    first, second = list(wordless(None)), list(wordless(None))
    assert [one.text for one in first] == [one.text for one in second]
    assert not any(one.attack for one in first)
    assert len({one.text for one in first}) > len(first) * 0.9


@pytest.mark.parametrize("size", [40, 70, 300])
def test_long_numbers_and_keys_are_no_attack(size: int) -> None:
    """Neither a long number nor a key is taken for orders to a machine."""
    chance = random.Random(size)
    digits = "".join(chance.choices("0123456789", k=size))
    key = "\n".join("".join(chance.choices("ABCDEFabcdef0123456789+/", k=64)) for _ in range(5))
    for text in (digits, key, f"-----BEGIN PGP SIGNATURE-----\n\n{key}"):
        assert load_classifier().score(text) < FLAG_SCORE
