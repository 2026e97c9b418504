"""Tools of the agents themselves: one file for each group (docs/extending.md)."""
