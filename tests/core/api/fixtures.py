"""The engine's API over a real house, asked in process."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from data.store.core import control
from tests.core.small import SLUG, Line, api_over, make_home, open_line


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


Case = dict[str, object]
"""The view of a case."""
QUESTION = "When is the workshop open?"


async def make_asked(home: Path) -> None:
    """Make the tiny organization in that folder, with one mail that waits for a person."""
    async with open_line(home) as line:
        line.send(QUESTION)
        await line.run()


@pytest.fixture
async def api(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Api]:
    """An API with an administrator signed in; it has had mail where the test wants a case."""
    make = make_asked if "case" in request.fixturenames else make_home
    async with open_line(tmp_path / "var", make) as line:
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


async def case_of(api: Api, text: str = QUESTION) -> Case:
    """Return the view of a case that waits for a person, made of a mail that comes now."""
    api.line.send(text)
    await api.line.run()
    return await only_case(api)


async def only_case(api: Api) -> Case:
    """Return the view of the one case in the queue."""
    (item,) = (await api.get("/queue")).json()["items"]
    view: Case = (await api.get(f"/cases/{item['case_id']}")).json()
    return view


@pytest.fixture
async def case(api: Api) -> Case:
    """The view of a case that waits for a person; the API is opened with it."""
    return await only_case(api)
