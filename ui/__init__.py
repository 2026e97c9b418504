"""The review window: pages, and the client of the engine's API."""
