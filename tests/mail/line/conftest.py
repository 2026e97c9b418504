"""The line of a tiny organization, with the real store, index, spool and reading processes."""

from tests.core.fixtures import line

__all__ = ["line"]
