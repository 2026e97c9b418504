"""What agents remember, of whom, and what is forgotten."""
