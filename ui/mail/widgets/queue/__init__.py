"""The list of what waits: what it is narrowed to, and decisions on several at once."""
