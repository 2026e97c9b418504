"""Who turns texts into vectors for the knowledge index: by setting, locally without a download."""

from connectors.embedding.choosing import embedder_from
from connectors.embedding.embedder import Embedder, LocalEmbedder, Vectors

__all__ = ["Embedder", "LocalEmbedder", "Vectors", "embedder_from"]
