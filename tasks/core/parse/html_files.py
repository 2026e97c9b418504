"""Files that stand in the text of an HTML part, in `<pre>` or with a `<br>` after each line."""

import html
from itertools import islice

from data.byte_patterns import octet_pattern
from tasks.core.parse.inline_files import BEGINS, FILES, InlineFile, file_at

BEGINNINGS = 1_000
"""Beginnings of files in a page that are looked at."""
FIRST_LOOK = 600
"""Octets of a page that are looked at first for what may be a file."""

_BEGIN = octet_pattern(
    b"(?:^|[>\\n])[ \\t\\r]*(" + b"|".join(mark.replace(b"(", b"[(]") for mark in BEGINS) + b")"
)
_TOKEN = octet_pattern(rb"<[^<>]*>|\r?\n|[^<\n]+|<")
_LINE_TAGS = (
    b"<br",
    b"</p",
    b"</div",
    b"</li",
    b"</td",
    b"</tr",
    b"</pre",
    b"<p",
    b"<div",
    b"<pre",
)


def cut_files_of_html(octets: bytes) -> tuple[bytes, list[InlineFile]]:
    """Return the page without the files in it, its tags pieces, and the files in order."""
    if not any(mark in octets for mark in BEGINS):
        return octets, []
    files: list[InlineFile] = []
    pieces: list[bytes] = []
    at = 0
    for match in islice(_BEGIN.finditer(octets), BEGINNINGS):
        start = match.start(1)
        inline_file = _file_from(octets, start) if start >= at and len(files) < FILES else None
        if inline_file is not None:
            file, end = inline_file
            files.append(file)
            pieces += (octets[at:start], _tags(octets[start:end]))
            at = end
    return b"".join((*pieces, octets[at:])), files


def _file_from(octets: bytes, start: int) -> tuple[InlineFile, int] | None:
    """Return the file that begins at `start` and where it ends, or None.

    More is looked at only while the file goes on, so that many beginnings cost no more than one.
    """
    room = FIRST_LOOK
    while True:
        lines, ends = _read_lines(octets[start : start + room])
        inline_file = file_at(lines, 0)
        if inline_file is None:
            return None
        file, after = inline_file
        if after < len(lines) - 1 or start + room >= len(octets):  # the last line may be cut
            return file, start + ends[min(after, len(ends)) - 1]
        room *= 2


def _read_lines(octets: bytes) -> tuple[list[bytes], list[int]]:
    """Return the filled lines that a reader sees, and where each ends."""
    lines: list[bytes] = []
    ends: list[int] = []
    line = bytearray()
    at = 0
    for match in _TOKEN.finditer(octets):
        token = match.group()
        if token.lower().startswith(_LINE_TAGS) or token in (b"\n", b"\r\n"):
            if line.strip():
                lines.append(_resolve_references(bytes(line)))
                ends.append(match.start())
            line.clear()
        elif not (token.startswith(b"<") and token.endswith(b">")):
            line += token
        at = match.end()
    if line.strip():
        lines.append(_resolve_references(bytes(line)))
        ends.append(at)
    return lines, ends


def _resolve_references(octets: bytes) -> bytes:
    """Return a line without its references: `&lt;` is a letter of a file, `&nbsp;` a space."""
    text = html.unescape(octets.decode("latin-1")) if b"&" in octets else octets.decode("latin-1")
    return text.replace("\xa0", " ").encode("latin-1", "replace").rstrip(b"\r\n")


def _tags(octets: bytes) -> bytes:
    """Return the tags alone, so that what stands around a file stays as it was."""
    return b"".join(
        match.group()
        for match in _TOKEN.finditer(octets)
        if match.group().endswith(b">") and match.group().startswith(b"<")
    )
