"""`postern doctor`: what can be wrong, and what to do about it."""
