"""The engine's API, and its parts that are of neither mail nor agents."""
