"""Chats of the demo: what people of the sample organization say to each other and to agents.

What people say is written down; what agents answer is not. Each remark is said over the API as its
person, and the agents answer by what the organization has then.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pydantic import Field

from data.manifest_files import parse_yaml, read_text, validate_values
from data.records.core.record import Record
from flows.demo.timeline import SAMPLE
from flows.operating.engine_api import Engine

CHATS = SAMPLE / "chats.yaml"
_TOKENS = "/v1/tokens"


class Remark(Record):
    """What one person says."""

    by: str = ""
    """Address of who says it; empty for whoever opens the demo."""
    text: str = Field(min_length=1)


class PlayedChat(Record):
    """One chat, with what people say in it."""

    title: str = ""
    team: str = ""
    """Name of the team whose chat it is; empty for a chat of whoever opens the demo alone."""
    agents: tuple[str, ...] = Field(min_length=1)
    """Slugs of the agents in it; it begins with the first."""
    says: tuple[Remark, ...]


class _Script(Record):
    chats: tuple[PlayedChat, ...]


def read_chats(path: Path = CHATS) -> tuple[PlayedChat, ...]:
    """Return the chats in the order in which they are held.

    Raises:
        ManifestError: the file is missing or not valid.

    """
    return validate_values(_Script, parse_yaml(read_text(path), str(path)), str(path)).chats


def hold_chats(engine: Engine, slug: str, chats: Sequence[PlayedChat]) -> int:
    """Say everything, each person by themselves; return how many answers agents gave.

    Raises:
        NotFoundError: an agent or a person of the chats is not there.

    """
    with _speaking(engine, slug, chats) as (speakers, ids):
        for chat in chats:
            _hold(speakers, ids, slug, chat)
        listed = engine.get(f"/v1/{slug}/chats")["items"]
        views = [engine.get(f"/v1/{slug}/chats/{chat['id']}", limit=200) for chat in listed]
    return sum(message["author"] == "agent" for view in views for message in view["messages"])


@contextmanager
def _speaking(
    engine: Engine, slug: str, chats: Sequence[PlayedChat]
) -> Iterator[tuple[dict[str, Engine], dict[str, str]]]:
    """Yield who speaks, by address, with the ids of their users; their tokens end with it."""
    ids = {user["email"]: user["id"] for user in engine.get(f"/v1/{slug}/users") if user["email"]}
    ids[""] = engine.get("/v1/me")["id"]
    speakers = {"": engine}
    mine = {ids[remark.by] for chat in chats for remark in chat.says if remark.by}
    opened = ExitStack()
    try:
        for address, user_id in ids.items():
            if user_id in mine:
                user_order = {"user": address, "user_id": user_id}
                speaker = Engine(engine.settings, engine.post(_TOKENS, user_order)["token"])
                speakers[address] = opened.enter_context(speaker)
        yield speakers, ids
    finally:
        opened.close()
        for token in engine.get(_TOKENS):
            if token["user_id"] in mine and not token["revoked_at"]:
                engine.delete(f"{_TOKENS}/{token['id']}")


def _hold(speakers: dict[str, Engine], ids: dict[str, str], slug: str, chat: PlayedChat) -> None:
    """Begin a chat with its agents, and say what is said in it, each answer waited for."""
    beginning = speakers[chat.says[0].by]
    chat_order = {"agent": chat.agents[0], "title": chat.title}
    if chat.team:
        members = sorted({ids[""], *(ids[remark.by] for remark in chat.says)})
        team = speakers[""].post(f"/v1/{slug}/teams", {"name": chat.team, "members": members})
        chat_order |= {"kind": "team", "team": team["id"]}
    path = f"/v1/{slug}/chats/{beginning.post(f'/v1/{slug}/chats', chat_order)['id']}"
    for agent in chat.agents[1:]:
        beginning.put(f"{path}/members", {"kind": "agent", "member_id": agent})
    for remark in chat.says:
        speaker = speakers[remark.by]
        message_sent = speaker.post(f"{path}/messages", {"text": remark.text})
        for turn in message_sent["turns"]:
            speaker.fetch(f"/v1/{slug}/turns/{turn}/events")  # ends with the turn
