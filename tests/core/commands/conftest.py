"""A home of its own for each test, and a way to be the command line in it."""

from tests.core.commands.fixtures import home, organization, run

__all__ = ["home", "organization", "run"]
