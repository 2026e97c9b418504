"""What tests of every slice are given: the line of a tiny organization, with nothing in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.core.small import Line, open_line


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Line]:
    """A line with nothing in it yet."""
    async with open_line(tmp_path / "var") as opened:
        yield opened
