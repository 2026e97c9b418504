"""Train the screen's encoder with PyTorch, which only training needs: `make train` installs it.

The network is that of `data.screening.encoder`, with its names; here it is written so that it can
be derived, and while it learns some of its inputs are hidden, so that it does not lean on single
words. It is asked two things of a window: whether it is an attack, and of which technique, or which
kind of ordinary text. The second answer is not kept: learning it makes the network tell apart what
it might else throw together ("Multitask Learning", Caruana 1997).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from data.ranges import ranges
from data.screening.concepts import Concepts
from data.screening.encoder import GRAMS_WEIGHT, HEADS, LONGEST_WINDOW, ScreeningEncoder, rows_of
from data.screening.linear import Linear
from data.screening.tokens import GRAM_BITS, KINDS, MARKS, Tokens, kinds_of, marks_of
from data.training.screening.encoder_corpus import Corpus, batches, corpus_of, some_of
from data.training.screening.messages import Sample

WIDTH = 96
LAYERS = 2
RAREST = 6
"""A word that is seen less often is one of the unknown."""
HIDDEN_WORDS, DROPPED, DROPPED_INSIDE = 0.15, 0.3, 0.2
"""Share of words read as unknown, and of numbers left out, of inputs and answers and of layers."""
EPOCHS, FASTEST, DECAY = 5, 2e-3, 0.02
SORT_WEIGHT = 1.5
"""What the sort of a window counts beside whether it is an attack."""
SEED = 20_261_123
COMPARED, ALIKE = 256, 0.05
"""So many windows are read by both networks, and how far their log-odds may be apart: what is
rounded away when the model is kept."""

Spots = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]


def encoder(samples: Sequence[Sample], linear: Linear, concepts: Concepts) -> ScreeningEncoder:
    """Return the encoder that `samples` teach; on one thread, so that it comes out the same.

    `linear` is the model that will choose what it reads.

    Raises `ArithmeticError` when the encoder reads otherwise than the network that learned.
    """
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    own = corpus_of(samples, linear, concepts)
    seen, counts = np.unique(_written(own), return_counts=True)
    network = Network(seen[counts >= RAREST])
    _learn(network, own)
    found = network.kept()
    _compare(network, found, own)
    return found


def _written(own: Corpus) -> Hashes:
    """Return the words of what was written, which what is found in messages only repeats."""
    words: Hashes = own.tokens.words[np.repeat(~own.found, own.sizes)]
    return words


def _learn(network: "Network", own: Corpus) -> None:
    chance = np.random.default_rng(SEED)
    epochs = [list(batches(own, chance)) for _ in range(EPOCHS)]
    sorter = torch.nn.Linear(2 * WIDTH, own.sorts)
    held = [*network.held.values(), *sorter.parameters()]
    learner = torch.optim.AdamW(held, lr=FASTEST, weight_decay=DECAY)
    pace = torch.optim.lr_scheduler.OneCycleLR(
        learner, FASTEST, total_steps=sum(map(len, epochs)) + 1, pct_start=0.1
    )
    for number, some in enumerate(epochs, start=1):
        total = 0.0
        for batch in some:
            loss = _loss(network, sorter, own, batch)
            learner.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(held, 1.0)
            learner.step()
            pace.step()
            total += float(loss.detach())
        print(f"encoder, epoch {number} of {EPOCHS}: loss {total / len(some):.4f}", flush=True)


def _loss(network: "Network", sorter: torch.nn.Linear, own: Corpus, batch: Spots) -> torch.Tensor:
    seen = network.seen(own, batch, learning=True)
    weight = torch.from_numpy(own.weight[batch])
    wanted = torch.from_numpy(own.attack[batch].astype(np.float32))
    sort = torch.from_numpy(own.sort[batch])
    attack = functional.binary_cross_entropy_with_logits(network.odds(seen), wanted, weight)
    sorted_out = functional.cross_entropy(sorter(seen), sort, reduction="none")
    return attack + SORT_WEIGHT * (sorted_out * weight).mean()


def _compare(network: "Network", found: ScreeningEncoder, own: Corpus) -> None:
    some = np.argsort(own.sizes, kind="stable")[:: max(1, len(own.sizes) // COMPARED)]
    sizes = own.sizes[some]
    ours = found.scores(some_of(own.tokens, ranges(own.first[some], sizes)), sizes)
    with torch.no_grad():
        theirs = network.odds(network.seen(own, some, learning=False)).numpy()
    apart = float(np.quantile(np.abs(ours - theirs), 0.9))
    if apart > ALIKE * max(1.0, float(np.abs(theirs).mean())):
        raise ArithmeticError(f"the encoder's log-odds are {apart:.3f} from those learned")


class Network:
    """The encoder while it learns."""

    def __init__(self, vocabulary: Hashes) -> None:
        self.vocabulary = vocabulary
        self.held = _begun(len(vocabulary))
        """Parameters by the names of `ScreeningEncoder.arrays`."""
        self.learning = False

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

    def seen(self, own: Corpus, batch: Spots, *, learning: bool) -> torch.Tensor:
        """Return what is seen in the windows `batch`, shape (windows, 2 * `WIDTH`)."""
        self.learning = learning
        held = self.held
        sizes = own.sizes[batch]
        some = some_of(own.tokens, ranges(own.first[batch], sizes))
        inputs = self._dropped(self._words(some), DROPPED)
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
        return self._dropped(torch.cat((loudest, mean), dim=1), DROPPED)

    def _words(self, some: Tokens) -> torch.Tensor:
        """Return what stands for each word, some of them hidden; shape (words, `WIDTH`)."""
        rows = torch.from_numpy(rows_of(self.vocabulary, some.words))
        if self.learning:
            rows = torch.where(torch.rand(rows.shape) < HIDDEN_WORDS, 0, rows)
        letters = functional.embedding_bag(
            torch.from_numpy(some.grams),
            self.held["grams"],
            torch.from_numpy(some.firsts),
            mode="mean",
        )
        found = self.held["words"][rows] + GRAMS_WEIGHT * letters
        found = found + torch.from_numpy(kinds_of(some)) @ self.held["kinds"]
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
        return functional.dropout(values, share, training=self.learning)


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
        "convolution": _spread(3 * WIDTH, (3, WIDTH, WIDTH)),
        "convolution_bias": torch.zeros(WIDTH),
        "answer": _spread(2 * WIDTH, (2 * WIDTH,)),
        "answer_bias": torch.zeros(()),
        **{name: _spread(shape[0], shape) for name, shape in linear.items()},
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


def _spread(inputs: int, shape: tuple[int, ...]) -> torch.Tensor:
    """Return weights within one over the root of the number of inputs."""
    return (torch.rand(shape) * 2 - 1) / inputs**0.5
