"""Agents in the window: their pages, their pieces, and their part of the API."""
