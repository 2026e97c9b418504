"""The routes of a case: what a reviewer sees of it and decides on it."""
