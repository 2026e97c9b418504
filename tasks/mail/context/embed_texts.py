"""Embedding what a batch of cases asks of the knowledge."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tasks.core.language.embedding import embed


def embed_texts(_ground: None, texts: Sequence[str]) -> list[npt.NDArray[np.float32]]:
    """Return the local embedder's vector of each text, shape (512,), of unit length or zero."""
    return list(embed(texts))
