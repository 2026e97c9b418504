"""A message as the rules see it: its places, its links, and the forms of its texts."""
