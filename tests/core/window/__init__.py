"""Tests of the window: a stand-in for its engine, the real one, and a browser."""
