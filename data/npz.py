"""Arrays as the octets of an `.npz`, which `numpy.load` reads, in less room than numpy needs.

Weights hardly repeat: what can be saved is that some octets are more frequent than others. Deflate
told so (`Z_FILTERED`, `Z_HUFFMAN_ONLY`, `Z_RLE`) looks for few repetitions or none, whose
descriptions are longer than they are, and saves a tenth more. Python's `zipfile` has no way to tell
it, so the few records of a ZIP are written here (APPNOTE.TXT 4.3).
"""

import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Octets = npt.NDArray[np.uint8]
Number = TypeVar("Number", bound=np.generic)
Unsigned = TypeVar("Unsigned", np.uint32, np.uint64)

_VERSION, _DEFLATED, _FIRST_DAY = 20, 8, 33
"""ZIP 2.0, which knows deflate; and the first of January 1980, so that the same arrays are the
same octets."""
_WAYS = tuple(
    (memory, strategy)
    for strategy in (zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE)
    for memory in (6, 9)
)
"""How much of an array shares one table of frequencies, and what is looked for; the first of the
shortest counts."""


def pack_npz(arrays: Mapping[str, npt.NDArray[np.generic]]) -> bytes:
    """Return arrays by name as an `.npz`, the same octets for the same arrays."""
    file, directory = BytesIO(), BytesIO()
    for name, array in arrays.items():
        content = BytesIO()
        np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
        plain, path = content.getvalue(), f"{name}.npy".encode()
        packed = min((_deflated(plain, *way) for way in _WAYS), key=len)
        entry = struct.pack(
            "<5H3I2H",
            _VERSION,
            0,  # flags
            _DEFLATED,
            0,  # hour
            _FIRST_DAY,
            zlib.crc32(plain),
            len(packed),
            len(plain),
            len(path),
            0,  # octets of further fields
        )
        place = file.tell()
        file.write(b"PK\3\4" + entry + path + packed)
        rest = struct.pack("<3H2I", 0, 0, 0, 0, place)  # no comment, first disk, no attributes
        directory.write(b"PK\1\2" + struct.pack("<H", _VERSION) + entry + rest + path)
    count, start = len(arrays), file.tell()
    end = struct.pack("<4H2IH", 0, 0, count, count, directory.tell(), start, 0)
    return file.getvalue() + directory.getvalue() + b"PK\5\6" + end


def _deflated(plain: bytes, memory: int, strategy: int) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, memory, strategy)
    return deflate.compress(plain) + deflate.flush()


def split_octets(array: npt.NDArray[np.generic]) -> Octets:
    """Return the first octets of all values, then the second ones; shape (octets, *shape).

    Those of the same significance are alike, and are packed better together.
    """
    octets = np.ascontiguousarray(array).view(np.uint8).reshape(*array.shape, array.itemsize)
    return np.ascontiguousarray(np.moveaxis(octets, -1, 0))


def join_octets(octets: Octets, kind: type[Number]) -> npt.NDArray[Number]:
    """Return the values that `split_octets` was given.

    Raises:
        ValueError: they are not of that kind.

    """
    return np.ascontiguousarray(np.moveaxis(octets, 0, -1)).view(kind)[..., 0]


def split_gaps(ascending: npt.NDArray[Unsigned]) -> Octets:
    """Return how far each value is from the one before it, the first from nought, octet-wise."""
    return split_octets(np.diff(ascending, prepend=ascending.dtype.type(0)))


def join_gaps(octets: Octets, kind: type[Unsigned]) -> npt.NDArray[Unsigned]:
    """Return the values that `split_gaps` was given."""
    return np.cumsum(join_octets(octets, kind), dtype=kind)
