"""Records that mail and agents stand on."""
