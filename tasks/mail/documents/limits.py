"""The limits of a file: how much of it is read, and what it must not unpack to."""

from collections.abc import Iterable
from zipfile import BadZipFile, ZipFile

from data.errors import UnreadableMailError

MOST_LETTERS = 200_000
"""Characters of text that are kept of one file."""
MOST_PAGES = 300
MOST_CELLS = 50_000
MOST_UNPACKED = 200_000_000
"""Bytes that a packed file may unpack to."""
MOST_RATIO, FREE_BYTES = 200, 5_000_000
"""How many times its size it may unpack to, and what is never too much."""
MOST_ENTRIES = 5_000


def check_packed(archive: ZipFile, size: int) -> None:
    """Refuse a packed file that is a bomb, before anything of it is unpacked.

    Raises:
        UnreadableMailError: the sentence says what it would unpack to.

    """
    try:
        entries = archive.infolist()
    except (BadZipFile, ValueError) as error:
        raise UnreadableMailError("The file is damaged.") from error
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_ENTRIES:
        raise UnreadableMailError(f"It holds {len(entries):,} packed files, which is too many.")
    if unpacked > MOST_UNPACKED or (unpacked > FREE_BYTES and unpacked > MOST_RATIO * size):
        raise UnreadableMailError(
            f"It unpacks from {size:,} to {unpacked:,} bytes, which is too much; it may be a bomb."
        )
    if any(entry.flag_bits & 1 for entry in entries):
        raise UnreadableMailError("The file is encrypted: it opens with a password only.")


def gather_pieces(pieces: Iterable[str]) -> tuple[str, bool]:
    """Return pieces line by line up to the limit, and whether there was more."""
    kept_texts: list[str] = []
    room = MOST_LETTERS
    for piece in pieces:
        if len(piece) >= room:
            kept_texts.append(piece[:room])
            return "\n".join(kept_texts).strip(), True
        kept_texts.append(piece)
        room -= len(piece) + 1
    return "\n".join(kept_texts).strip(), False
