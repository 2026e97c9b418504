"""What every part stands on: the house, its store, reading and screening, the window."""
