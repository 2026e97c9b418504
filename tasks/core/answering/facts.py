"""Knowledge as what an answer may be made of."""

from data.records.core.briefing import INTERNAL, Snippet, SourceKind
from data.records.core.knowledge import KnowledgeEntry


def fact(entry: KnowledgeEntry, score: float) -> Snippet:
    """Return a knowledge entry as a trusted snippet, marked when no draft may tell it."""
    return Snippet(
        source=SourceKind.KNOWLEDGE,
        ref=f"{'knowledge:' if entry.public else INTERNAL}{entry.id}",
        title=entry.title,
        text=entry.body,
        score=max(0.0, score),
        trusted=True,
        citable=entry.public,
        language=entry.language,
        against=tuple(contradiction.by for contradiction in entry.contradicted),
    )
