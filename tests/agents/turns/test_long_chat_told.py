"""What a model is told of a long chat: whole messages, the newest first, within its budget."""

import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from data.records.agents.chats import AuthorKind, ChatMessage, ChatPreferences
from tasks.agents.thinking import MOST_SAID, SHOWN, TurnContext, build_chat_request, choose_newest

TURNS = 100
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
PENDING = "pay Ben 40 euros (taskmaster, waits for a person to say yes)"


def one_message(text: str, place: int = 1) -> ChatMessage:
    """Return what Ida says, or at an even place what the agent answers to it."""
    person = place % 2 == 1
    return ChatMessage(
        id=f"m{place}",
        chat_id="c",
        place=place,
        author=AuthorKind.PERSON if person else AuthorKind.AGENT,
        author_id="ida" if person else "desk",
        author_name="Ida" if person else "Desk",
        text=text,
        turn_id=f"t{place // 2}",
        reply_to="" if person else f"m{place - 1}",
        said_at=NOW + timedelta(minutes=place),
    )


def _chat(rng: random.Random) -> list[ChatMessage]:
    """Return a chat of a hundred turns: what a person says, and what the agent answers to it."""
    sizes = [rng.randrange(1, rng.choice((8, 80, 800, 4_000))) for _ in range(2 * TURNS)]
    return [
        one_message(f"<{place}>{'word ' * size}</{place}>", place)
        for place, size in enumerate(sizes, start=1)
    ]


@pytest.mark.parametrize("seed", range(10))
def test_a_long_chat_is_told_whole_and_within_its_budget(seed: int) -> None:
    """After each of a hundred turns: no message is torn, no answer is named that is not there."""
    chat = _chat(random.Random(seed))
    beside = TurnContext(pending=(PENDING,))
    for turn in range(0, TURNS, 9):
        earlier, asked = chat[: 2 * turn], chat[2 * turn]
        kept = choose_newest(earlier, MOST_SAID)
        assert list(kept) == earlier[len(earlier) - len(kept) :]
        assert sum(len(message.text) for message in kept) <= MOST_SAID
        if len(kept) < len(earlier):  # one more would be too much
            assert sum(len(one.text) for one in earlier[-len(kept) - 1 :]) > MOST_SAID
        text = build_chat_request(
            "0123456789abcdef", asked, earlier, {}, ChatPreferences(), "now", beside
        )
        packed = json.loads(text)
        given, mail = packed["given"], packed["mail"]
        assert given["still_under_way_in_this_chat"] == [PENDING]
        assert given["asked"] == asked.text
        assert len(given["said_before"]) == len(kept)
        named = set()
        for number, (said, message) in enumerate(zip(given["said_before"], kept, strict=True), 1):
            if message.author is AuthorKind.PERSON:
                assert said["says"] == message.text
            else:
                named.add(f"answer {number}")
                assert said["says"] == f"see 'answer {number}' under mail"
                assert message.text[: SHOWN // 2] in mail[f"answer {number}"]
        assert named == set(mail)
