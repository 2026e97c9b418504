"""A text cut into pieces that can be entries of knowledge, at its headings or its paragraphs."""

from collections.abc import Iterator

LONGEST_SECTION = 6_000
"""Characters above which a piece is cut at its paragraphs."""


def sections(text: str, title: str) -> list[tuple[str, str]]:
    """Return (title, text) of each piece; `title` stands over what no heading stands over.

    A heading is a line that begins with one to three `#` and a space. Pieces of one heading that
    had to be cut bear its words and a number.
    """
    pieces: list[tuple[str, list[str]]] = [(title, [])]
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        heading = "" if fenced else _heading(line)
        if heading:
            pieces.append((heading, []))
        else:
            pieces[-1][1].append(line)
    sections_made: list[tuple[str, str]] = []
    for name, lines in pieces:
        parts = list(_cut_pieces("\n".join(lines).strip()))
        sections_made += [
            (f"{name} ({place})" if len(parts) > 1 else name, part)
            for place, part in enumerate(parts, start=1)
        ]
    return sections_made


def _heading(line: str) -> str:
    marks, _, words = line.partition(" ")
    return words.strip().rstrip("#").strip() if marks in ("#", "##", "###") else ""


def _cut_pieces(text: str) -> Iterator[str]:
    """Yield pieces of at most `LONGEST_SECTION` characters, whole paragraphs where they fit."""
    piece = ""
    for paragraph in text.split("\n\n"):
        rest = paragraph.strip("\n")
        if piece and len(piece) + len(rest) > LONGEST_SECTION:
            yield piece
            piece = ""
        while len(rest) > LONGEST_SECTION:
            end = rest.rfind(" ", 0, LONGEST_SECTION)
            end = end if end > 0 else LONGEST_SECTION
            yield rest[:end].strip()
            rest = rest[end:].strip()
        piece = f"{piece}\n\n{rest}".strip()
    if piece:
        yield piece
