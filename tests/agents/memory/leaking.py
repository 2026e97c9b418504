"""Whether anybody is shown what is remembered of somebody else, over every surface.

Twenty users, each with fifty facts of their own that hold a mark which nobody else's has, ask over
every surface that shows memory; whoever is shown another's mark is told of. Run as a program it
prints how many marks leaked: so the check is made over a copy of Postern whose filter is broken.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
from fastapi import FastAPI

from data.records.agents.chats import ChatKind, NewChat, Say
from data.records.agents.memories import Evidence, Layer, LayerKind, Memory, Provenance
from data.records.core.occasions import Occasion
from data.records.core.principals import Grant, NewTeam, NewUser
from data.states import MemoryState
from data.store.agents import memories as store
from data.store.core import control, users
from data.store.core import teams as team_store
from data.store.core.database import Connection
from flows.agents.chats import begin_chat, say_in_chat
from flows.agents.lifecycle import install_catalogue
from flows.agents.memory import recall_layers
from flows.core.tools import Calling
from flows.running.agents import TOOLS
from tests.core.small import SLUG, Line, api_over, open_line, settle

Shown = tuple[str, str]
"""The name of a surface, and what is on it."""
USERS, FACTS = (int(number) for number in os.environ.get("LEAKING", "20 50").split())
QUESTION = "What is the favourite herb of the loom in the shed?"
PATHS = (
    "/memories?limit=200",
    "/memories?limit=200&state=superseded",
    "/memories/layers",
    f"/memories/search?limit=50&q={QUESTION}",
    "/memories/proposed",
    "/memories/export",
    "/chats",
    "/business-profile",
)


def mark(user: int, fact: int = 0) -> str:
    """Return the mark of one fact of a user."""
    return f"canary{user:02d}x{fact:02d}"


def facts_of(user: int, user_id: str, line: Line) -> Iterator[tuple[Memory, Evidence]]:
    """Yield what is remembered of one user: current, superseded and proposed."""
    now = line.clock()
    for fact in range(FACTS):
        text = f"My favourite herb {fact} of the loom in the shed is {mark(user, fact)}."
        state = (MemoryState.CURRENT, MemoryState.SUPERSEDED, MemoryState.PROPOSED)[
            0 if fact < FACTS - 10 else 1 + fact % 2
        ]
        yield (
            Memory(
                id=f"memory-{user:02d}-{fact:02d}",
                layer=Layer(kind=LayerKind.USER, owner=user_id).key,
                text=text,
                size=len(text),
                language="en",
                provenance=Provenance.PERSON,
                significance=0.5,
                state=state,
                asked_of=f"user:{user_id}" if state is MemoryState.PROPOSED else "",
                count=1,
                author=user_id,
                author_name=f"User {user}",
                first_at=now,
                last_at=now,
            ),
            Evidence(words=text, said_by=f"User {user}", provenance=Provenance.PERSON, said_at=now),
        )


async def leaks(home: Path, asking: int = USERS) -> list[str]:
    """Return a line for each surface over which one of the first users sees another's mark."""
    async with open_line(home) as line:
        await install_catalogue(line.house, line.workspace)
        people = [await _user(line, number) for number in range(USERS)]
        ids = [user_id for user_id, _ in people]
        team = await line.house.control.write(
            team_store.add_team, SLUG, NewTeam(name="All", members=tuple(ids)), line.clock()
        )

        def fill(cursor: Connection) -> None:
            for number, user_id in enumerate(ids):
                for item, evidence in facts_of(number, user_id, line):
                    store.add(cursor, item, (evidence,))

        await line.workspace.db.write(fill)
        found: list[str] = []
        app = api_over(line.house)
        for number, user in enumerate(people[:asking]):
            shown = [text async for text in _surfaces(line, app, number, user, team.id)]
            for surface, text in shown:
                found += [
                    f"user {number} sees {mark(other)[:8]} over {surface}"
                    for other in range(USERS)
                    if other != number and f"canary{other:02d}x" in text
                ]
            own = "".join(text for _, text in shown)
            assert f"canary{number:02d}x" in own, "a user is not shown what is the user's own"
        return found


async def _user(line: Line, number: int) -> tuple[str, str]:
    """Make a user, every fourth an administrator of everything; return id and token."""
    state, now = line.house.control, line.clock()
    role = ("admin", "lead", "reviewer", "viewer")[number % 4]
    grant = Grant(role=role, organization=None if role == "admin" else SLUG)
    user = await state.write(users.add_user, NewUser(name=f"User {number}", grants=(grant,)), now)
    return user.id, await state.write(control.add_token_of, user.id, now)


async def _surfaces(
    line: Line, app: FastAPI, number: int, user: tuple[str, str], team: str
) -> AsyncIterator[Shown]:
    """Yield what a user is shown, with the name of where."""
    user_id, token = user
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://engine",
        headers={"Authorization": f"Bearer {token}"},
    ) as client:
        for path in PATHS:
            yield path, (await client.get(f"/v1/{SLUG}{path}")).text
        other = (number + 1) % USERS
        for act in ("", "/retire", "/accept"):
            path = f"/memories/memory-{other:02d}-00{act}"
            call = client.post if act else client.get
            yield path, (await call(f"/v1/{SLUG}{path}")).text
        yield (
            "correcting",
            (
                await client.put(
                    f"/v1/{SLUG}/memories/memory-{other:02d}-01", json={"text": "It is mine now."}
                )
            ).text,
        )
    async for shown in _in_chats(line, user_id, other, team):
        yield shown


async def _in_chats(line: Line, user_id: str, other: int, team: str) -> AsyncIterator[Shown]:
    """Yield what a user is shown by agents, on each kind of occasion."""
    house, workspace = line.house, line.workspace
    principal = await house.control.read(users.read_principal, user_id)
    for kind in ("direct", "team", "organization", "group", "email"):
        occasion = Occasion(
            kind=kind, user=user_id if kind == "direct" else "", teams=(team,), agent="assistant"
        )
        calling = Calling(house, workspace, principal, occasion)
        for question in (QUESTION, mark(other, 3), "") if kind == "direct" else (QUESTION,):
            result = await TOOLS.call(calling, "recall", {"question": question})
            yield f"recall in {kind}", result.model_dump_json()
        told, _ = await recall_layers(house, workspace, occasion, QUESTION)
        yield f"layers in {kind}", "\n".join(told.values())
    result = await TOOLS.call(calling, "forget", {"what": f"the herb {mark(other, 5)}"})
    yield "forget", result.model_dump_json()
    for chat_kind in (ChatKind.DIRECT, ChatKind.TEAM):
        of_team = team if chat_kind is ChatKind.TEAM else ""
        wanted = NewChat(agent="assistant", kind=chat_kind, team=of_team)
        chat = await begin_chat(house, workspace, wanted, principal)
        await say_in_chat(
            house, workspace, TOOLS, chat.id, Say(text=f"@assistant {QUESTION}"), principal
        )
        await settle(house)
        answers = await line.rows("SELECT text FROM chat_messages WHERE chat_id = ?", chat.id)
        yield f"an answer in a {chat_kind} chat", "\n".join(str(row["text"]) for row in answers)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(len(asyncio.run(leaks(Path(folder) / "var", asking=1))))
