"""Asking a language model: what goes in, and the form that its answer has."""
