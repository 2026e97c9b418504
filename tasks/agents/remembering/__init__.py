"""Statements worth remembering: for whom, what they restate, and which of them fit a question."""
