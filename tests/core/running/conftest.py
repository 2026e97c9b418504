"""The line of a tiny organization, for loops and schedules."""

from tests.core.fixtures import line

__all__ = ["line"]
