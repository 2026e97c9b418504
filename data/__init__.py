"""The nouns of Postern and their store."""
