"""A message and its conversation: what was said, and its files."""
