"""The order: flows over stages, the engine that runs them, and the command line."""
