"""The engine's API, as the pages ask it."""
