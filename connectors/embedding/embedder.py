"""The interface of an embedder, which turns texts into vectors, and the local one."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

Embed = Callable[[Sequence[str]], Vectors]
"""Texts to vectors of unit length, shape (n, d)."""


class Embedder(Protocol):
    """Texts to vectors; what two embedders of different names made cannot be compared."""

    @property
    def name(self) -> str:
        """Name of provider, model and form; an index of another name is made again."""

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of unit length, shape (n, d), for what is searched; may block.

        Raises:
            OutsideError: the server behind it did not answer as it should.

        """

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of unit length, shape (n, d), for what is asked; raises the same."""


class LocalEmbedder:
    """An embedder that asks nobody; the same function serves documents and queries."""

    def __init__(self, name: str, embed: Embed) -> None:
        self.name = name
        self._embed = embed

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for what is searched."""
        return self._embed(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for what is asked."""
        return self._embed(texts)
