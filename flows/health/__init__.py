"""Checks of an installation, for the engine's API and for `postern doctor`."""
