"""The pieces of a briefing that a reply may be written from and name as its sources."""

from data.records.core.briefing import INTERNAL, Snippet, SourceKind


def is_citable(snippet: Snippet) -> bool:
    """Return whether the organization vouches for a snippet and lets replies tell it."""
    own = snippet.source in (SourceKind.KNOWLEDGE, SourceKind.ACCOUNT, SourceKind.ORGANIZATION)
    is_public = snippet.trusted and snippet.citable
    return own and is_public and not snippet.ref.startswith(INTERNAL)
