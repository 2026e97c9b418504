"""The engine's API over a real house, asked in process."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from data.store.core import control
from tests.line.small import SLUG, Line, api_over, open_line


@dataclass
class Api:
    """A client with an administrator's token, and the line behind it."""

    line: Line
    client: httpx.AsyncClient
    token: str

    async def get(self, path: str, **query: object) -> httpx.Response:
        """Ask for something of the tiny organization."""
        return await self.client.get(f"/v1/{SLUG}{path}", params=query)  # type: ignore[arg-type]

    async def post(self, path: str, body: object = None) -> httpx.Response:
        """Do something in the tiny organization."""
        return await self.client.post(f"/v1/{SLUG}{path}", json=body if body is not None else {})


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    """An API with an administrator signed in."""
    async with open_line(tmp_path / "var") as line:
        token = await line.house.control.write(
            control.add_token, "ida", "admin", None, line.clock()
        )
        transport = httpx.ASGITransport(api_over(line.house))
        async with httpx.AsyncClient(
            transport=transport,
            base_url="http://engine",
            headers={"Authorization": f"Bearer {token}"},
        ) as client:
            yield Api(line, client, token)
