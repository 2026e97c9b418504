"""The knowledge index: entries searchable by words and by meaning (LanceDB)."""

from connectors.knowledge.index import KnowledgeIndex
from connectors.knowledge.ranking import Scored

__all__ = ["KnowledgeIndex", "Scored"]
