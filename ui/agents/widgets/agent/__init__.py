"""One agent: what it is, may and did, and what changes it."""
