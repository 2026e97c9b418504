"""The classifier of injected instructions: linear over hashed n-grams, and an encoder behind it.

The linear model reads everything through windows (`data.screening.windows`). What it suspects, the
encoder (`data.screening.encoder`) reads once more, word by word in their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from data.errors import SettingsError
from data.npz import join_gaps, pack_npz, split_gaps
from data.screening.concepts import Concepts, word_hash
from data.screening.encoder import ScreeningEncoder, rows_of
from data.screening.features import BITS
from data.screening.linear import Linear
from data.screening.packed_weights import pack_weights, unpack_weights
from data.screening.reading import BatchReading, read
from data.screening.suspects import read_again
from data.screening.windows import Windows, by_chance, clues_of

WEIGHTS = Path(__file__).parents[1] / "weights" / "screening.npz"
"""The trained weights."""
FORMAT = 7
"""Version of the file's layout."""
FLAG_SCORE = 0.35
"""The score given to a text at the threshold: what a policy flags by default."""
SUSPECTED, CERTAIN = -3.0, 2.0
"""Log-odds, beside those of the threshold, between which the encoder reads a text as well."""
KNOWN = 0.7
"""Share of its words that have to be known, for a text to be of a language that is."""
_FLAG = np.log(FLAG_SCORE / (1 - FLAG_SCORE))

Odds = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Judge:
    """How what is known of a text becomes one score."""

    evidence: Odds
    """Weight of each clue, then the bias; shape (clues + 1,)."""
    threshold: float
    """Log-odds that some 0.3 % of the ordinary texts held back in training exceed."""

    def odds(self, clues: Odds, chance: Odds) -> Odds:
        """Return the log-odds of texts beside those of the threshold; shape (texts,)."""
        log_odds: Odds = clues @ self.evidence[:-1] + self.evidence[-1] - chance - self.threshold
        return log_odds


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How a text's windows become one score."""

    counted: Judge
    """Of what the linear model says."""
    both: Judge
    """Of that and of what the encoder says."""


class ScreeningModel:
    """Loads in milliseconds, deterministic, never fails on any text."""

    def __init__(
        self, linear: Linear, concepts: Concepts, encoder: ScreeningEncoder, tuning: Tuning
    ) -> None:
        self.linear = linear
        self.concepts = concepts
        self.encoder = encoder
        self.tuning = tuning

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the .npz at `path` without unpickling.

        Raises `SettingsError` when the file is missing or is not such a model.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                stored = {name: file[name] for name in file.files}
            if int(stored["format"]) != FORMAT or int(stored["bits"]) != BITS:
                raise SettingsError(f"The weights {path.name!r} have another format; train anew.")
            weights = unpack_weights(stored["present"], stored["signed"], stored["bounds"])
            hashes = join_gaps(stored["concepts"], np.uint64)
            concepts = Concepts(hashes=hashes, masks=stored["masks"])
            encoder = ScreeningEncoder.restored(stored)
            linear = Linear(weights=weights, bias=float(stored["bias"]))
            tuning = Tuning(counted=_judge(stored["counted"]), both=_judge(stored["both"]))
        except (OSError, KeyError, ValueError, IndexError) as error:
            raise SettingsError(
                f"The weights {str(path)!r} cannot be read; reinstall Postern or train anew."
            ) from error
        return cls(linear, concepts, encoder, tuning)

    def save(self, path: Path) -> None:
        """Write the model to `path`, the same bytes for the same model."""
        present, signed, bounds = pack_weights(self.linear.weights)
        tuning = self.tuning
        stored: dict[str, npt.NDArray[np.generic]] = {
            "format": np.array(FORMAT),
            "bits": np.array(BITS),
            "present": present,
            "signed": signed,
            "bounds": bounds,
            "concepts": split_gaps(self.concepts.hashes),
            "masks": self.concepts.masks,
            "bias": np.array(self.linear.bias),
            "counted": np.append(tuning.counted.evidence, tuning.counted.threshold),
            "both": np.append(tuning.both.evidence, tuning.both.threshold),
            **self.encoder.stored(),
        }
        path.write_bytes(pack_npz(stored))

    def scores(self, texts: Sequence[str]) -> Odds:
        """Return for each text how much it reads like orders to a machine, 0 to 1.

        `FLAG_SCORE` is what some 0.3 % of the ordinary texts held back in training exceed.
        """
        if not texts:
            return np.zeros(0)
        reading, windows, clues, chance = self._read_linear(texts)
        odds = self.tuning.counted.odds(clues, chance)
        suspects = np.flatnonzero((odds > SUSPECTED) & (odds < CERTAIN))
        if len(suspects):
            further = read_again(self.encoder, reading, windows, suspects)
            clues_known = np.concatenate((clues[suspects], further), axis=1)
            odds[suspects] = self.tuning.both.odds(clues_known, chance[suspects])
        bounded = np.minimum(np.maximum(odds + _FLAG, -30), 30)
        probabilities: Odds = 1 / (1 + np.exp(-bounded))
        return probabilities

    def strongest(self, texts: Sequence[str]) -> int:
        """Return which of some texts reads most like orders to a machine, by the linear model.

        The encoder is not asked: it would cost more than the judgement of the message itself.
        """
        _, _, clues, chance = self._read_linear(texts)
        return int(self.tuning.counted.odds(clues, chance).argmax())

    def _read_linear(self, texts: Sequence[str]) -> tuple[BatchReading, Windows, Odds, Odds]:
        """Return what the linear model reads of texts: words, windows, clues, what chance gives."""
        reading = read(texts, self.concepts)
        windows = self.linear.windows(reading, len(texts))
        return reading, windows, clues_of(windows, reading.texts), by_chance(windows)

    def knows(self, text: str) -> bool:
        """Whether `text` is mostly of words that were learned; elsewhere silence says nothing."""
        reading = read([text], self.concepts)
        if reading.words is None:
            return False
        is_known = rows_of(self.encoder.vocabulary, reading.words.rows[0]) > 0
        return bool(is_known.mean() >= KNOWN)

    def has_learned(self, word: str) -> bool:
        """Whether a word, in lower case, stands in the encoder's table."""
        hashes = np.array([word_hash(word)], dtype=np.uint64)
        return bool(rows_of(self.encoder.vocabulary, hashes)[0])


def _judge(stored: Odds) -> Judge:
    return Judge(evidence=stored[:-1], threshold=float(stored[-1]))
