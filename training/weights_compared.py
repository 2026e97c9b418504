"""What is different between two files of weights, part by part."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]


def differences(before: Path, after: Path) -> list[str]:
    """Return a sentence for each part in which two `.npz` files differ; none for equal bytes.

    Files with equal parts and other bytes (another zlib, say) are one difference too.
    """
    if before.read_bytes() == after.read_bytes():
        return []
    with np.load(before, allow_pickle=False) as old, np.load(after, allow_pickle=False) as new:
        found = [
            f"{name}: {told}"
            for name in sorted({*old, *new})
            if (told := _told(old.get(name), new.get(name)))
        ]
    return found or ["every part is equal, and the files' bytes are not"]


def _told(old: Array | None, new: Array | None) -> str:
    """Return in which way two parts differ; empty when they do not."""
    if old is None or new is None:
        return f"only in the {'new' if old is None else 'committed'} file"
    if old.dtype != new.dtype:
        return f"of type {old.dtype}, now {new.dtype}"
    if old.shape != new.shape:
        return f"of shape {old.shape}, now {new.shape}"
    if old.tobytes() == new.tobytes():
        return ""
    changed = int(np.count_nonzero(old != new))
    if np.issubdtype(old.dtype, np.floating):
        gap = np.max(np.abs(np.subtract(old, new, dtype=np.float64)))
        return f"{changed} of {old.size} values differ, by {gap:.3g} at most"
    return f"{changed} of {old.size} values differ"
