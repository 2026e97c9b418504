"""Private things that must not leave: secrets, identifiers, links, marks, however masked."""
