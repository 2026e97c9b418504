"""One case: what is known of it, and what can be done with it."""
