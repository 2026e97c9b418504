"""Agents over the line of a tiny organization, asked by the API."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from data.records.core.principals import Grant, NewUser
from data.store.core import control, users
from data.store.core.audit_check import verify_log
from flows.agents.lifecycle import install_catalogue
from tests.core.small import Line, api_over, open_line


@dataclass
class Talking:
    """One person who talks to agents."""

    line: Line
    client: httpx.AsyncClient
    user_id: str

    async def get(self, path: str) -> httpx.Response:
        """Ask for something of the organization."""
        return await self.client.get(f"/v1/{self.line.workspace.slug}{path}")

    async def post(self, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        """Do something in the organization."""
        return await self.client.post(f"/v1/{self.line.workspace.slug}{path}", json=body or {})

    async def put(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """Change something in the organization."""
        return await self.client.put(f"/v1/{self.line.workspace.slug}{path}", json=body)

    async def begin(self, agent: str) -> str:
        """Begin a chat with an agent; return its id."""
        answer = await self.post("/chats", {"agent": agent})
        assert answer.status_code == httpx.codes.OK, answer.text
        return str(answer.json()["id"])

    async def ask(self, chat: str, text: str) -> dict[str, Any]:
        """Say something; return the agent's answer once its turn is at its end."""
        said = (await self.post(f"/chats/{chat}/messages", {"text": text})).json()
        await self.ended(said["turn_id"])
        shown = (await self.get(f"/chats/{chat}")).json()["messages"]
        answers = [
            one for one in shown if (one["author"], one["turn_id"]) == ("agent", said["turn_id"])
        ]
        assert answers, (await self.get(f"/turns/{said['turn_id']}")).json()
        return dict(answers[0])

    async def ended(self, turn: str) -> None:
        """Wait until a turn is at its end."""
        await self.get(f"/turns/{turn}/events")  # ends with the turn


@dataclass
class Office:
    """The organization, and the people who can sign in."""

    line: Line
    app: Any

    async def sign_in(self, name: str, role: str = "admin") -> Talking:
        """Return a new user who talks over a client of their own."""
        now = self.line.clock()
        control_state = self.line.house.control
        grants = (
            Grant(role=role, organization=None if role == "admin" else self.line.workspace.slug),
        )
        user = await control_state.write(users.add_user, NewUser(name=name, grants=grants), now)
        token = await control_state.write(control.add_token_of, user.id, now)
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app),
            base_url="http://engine",
            headers={"Authorization": f"Bearer {token}"},
        )
        return Talking(self.line, client, user.id)


async def make_office(home: Path) -> None:
    """Make the tiny organization in that folder, with the agents of the catalogue."""
    async with open_line(home) as line:
        await install_catalogue(line.house, line.workspace)


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    """The tiny organization with the agents of the catalogue.

    However turns end in a test, the audit log vouches for what they did.
    """
    async with open_line(tmp_path / "var", make_office) as line:
        yield Office(line, api_over(line.house))
        assert (await line.workspace.db.read(verify_log)).faults == {}
