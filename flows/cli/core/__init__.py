"""How commands reach the engine, and those of the installation and its people."""
