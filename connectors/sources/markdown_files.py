"""Markdown with YAML front matter: knowledge entries and saved replies."""

from pathlib import Path

from connectors.sources.reading import TableReading, read_files
from data.errors import ManifestError
from data.manifest_files import parse_yaml, read_text, validate_values
from data.records.core.knowledge import KnowledgeEntry, SavedReply

FENCE = "---"
NOT_WRITTEN = ("body", "source", "learned", "superseded", "contradicted")
RELATIONS = ("supersedes", "belongs_to", "contradicts")
"""Keys that front matter does not have: they are found out."""

STRUCTURE = ("-", "*", "+", "#", "|", ">", "`", "~")
"""First letters of lines that are not running text."""


def split_front_matter(text: str, name: str) -> tuple[dict[str, object], str]:
    """Return the mapping between the two `---` lines and the text after them.

    Raises:
        ManifestError: there is no front matter, it does not end, or it is not a YAML mapping.

    """
    lines = text.split("\n")  # not splitlines: a body may hold U+2028 and its like
    if lines[0].rstrip() != FENCE:
        raise ManifestError(
            f"{name!r} has no front matter; begin it with a line '---', then id and title, "
            "then a line '---'"
        )
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == FENCE:
            values = parse_yaml("\n".join(lines[1:number]), name)
            return values, "\n".join(lines[number + 1 :]).strip()
    raise ManifestError(f"{name!r} has front matter without an end; add a line '---' after it")


def read_knowledge_files(folder: Path) -> TableReading:
    """Read `knowledge/**/*.md`: one KnowledgeEntry each; the file's stem is the default id."""
    return read_files(folder, (folder / "knowledge").rglob("*.md"), _read_knowledge)


def _read_knowledge(path: Path, name: str, reading: TableReading) -> None:
    values, body = _content(path, name)
    body = join_soft_breaks(body)
    entry = validate_values(KnowledgeEntry, {**values, "body": body}, name)
    if entry.valid_from and entry.valid_until and entry.valid_from > entry.valid_until:
        raise ManifestError(f"{name!r}: key 'valid_until' is before 'valid_from'; mend one of them")
    for relation in RELATIONS:
        if entry.id in getattr(entry, relation):
            raise ManifestError(
                f"{name!r}: key {relation!r} names the entry itself; remove it there"
            )
    row = entry.model_dump(exclude={"source", "learned", "superseded", "contradicted"})
    lists = {key: list(getattr(entry, key)) for key in ("tags", *RELATIONS)}
    reading.add({**row, "kind": str(entry.kind), **lists}, name)


def read_saved_reply_files(folder: Path) -> TableReading:
    """Read `saved_replies/**/*.md`: one SavedReply each; the file's stem is the default id."""
    return read_files(folder, (folder / "saved_replies").rglob("*.md"), _read_saved_reply)


def _read_saved_reply(path: Path, name: str, reading: TableReading) -> None:
    values, body = _content(path, name)
    reply = validate_values(SavedReply, {**values, "body": body}, name)
    reading.add({**reply.model_dump(), "categories": list(reply.categories)}, name)


def _content(path: Path, name: str) -> tuple[dict[str, object], str]:
    values, body = split_front_matter(read_text(path), name)
    for key in NOT_WRITTEN:
        if key in values:
            raise ManifestError(f"{name!r}: key {key!r} does not belong here; the text is the body")
    if not body:
        raise ManifestError(f"{name!r} has no text after the front matter; write it or remove it")
    return {"id": path.stem, **values}, body


def join_soft_breaks(text: str) -> str:
    """Return Markdown text with the soft line breaks of its paragraphs undone.

    A single line end inside a paragraph means a space (CommonMark section 6.8); lists, tables,
    headings and quotations keep their lines.
    """
    paragraphs = []
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        is_kept_whole = any(
            line.lstrip()[:1] in STRUCTURE or line[:4].strip() == "" for line in lines
        )
        numbered = any(line.lstrip()[:1].isdigit() and ". " in line[:5] for line in lines)
        paragraphs.append(
            block if is_kept_whole or numbered else " ".join(line.strip() for line in lines)
        )
    return "\n\n".join(paragraphs)
