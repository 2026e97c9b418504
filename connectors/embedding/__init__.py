"""Embedders for the knowledge index, chosen by setting; the local one needs no download."""

from connectors.embedding.choosing import embedder_from
from connectors.embedding.embedder import Embedder, LocalEmbedder, Vectors

__all__ = ["Embedder", "LocalEmbedder", "Vectors", "embedder_from"]
