"""Turns: how each begins, waits, is cut off, resumed and ended."""
