"""The engine's API over a real house, asked in process."""

from tests.core.api.fixtures import api

__all__ = ["api"]
