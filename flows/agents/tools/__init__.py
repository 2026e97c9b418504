"""Tools that belong to the agents themselves, one file per group."""
