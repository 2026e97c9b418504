"""Pretrained word vectors, from the installed package alone."""

import subprocess
import sys

import numpy as np

from data.word_vectors import DIMENSIONS, LONGEST_TEXT, word_vectors


def test_near_meanings_lie_nearer_than_far_ones() -> None:
    """A late bill is nearer to an unpaid invoice than to a picnic, without a shared word."""
    late, unpaid, picnic = word_vectors().embed(
        ["this bill has not been paid", "overdue invoice", "a picnic beside the lake"]
    )
    assert late @ unpaid > late @ picnic + 0.1


def test_each_vector_has_unit_length_and_emptiness_has_none() -> None:
    """Every text gives one row; a text without pieces gives zeros, lone surrogates are read."""
    found = word_vectors().embed(["hello", "", "half \ud83d a pair"])
    assert found.shape == (3, DIMENSIONS)
    assert np.allclose(np.linalg.norm(found, axis=1), [1, 0, 1], atol=1e-5)


def test_long_texts_are_cut_but_counted_whole() -> None:
    """What is embedded has a bound; the count of tokens has none."""
    text = "one two three. " * (LONGEST_TEXT // 15 + 10)
    assert word_vectors().count(text) > len(word_vectors().pieces([text])[0])


def test_opening_them_asks_nobody() -> None:
    """The vectors open in a process in which every connection fails."""
    code = (
        "import socket\n"
        "def refuse(*_): raise OSError('no network')\n"
        "socket.socket.connect = refuse; socket.getaddrinfo = refuse\n"
        "from data.word_vectors import word_vectors\n"
        "print(word_vectors().count('hello there'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 0
