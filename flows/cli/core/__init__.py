"""Commands of the installation and its people, and the engine that all commands reach."""
