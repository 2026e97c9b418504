"""Paths of the trained weights."""

from pathlib import Path

UNDERSTANDING = Path(__file__).parent / "understanding.npz"
"""Category, priority, sentiment and intent."""

LANGUAGE = Path(__file__).parent / "language.npz"
"""Which language a text is in."""
