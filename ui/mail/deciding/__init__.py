"""Decisions of people about mail, as callbacks, and what they stand on."""
