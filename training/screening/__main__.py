"""Train the screen's classifier: `python -m training.screening [--check]`.

Without an option it writes `data/weights/screening.npz`; with `--check` it fails unless training
gives the committed weights byte for byte, and says which part differs and whether answers do.
Either way it prints figures on the measured mails.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from data.screening.model import WEIGHTS, ScreeningModel
from training.screening.learning import trained
from training.screening.measured import measured_mails
from training.screening.measuring import report, scored
from training.weights_compared import differences

TOLERANCE = 0.05
"""How far scores may differ between machines and still count as the same model."""


def _same(model: ScreeningModel) -> bool:
    """Whether `model` is, byte for byte, the committed one; prints what differs."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / WEIGHTS.name
        model.save(path)
        found = differences(WEIGHTS, path)
    if not found:
        print(f"{WEIGHTS.name}: byte for byte what training gives")
        return True
    mails = measured_mails()
    gap = np.abs(scored(ScreeningModel.load(WEIGHTS), mails) - scored(model, mails))
    told = "other" if float(np.quantile(gap, 0.99)) > TOLERANCE else "the same"
    print(f"{WEIGHTS.name} is not what training gives; its answers are {told}:")
    print("\n".join(found))
    return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write, or train and compare; the exit code is 1 when the weights are stale."""
    parser = argparse.ArgumentParser(prog="python -m training.screening")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    given = parser.parse_args(arguments)
    check = given.check
    model = trained()
    if check:
        stale = not _same(model)
    else:
        model.save(WEIGHTS)
        print(
            f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB,"
            f" {np.count_nonzero(model.linear.weights)} features,"
            f" {len(model.encoder.vocabulary)} words"
        )
        stale = False
    report(ScreeningModel.load(WEIGHTS))
    if stale:
        print("stale: screening.npz; run python -m training.screening")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
