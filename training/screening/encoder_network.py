"""The screen's encoder while it learns, in PyTorch: that of `data.screening.encoder`, derivable.

While it learns some of its inputs are hidden, so that it does not lean on single words.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from data.ranges import ranges
from data.screening.encoder import GRAMS_WEIGHT, HEADS, LONGEST_WINDOW, ScreeningEncoder, rows_of
from data.screening.tokens import GRAM_BITS, KINDS, MARKS, Tokens, kinds_of, marks_of
from training.screening.encoder_corpus import Corpus, some_of

WIDTH = 96
LAYERS = 2
HIDDEN_WORDS, DROPPED, DROPPED_INSIDE = 0.15, 0.3, 0.2
"""Share of words read as unknown, and of numbers left out, of inputs and answers and of layers."""
HIDDEN_WHOLE = 0.6
"""Share of the words read as unknown whose letters and kinds are hidden as well."""
_SEED = 20_261_125

Spots = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What was read of windows while learning."""

    seen: torch.Tensor
    """Shape (windows, 2 * `WIDTH`)."""
    inputs: torch.Tensor
    """What stood for each word before anything was left out, shape (words, `WIDTH`)."""
    outputs: torch.Tensor
    """What stands for each word after the layers, shape (words, `WIDTH`)."""
    rows: torch.Tensor
    """The row of each word in the table of words, hidden or not; shape (words,)."""
    hidden: torch.Tensor
    """Which words were read as unknown, shape (words,)."""


class Network:
    """The encoder while it learns."""

    def __init__(self, vocabulary: Hashes) -> None:
        self.vocabulary = vocabulary
        self.held = _begun(len(vocabulary))
        """Parameters by the names of `ScreeningEncoder.arrays`."""
        self._learning = False
        self._chance = np.random.default_rng(_SEED)

    def kept(self) -> ScreeningEncoder:
        """Return it as it is after it was saved.

        What normalization multiplies by and adds is taken into the matrix that follows, and the
        three matrices of the convolution are one, so that there is less to do at each text.
        """
        arrays = {name: value.detach().numpy() for name, value in self.held.items()}
        arrays["convolution"] = np.concatenate(list(arrays["convolution"]), axis=1)
        for layer in range(LAYERS):
            for norm, matrix in (("first_norm", "attend"), ("second_norm", "wide")):
                gain, added = arrays.pop(f"{norm}{layer}"), arrays.pop(f"{norm}{layer}_bias")
                weights = arrays[f"{matrix}{layer}"]
                bias = arrays[f"{matrix}_bias{layer}"]
                arrays[f"{matrix}_bias{layer}"] = bias + added @ weights
                arrays[f"{matrix}{layer}"] = gain[:, None] * weights
        return ScreeningEncoder.rounded(self.vocabulary, arrays)

    def odds(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the log-odds of windows, shape (windows,)."""
        return seen @ self.held["answer"] + self.held["answer_bias"]

    def seen(self, own: Corpus, batch: Spots) -> torch.Tensor:
        """Return what is seen in the windows `batch`, shape (windows, 2 * `WIDTH`)."""
        self._learning = False
        return self._read(own, batch, None).seen

    def learned(self, own: Corpus, batch: Spots, push: torch.Tensor | None = None) -> Learned:
        """Read the windows `batch` with some of their inputs hidden.

        `push` is added to what stands for the words, shape (words, `WIDTH`).
        """
        self._learning = True
        return self._read(own, batch, push)

    def _read(self, own: Corpus, batch: Spots, push: torch.Tensor | None) -> Learned:
        held = self.held
        sizes = own.sizes[batch]
        some = some_of(own.tokens, ranges(own.first[batch], sizes))
        rows = torch.from_numpy(rows_of(self.vocabulary, some.words))
        hidden = torch.rand(rows.shape) < HIDDEN_WORDS * self._learning
        found = self._words(some, rows, hidden)
        inputs = self._dropped(found if push is None else found + push, DROPPED)
        place = np.arange(int(sizes.max()))
        real = torch.from_numpy(place < sizes[:, None])
        where = torch.from_numpy(np.concatenate([place[:size] for size in sizes.tolist()]))
        spots = real.nonzero(as_tuple=True)
        words = inputs.new_zeros((*real.shape, WIDTH)).index_put(spots, inputs)
        words = words.index_put(spots, held["places"][where], accumulate=True)
        sides = functional.pad(words, (0, 0, 1, 1))
        around = [sides[:, at : at + len(place)] @ held["convolution"][at] for at in range(3)]
        words = words + torch.relu(sum(around) + held["convolution_bias"])
        for layer in range(LAYERS):
            words = self._layer(words, real, layer)
        unseen = ~real[:, :, None]
        loudest = words.masked_fill(unseen, -1e4).amax(dim=1)
        mean = words.masked_fill(unseen, 0.0).sum(dim=1) / torch.from_numpy(sizes)[:, None]
        return Learned(
            seen=self._dropped(torch.cat((loudest, mean), dim=1), DROPPED),
            inputs=found,
            outputs=words[real],
            rows=rows,
            hidden=hidden,
        )

    def _words(self, some: Tokens, rows: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """Return what stands for each word, the hidden ones unknown; shape (words, `WIDTH`)."""
        whole = (hidden & (torch.rand(rows.shape) < HIDDEN_WHOLE))[:, None]
        letters = functional.embedding_bag(
            torch.from_numpy(some.grams),
            self.held["grams"],
            torch.from_numpy(some.firsts),
            mode="mean",
        )
        kinds = torch.from_numpy(kinds_of(some)).masked_fill(whole, 0.0)
        found = self.held["words"][torch.where(hidden, 0, rows)]
        found = found + GRAMS_WEIGHT * letters.masked_fill(whole, 0.0)
        found = found + kinds @ self.held["kinds"]
        return found + torch.from_numpy(marks_of(some)) @ self.held["marks"]

    def _layer(self, words: torch.Tensor, real: torch.Tensor, layer: int) -> torch.Tensor:
        """Return windows of words after one layer; `real` is which places hold words."""
        held = self.held
        words = words + self._dropped(self._attended(words, real, layer), DROPPED_INSIDE)
        normal = self._normal(words, f"second_norm{layer}")
        hidden = torch.relu(normal @ held[f"wide{layer}"] + held[f"wide_bias{layer}"])
        hidden = self._dropped(hidden, DROPPED_INSIDE) @ held[f"narrow{layer}"]
        return words + self._dropped(hidden + held[f"narrow_bias{layer}"], DROPPED_INSIDE)

    def _attended(self, words: torch.Tensor, real: torch.Tensor, layer: int) -> torch.Tensor:
        held = self.held
        windows, count, _ = words.shape
        normal = self._normal(words, f"first_norm{layer}")
        asked = normal @ held[f"attend{layer}"] + held[f"attend_bias{layer}"]
        asked = asked.view(windows, count, 3, HEADS, WIDTH // HEADS)
        query, key, value = asked.permute(2, 0, 3, 1, 4)
        weights = query @ key.transpose(2, 3) / (WIDTH // HEADS) ** 0.5
        weights = weights.masked_fill(~real[:, None, None, :], -1e9).softmax(dim=3)
        taken = self._dropped(weights, DROPPED_INSIDE) @ value
        taken = taken.transpose(1, 2).reshape(windows, count, WIDTH)
        return taken @ held[f"out{layer}"] + held[f"out_bias{layer}"]

    def _normal(self, words: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(words, (WIDTH,), self.held[name], self.held[f"{name}_bias"])

    def _dropped(self, values: torch.Tensor, share: float) -> torch.Tensor:
        """Return numbers with a share left out while learning ("Dropout", Srivastava et al. 2014).

        Which ones is drawn in bytes: PyTorch draws floats one by one, which took a fifth of the
        training.
        """
        if not self._learning:
            return values
        drawn = np.frombuffer(self._chance.bytes(values.numel()), dtype=np.uint8)
        kept = torch.from_numpy(drawn >= round(share * 256)).view(values.shape)
        return values * (kept * (1 / (1 - share)))


def _begun(words: int) -> dict[str, torch.Tensor]:
    """Return the parameters before training."""
    wide = 2 * WIDTH
    linear = {
        "kinds": (KINDS, WIDTH),
        "marks": (MARKS, WIDTH),
        **{f"attend{layer}": (WIDTH, 3 * WIDTH) for layer in range(LAYERS)},
        **{f"out{layer}": (WIDTH, WIDTH) for layer in range(LAYERS)},
        **{f"wide{layer}": (WIDTH, wide) for layer in range(LAYERS)},
        **{f"narrow{layer}": (wide, WIDTH) for layer in range(LAYERS)},
    }
    held = {
        "words": torch.randn(words + 1, WIDTH) * 0.1,
        "grams": torch.randn(2**GRAM_BITS, WIDTH) * 0.1,
        "places": torch.randn(LONGEST_WINDOW, WIDTH) * 0.02,
        "convolution": spread(3 * WIDTH, (3, WIDTH, WIDTH)),
        "convolution_bias": torch.zeros(WIDTH),
        "answer": spread(2 * WIDTH, (2 * WIDTH,)),
        "answer_bias": torch.zeros(()),
        **{name: spread(shape[0], shape) for name, shape in linear.items()},
    }
    for layer in range(LAYERS):
        for name in ("out", "narrow"):
            held[f"{name}_bias{layer}"] = torch.zeros(WIDTH)
        held[f"attend_bias{layer}"] = torch.zeros(3 * WIDTH)
        held[f"wide_bias{layer}"] = torch.zeros(wide)
        for name in ("first_norm", "second_norm"):
            held[f"{name}{layer}"] = torch.ones(WIDTH)
            held[f"{name}{layer}_bias"] = torch.zeros(WIDTH)
    for value in held.values():
        value.requires_grad_()
    return held


def spread(inputs: int, shape: tuple[int, ...]) -> torch.Tensor:
    """Return weights within one over the root of the number of inputs."""
    return (torch.rand(shape) * 2 - 1) / inputs**0.5
