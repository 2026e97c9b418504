"""The engine's API over a real house, asked in process."""

from tests.api.conftest import api

__all__ = ["api"]
