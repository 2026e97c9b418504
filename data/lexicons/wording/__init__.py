"""Sentences and words of results that code says, in the languages that it answers in."""
