"""Train the screen's encoder with PyTorch, which only training needs: `make train` installs it."""

from collections.abc import Sequence

import numpy as np
import torch

from data.ranges import ranges
from data.screening.concepts import Concepts
from data.screening.encoder import ScreeningEncoder, short_hashes
from data.screening.linear import Linear
from training.screening.encoder_corpus import Corpus, batches, corpus_of, some_of
from training.screening.encoder_network import Hashes, Network
from training.screening.encoder_questions import Questions
from training.screening.messages import Sample

RAREST = 7
"""A word that is seen less often is one of the unknown."""
EPOCHS, FASTEST, DECAY = 7, 2e-3, 0.02
SEED = 20_261_123
COMPARED, ALIKE = 256, 0.05
"""So many windows are read by both networks, and how far their log-odds may be apart: what is
rounded away when the model is kept."""


def encoder(samples: Sequence[Sample], linear: Linear, concepts: Concepts) -> ScreeningEncoder:
    """Return the encoder that `samples` teach; on one thread, so that it comes out the same.

    `linear` is the model that will choose what it reads.

    Raises `ArithmeticError` when the encoder reads otherwise than the network that learned.
    """
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    own = corpus_of(samples, linear, concepts)
    seen, counts = np.unique(_written(own), return_counts=True)
    network = Network(short_hashes(seen[counts >= RAREST]))
    _learn(network, own)
    found = network.kept()
    _compare(network, found, own)
    return found


def _written(own: Corpus) -> Hashes:
    """Return the words of what was written, which what is found in messages only repeats."""
    words: Hashes = own.tokens.words[np.repeat(~own.found, own.sizes)]
    return words


def _learn(network: Network, own: Corpus) -> None:
    chance = np.random.default_rng(SEED)
    epochs = [list(batches(own, chance)) for _ in range(EPOCHS)]
    questions = Questions(network, own)
    held = [*network.held.values(), *questions.held]
    learner = torch.optim.AdamW(held, lr=FASTEST, weight_decay=DECAY)
    pace = torch.optim.lr_scheduler.OneCycleLR(
        learner, FASTEST, total_steps=sum(map(len, epochs)) + 1, pct_start=0.1
    )
    for number, some in enumerate(epochs, start=1):
        total = 0.0
        for batch in some:
            learner.zero_grad()
            total += questions.ask(batch)
            torch.nn.utils.clip_grad_norm_(held, 1.0)
            learner.step()
            pace.step()
        print(f"encoder, epoch {number} of {EPOCHS}: loss {total / len(some):.4f}", flush=True)


def _compare(network: Network, found: ScreeningEncoder, own: Corpus) -> None:
    some = np.argsort(own.sizes, kind="stable")[:: max(1, len(own.sizes) // COMPARED)]
    sizes = own.sizes[some]
    ours = found.scores(some_of(own.tokens, ranges(own.first[some], sizes)), sizes)
    with torch.no_grad():
        theirs = network.odds(network.seen(own, some)).numpy()
    apart = float(np.quantile(np.abs(ours - theirs), 0.9))
    if apart > ALIKE * max(1.0, float(np.abs(theirs).mean())):
        raise ArithmeticError(f"the encoder's log-odds are {apart:.3f} from those learned")
