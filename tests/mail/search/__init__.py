"""Searching the organization's mail."""
