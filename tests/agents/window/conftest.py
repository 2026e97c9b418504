"""The window over a stand-in for the engine, by real HTTP on the loopback."""

from tests.core.window.fixtures import address, browser, served, window, world

__all__ = ["address", "browser", "served", "window", "world"]
