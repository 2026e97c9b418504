"""The line of a tiny organization, with the real store, index, spool and reading processes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.line.small import Line, open_line


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Line]:
    """A line with nothing in it yet."""
    async with open_line(tmp_path / "var") as opened:
        yield opened
