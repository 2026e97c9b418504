"""Searching mail: what of a message is searched, and what people ask for."""
