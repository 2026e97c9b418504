"""Searching the organization's mail: what is asked for."""
