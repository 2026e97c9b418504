"""Arrays as the octets of an `.npz`, which `numpy.load` reads, in less room than numpy needs.

Weights hardly repeat: what can be saved is that some octets are more frequent than others. Deflate
told so (`Z_FILTERED`, `Z_HUFFMAN_ONLY`, `Z_RLE`) looks for few repetitions or none, whose
descriptions are longer than they are, and saves a tenth more. Python's `zipfile` has no way to tell
it, so the few records of a ZIP are written here (APPNOTE.TXT 4.3). Where the columns of a matrix
have frequencies of their own LZMA saves another fifth; it is read more slowly (40 ms a megabyte),
so it is taken for nothing less.
"""

import struct
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Octets = npt.NDArray[np.uint8]
NumberT = TypeVar("NumberT", bound=np.generic)
UnsignedT = TypeVar("UnsignedT", np.uint32, np.uint64)

_FIRST_DAY = 33
"""The first of January 1980, so that the same arrays are the same octets."""
_LOCAL_HEADER = 30
"""Octets before the name of a file in a ZIP (APPNOTE.TXT 4.3.7)."""
_WORTH_LZMA = 0.9
"""Share of deflate's octets below which LZMA is worth its time."""
_WAYS = tuple(
    (memory, strategy)
    for strategy in (zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE)
    for memory in (6, 9)
)
"""How much of an array shares one table of frequencies, and what is looked for; the first of the
shortest counts."""


class _Packed(NamedTuple):
    """An array packed in one of the ways of a ZIP (APPNOTE.TXT 4.4.3 to 4.4.5)."""

    version: int
    """Of ZIP, which knows it: 20 deflate, 63 LZMA."""
    flags: int
    method: int
    octets: bytes


def pack_npz(arrays: Mapping[str, npt.NDArray[np.generic]]) -> bytes:
    """Return arrays by name as an `.npz`, the same octets for the same arrays."""
    file, directory = BytesIO(), BytesIO()
    for name, array in arrays.items():
        content = BytesIO()
        np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
        plain, path = content.getvalue(), f"{name}.npy".encode()
        packed = _pack(plain)
        entry = struct.pack(
            "<5H3I2H",
            packed.version,
            packed.flags,
            packed.method,
            0,  # hour
            _FIRST_DAY,
            zlib.crc32(plain),
            len(packed.octets),
            len(plain),
            len(path),
            0,  # octets of further fields
        )
        place = file.tell()
        file.write(b"PK\3\4" + entry + path + packed.octets)
        rest = struct.pack("<3H2I", 0, 0, 0, 0, place)  # no comment, first disk, no attributes
        directory.write(b"PK\1\2" + struct.pack("<H", packed.version) + entry + rest + path)
    count, start = len(arrays), file.tell()
    end = struct.pack("<4H2IH", 0, 0, count, count, directory.tell(), start, 0)
    return file.getvalue() + directory.getvalue() + b"PK\5\6" + end


def _pack(plain: bytes) -> _Packed:
    """Return octets in the least room that is worth the time to read them."""
    deflated = min((_deflated(plain, *way) for way in _WAYS), key=len)
    squeezed = _with_lzma(plain)
    if len(squeezed) < _WORTH_LZMA * len(deflated):
        ends_with_mark = 0b10
        return _Packed(63, ends_with_mark, zipfile.ZIP_LZMA, squeezed)
    return _Packed(20, 0, zipfile.ZIP_DEFLATED, deflated)


def _with_lzma(plain: bytes) -> bytes:
    """Return octets as `zipfile` packs them by LZMA, with the properties that a ZIP wants."""
    file, name = BytesIO(), "array"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), plain, compress_type=zipfile.ZIP_LZMA)
        size = archive.getinfo(name).compress_size
    start = _LOCAL_HEADER + len(name)
    return file.getvalue()[start : start + size]


def _deflated(plain: bytes, memory: int, strategy: int) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, memory, strategy)
    return deflate.compress(plain) + deflate.flush()


def split_octets(array: npt.NDArray[np.generic]) -> Octets:
    """Return the first octets of all values, then the second ones; shape (octets, *shape).

    Those of the same significance are alike, and are packed better together.
    """
    octets = np.ascontiguousarray(array).view(np.uint8).reshape(*array.shape, array.itemsize)
    return np.ascontiguousarray(np.moveaxis(octets, -1, 0))


def join_octets(octets: Octets, kind: type[NumberT]) -> npt.NDArray[NumberT]:
    """Return the values that `split_octets` was given.

    Raises:
        ValueError: they are not of that kind.

    """
    return np.ascontiguousarray(np.moveaxis(octets, 0, -1)).view(kind)[..., 0]


def split_gaps(ascending: npt.NDArray[UnsignedT]) -> Octets:
    """Return how far each value is from the one before it, the first from nought, octet-wise."""
    return split_octets(np.diff(ascending, prepend=ascending.dtype.type(0)))


def join_gaps(octets: Octets, kind: type[UnsignedT]) -> npt.NDArray[UnsignedT]:
    """Return the values that `split_gaps` was given."""
    return np.cumsum(join_octets(octets, kind), dtype=kind)
