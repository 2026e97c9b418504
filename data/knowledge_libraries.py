"""Libraries of knowledge: entries that bear a tag, or lie in a folder, of one name."""

from collections.abc import Collection
from pathlib import PurePosixPath

from data.records.core.knowledge import KnowledgeEntry

_WHOLE = "knowledge"
"""The folder that all files of knowledge lie in."""


def libraries_of(entry: KnowledgeEntry) -> frozenset[str]:
    """Return the names of the libraries that an entry is in: its tags, and its folders."""
    folders = PurePosixPath(entry.source).parts[:-1]
    if folders[:1] == (_WHOLE,):
        folders = folders[1:]
    return frozenset(_name(part) for part in (*entry.tags, *folders))


def in_libraries(entry: KnowledgeEntry, names: Collection[str]) -> bool:
    """Return whether an entry is in one of these libraries; with no name every entry is."""
    return not names or bool(libraries_of(entry) & set(names))


def _name(text: str) -> str:
    """Return a tag or a folder as a manifest names it."""
    return "-".join(text.lower().split())
