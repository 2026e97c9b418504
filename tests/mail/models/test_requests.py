"""What goes over the wire to a provider: captured from the real client libraries."""

import json
import os
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.mail.thinking.planning_tools import TOOLS
from tasks.core.asking.packing import fenced, pack
from tests.core.models import chat_api, messages_api
from tests.core.models.fixtures import KEY, OpenThinking
from tests.core.models.wire import Seen, StandIn
from tests.core.small import ADDRESS
from tests.mail.models.canaries import FIELDS, mail_with, words
from tests.mail.models.forms import agent_of, sensible, user_turn

MAILS = int(os.environ.get("POSTERN_TEST_MAILS", "24"))
RELAY_PASSWORD = "relay-password-41c"


def stable(seen: Seen) -> str:
    """Return everything of a request that is not the user's turn."""
    body = dict(seen.body)
    body["messages"] = [one for one in body["messages"] if one["role"] != "user"]
    return json.dumps(body, ensure_ascii=False)


def in_fences(turn: dict[str, Any]) -> str:
    """Return the fenced texts of a user's turn, after a look at each fence."""
    marker = re.match(r"\[([0-9a-f]{24})\n", next(iter(turn["mail"].values())))
    assert marker is not None
    for text in turn["mail"].values():
        assert text.startswith(f"[{marker[1]}\n")
        assert text.endswith(f"\n{marker[1]}]")
        assert text.count(marker[1]) == 2
    return "\n".join(turn["mail"].values())


@pytest.mark.slow
@pytest.mark.timeout(900)  # a machine with much else to do takes long, and is not wrong
@pytest.mark.parametrize(("provider", "count"), [("anthropic", MAILS), ("openai", 12)])
async def test_no_byte_of_mail_is_in_a_system_prompt(
    thinking: OpenThinking, provider: str, count: int
) -> None:
    """Thirty places in each of many mails: none in what is stable, none outside of a fence.

    No request holds a word of two mails, so nobody's mail is in another one's context; what a
    reader does not see and what attachments hold is in no request at all.
    """
    rng = random.Random(11)
    mails = [words(rng) for _ in range(count)]
    owner = {word: number for number, own in enumerate(mails) for word in own.values()}
    step = sensible({"anthropic": messages_api, "openai": chat_api}[provider].fills)
    given = {"relay_password": RELAY_PASSWORD, "llm_concurrency": 32, "llm_daily_cap": 0,
             "authenticate_senders": False}  # fmt: skip
    async with StandIn([step]) as server, thinking(server, provider, **given) as line:
        for number, own in enumerate(mails):
            sender, raw = mail_with(own, number, ADDRESS)
            line.send("", raw=raw, sender=sender)
        await line.run()
    canary = re.compile("q[bcdfghjklmnpqrstvwxz]{11}")
    seen_fields: set[str] = set()
    constant: dict[tuple[str, ...], set[str]] = {}
    for seen in server.seen:
        own_words = set(canary.findall(seen.raw.decode().lower()))
        mine = {owner[word] for word in own_words if word in owner}
        assert len(mine) <= 1
        lower = stable(seen).lower()
        assert not [word for word in canary.findall(lower) if word in owner]
        turn = user_turn(seen)
        fences = in_fences(turn)
        rest = json.dumps({**turn, "mail": {}}, ensure_ascii=False).lower()
        assert not [word for word in canary.findall(rest) if word in owner]
        inside = set(canary.findall(fences.lower())) & set(owner)
        for number in mine:
            seen_fields |= {field for field, word in mails[number].items() if word in inside}
        tools = json.dumps(seen.body["tools"])
        constant.setdefault((tools,), set()).add(_system(seen))
        tools_told = [_name(tool) for tool in seen.body["tools"]]
        assert tools_told == [*(TOOLS if agent_of(seen) == "planner" else ()), "answer"]
        assert KEY.encode() not in seen.raw
        assert {"traceparent", "tracestate", "baggage"} & set(seen.headers) == set()
        assert RELAY_PASSWORD not in f"{seen.raw!r}{seen.headers}"
    assert len(server.seen) >= 4 * count * 0.9
    assert len(constant) == 4
    assert all(len(prompts) == 1 for prompts in constant.values())
    assert {"from_name", "subject", "first_line", "middle"} <= seen_fields
    unseen = {"html_comment", "html_hidden", "attachment", "ics", "received", "x_mailer", "href"}
    assert seen_fields & unseen == set()
    assert seen_fields <= set(FIELDS)


def _name(tool: dict[str, Any]) -> str:
    """Return the name of a tool in either API."""
    return str(tool.get("name") or tool["function"]["name"])


def _system(seen: Seen) -> str:
    """Return the system prompt of a request of either API."""
    if "system" in seen.body:
        return "".join(block["text"] for block in seen.body["system"])
    return "".join(
        str(one["content"])
        for one in seen.body["messages"]
        if one["role"] in ("system", "developer")
    )


MARKER = "0123456789abcdef01234567"


@settings(max_examples=200)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=40),
            st.sampled_from(
                [MARKER, MARKER.upper(), MARKER[:12], MARKER[12:], f"[{MARKER}\n", "]"]
            ),
        ),
        max_size=12,
    )
)
def test_no_text_can_close_its_fence(parts: list[str]) -> None:
    """Whatever a mail holds, the marker stands at the fence's two ends and nowhere else."""
    text = fenced(MARKER, "".join(parts))
    assert text.lower().count(MARKER) == 2
    packed = json.loads(pack(MARKER, {}, {"message": "".join(parts)}))
    assert set(packed) == {"task", "given", "about_mail", "mail"}
    assert packed["mail"]["message"].lower().count(MARKER) == 2


@pytest.mark.parametrize("marker", ["short", "with space in it!", ""])
def test_a_fence_needs_a_marker_that_cannot_be_guessed(marker: str) -> None:
    """A marker that is short, or could mean something in a pattern, is refused."""
    with pytest.raises(ValueError, match="marker"):
        pack(marker, {}, {})
