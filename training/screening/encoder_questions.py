"""What the screen's encoder is asked while it learns.

Whether a window is an attack; of which technique, or which kind of ordinary text ("Multitask
Learning", Caruana 1997); and which words were hidden from it (Devlin et al. 2019), to be told from
those of the same windows. The last two answers are not kept: learning them makes the network tell
apart what it might else throw together, and know which words stand with which.

Every batch is read twice. The second time what stands for its words is pushed a little in the
direction in which the first answers become most wrong ("Adversarial Training Methods for
Semi-Supervised Text Classification", Miyato et al. 2017), so that what is learned holds for words
nearby as well.
"""

import numpy as np
import torch
from torch.nn import functional

from training.screening.encoder_corpus import Corpus
from training.screening.encoder_network import WIDTH, Learned, Network, Spots, spread

SORT_WEIGHT, HIDDEN_WEIGHT = 1.5, 0.3
"""What the sort of a window, and its hidden words, count beside whether it is an attack."""
PUSH = 1.0
"""How far the words of a window are pushed: so many times what one number of a word's is, as a
rule, and the root of the number of words; some tenth of what they are."""
_FEWEST_HIDDEN = 2


class Questions:
    """Asks a network about windows of a corpus."""

    def __init__(self, network: Network, own: Corpus) -> None:
        self._network, self._own = network, own
        self._sorter = torch.nn.Linear(2 * WIDTH, own.sorts)
        self._asked = spread(WIDTH, (WIDTH, WIDTH)).requires_grad_()
        self._answers = torch.eye(WIDTH).requires_grad_()
        self.held = [*self._sorter.parameters(), self._asked, self._answers]
        """Parameters that learn with the network and are not kept."""

    def ask(self, batch: Spots) -> float:
        """Ask of windows, and leave with every parameter how it was wrong; return the loss.

        The loss is that of the windows as they are, without that of hidden words.
        """
        plain = self._network.learned(self._own, batch)
        plain.inputs.retain_grad()
        loss = self._loss(plain, batch)
        (loss + HIDDEN_WEIGHT * self._hidden(plain)).backward()
        pushed = self._network.learned(self._own, batch, self._push(plain.inputs, batch))
        self._loss(pushed, batch).backward()
        return float(loss.detach())

    def _loss(self, read: Learned, batch: Spots) -> torch.Tensor:
        own = self._own
        weight = torch.from_numpy(own.weight[batch])
        wanted = torch.from_numpy(own.attack[batch].astype(np.float32))
        sort = torch.from_numpy(own.sort[batch])
        odds = self._network.odds(read.seen)
        attack = functional.binary_cross_entropy_with_logits(odds, wanted, weight)
        sorted_out = functional.cross_entropy(self._sorter(read.seen), sort, reduction="none")
        return attack + SORT_WEIGHT * (sorted_out * weight).mean()

    def _hidden(self, read: Learned) -> torch.Tensor:
        """Return how wrong it was about the words hidden, among all words of the windows."""
        known = read.rows > 0
        hidden = read.hidden & known
        if hidden.sum() < _FEWEST_HIDDEN:
            return torch.zeros(())
        wanted = read.rows[hidden]
        words, numbers = torch.unique(torch.cat((wanted, read.rows[known])), return_inverse=True)
        offered = self._network.held["words"][words] @ self._answers
        odds = read.outputs[hidden] @ self._asked @ offered.T
        return functional.cross_entropy(odds, numbers[: len(wanted)])

    def _push(self, inputs: torch.Tensor, batch: Spots) -> torch.Tensor:
        """Return the step for each word, shape (words, `WIDTH`); all of a window are one step."""
        assert inputs.grad is not None  # noqa: S101  # `ask` has kept it
        sizes = torch.from_numpy(self._own.sizes[batch])
        window = torch.arange(len(sizes)).repeat_interleave(sizes)
        squares = inputs.grad.square().sum(dim=1)
        lengths = torch.zeros(len(sizes)).index_add(0, window, squares).sqrt() + 1e-12
        usual = inputs.detach().square().mean().sqrt()
        steps = PUSH * usual * sizes.float().sqrt() / lengths
        return inputs.grad * steps[window][:, None]
