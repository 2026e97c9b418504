"""The state of the mail line: one module for each aggregate."""
