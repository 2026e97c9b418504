"""Every turn comes to an end that can be read: in its record, in its moves, and in words."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from flows.agents.extracting import ORDINAL as EXTRACTS
from tests.agents.conftest import Talking
from tests.agents.models.conftest import TURN_SECONDS, WITHOUT_MODEL
from tests.agents.models.test_agent_turns import (
    ASKED,
    agent_turn,
    hangs,
    talking,
    turns_of,
    unpaired,
)
from tests.agents.models.test_assembling import MINE, configure, read_packed
from tests.core.models import messages_api as api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import Answer, Seen, StandIn, Step
from tests.core.small import Line, settle
from tests.mail.models.forms import agent_of

SAID = "Begin with the loom."
SCRIPT = (
    "Hello", "What can you do?", "Remember that my desk is on the third floor", ASKED,
    "Where is my desk?", "Remind me tomorrow at 9 to call Ana", "Which tasks do I have?",
    f"{ASKED} (overloaded)", "My canoe is green.", "Is anything about it strange to you?", "Thanks",
    "Remind me on Friday at 9 to pay Ben", "What is urgent?", f"{ASKED} (noted)", "yes",
    "Forget that my desk is on the third floor", "What do you know about me?", f"{ASKED} (never)",
    "Who is Albert Einstein?", "Bye",
)  # fmt: skip
"""A chat of twenty turns: with and without a model, with calls that read, write and fail."""
CLOSED = ("done", "failed")


def _scripted(seen: Seen) -> Answer:
    if agent_of(seen) != "other":
        return agent_turn(api, [])(seen)
    asked = str(read_packed(seen)["asked"])
    steps = [api.looks_up(("waiting_cases", {})), api.fills({"text": SAID})]
    if "(overloaded)" in asked:
        steps = [api.error(500, "api_error")]
    elif "(noted)" in asked:
        steps = [
            api.looks_up(("remember", {"text": "Ida likes looms."}), ("no_such", {})),
            steps[1],
        ]
    elif "(never)" in asked:
        steps = [steps[0]]
    return agent_turn(api, steps)(seen)


async def test_every_record_of_a_chat_of_twenty_turns_is_closed(thinking: OpenThinking) -> None:
    """Each turn and each of its moves has its end and when that was, in their order."""
    async with StandIn([_scripted]) as server, thinking(server, llm_rest_after=100) as line:
        ida = await talking(line)
        chat = await ida.begin("assistant")
        for text in SCRIPT:
            said = (await ida.post(f"/chats/{chat}/messages", {"text": text})).json()
            await ida.ended(said["turn_id"])
            for call in (await ida.get("/calls")).json()["items"]:
                refused = {"version": 1, "sha256": call["sha256"], "approve": False}
                await ida.post(f"/calls/{call['approval_id']}", refused)
                await ida.ended(said["turn_id"])
        await settle(line.house)
        assert not any(unpaired(seen) for seen in turns_of(server))
        turns = await line.rows("SELECT id, state, queued, started_at, ended_at FROM turns")
        moves = await line.rows("SELECT * FROM turn_moves ORDER BY turn_id, ordinal")
    assert len(SCRIPT) == len(turns) == 20
    for turn in turns:
        own = [move for move in moves if move["turn_id"] == turn["id"]]
        assert (turn["state"], turn["queued"]) == ("completed", False)
        places = [move["ordinal"] for move in own if move["ordinal"] != EXTRACTS]
        assert places == list(range(1, len(places) + 1))
        assert turn["started_at"] <= turn["ended_at"]
        for move in own:
            assert move["state"] in CLOSED, move
            assert turn["started_at"] <= move["began_at"] <= move["ended_at"], move
    ends = {(move["kind"], move["state"]) for move in moves}
    assert ends >= {(kind, "done") for kind in ("triage", "think", "act", "extract")}
    assert ends >= {(kind, "failed") for kind in ("think", "act")}


class Ending(NamedTuple):
    """One way in which a turn ends early."""

    step: Step
    tells: str
    """What its answer, or its note where there is no answer, tells."""
    end: "Callable[[Line, Talking, str], Awaitable[object]] | None" = None
    """Ends it while the model writes; what is written by then stays."""
    agent: str = "desk"


async def _stop(_: Line, ida: Talking, turn: str) -> None:
    await ida.post(f"/turns/{turn}/stop")


async def _pause(_: Line, ida: Talking, __: str) -> None:
    await ida.post("/agents/librarian/pause")


async def _delete(line: Line, ida: Talking, _: str) -> None:
    await ida.client.delete(f"/v1/{line.workspace.slug}/agents/rolodex")


async def _nothing(*_: object) -> None:
    """Leave the end to the test, which lets the time of the turn run out."""


async def _heard(line: Line, turn: str) -> None:
    async with asyncio.timeout(120):
        while "loom" not in getattr(line.house.streams.find(turn), "said", ""):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


HANGS = hangs(api.fills({"text": f"{SAID} " * 20}))
LATE = "too late"
ENDINGS = {
    "500": Ending(api.error(500, "api_error"), WITHOUT_MODEL),
    "overloaded": Ending(api.error(529, "overloaded_error"), WITHOUT_MODEL),
    "broken stream": Ending(api.fills({"text": f"{SAID} " * 20}, cut=True), WITHOUT_MODEL),
    "refusal": Ending(api.says("No.", stop="refusal"), WITHOUT_MODEL),
    "another form": Ending(api.fills({"body": SAID}), WITHOUT_MODEL),
    "endless look-ups": Ending(api.looks_up(("waiting_cases", {})), WITHOUT_MODEL),
    "stopped": Ending(HANGS, "Stopped by Ida.", _stop),
    LATE: Ending(
        HANGS, f"It took longer than {TURN_SECONDS:g} seconds, so it was ended.", _nothing
    ),
    "paused": Ending(HANGS, "Librarian was paused by Ida.", _pause, "librarian"),
    "deleted": Ending(HANGS, "Rolodex was deleted by Ida.", _delete, "rolodex"),
    "no context": Ending(HANGS, "could not be put together", agent="taskmaster"),
    "cap reached": Ending(HANGS, "the cap of 0 requests a day", agent="calendar"),
    "kill switch": Ending(HANGS, "No model answered: sending is stopped"),
}


async def test_however_a_turn_ends_there_is_something_to_read(
    thinking: OpenThinking, turn_limits: list[asyncio.Timeout]
) -> None:
    """A sentence that says why, behind what was written by then; and nothing of it stays open."""
    current: list[Step] = []
    step: Step = lambda seen: agent_turn(api, current)(seen)  # noqa: E731
    unread = []
    given = {"llm_rest_after": 100, "turn_seconds": TURN_SECONDS}
    async with StandIn([step]) as server, thinking(server, **given) as line:
        ida = await talking(line)
        root = f"/v1/{line.workspace.slug}"
        entry = {"content": MINE, "reason": "it goes again"}
        await ida.client.put(f"{root}/agent-library/assembly/mine", json=entry)
        await configure(ida, "taskmaster", memory={"assembly": "mine"})
        await line.workspace.db.write(lambda cursor: cursor.execute("DELETE FROM library_entries"))
        cap = {"scope": "agent", "subject": "calendar", "unit": "requests", "limit": 0}
        await ida.client.put(f"{root}/caps", json={**cap, "period": "day"})
        for name, ending in ENDINGS.items():
            current[:] = [ending.step]
            if name == "kill switch":
                line.house.settings.stop_file.touch()
            chat = await ida.begin(ending.agent)
            said = (await ida.post(f"/chats/{chat}/messages", {"text": ASKED})).json()
            if ending.end is not None:
                await _heard(line, said["turn_id"])
                await ending.end(line, ida, said["turn_id"])
            if name == LATE:
                turn_limits[-1].reschedule(0)
            async with asyncio.timeout(120):
                await ida.ended(said["turn_id"])
            view = (await ida.get(f"/chats/{chat}")).json()
            notes = [turn["note"] for turn in view["failed"]]
            last = view["messages"][-1]
            text = last["text"] if last["author"] == "agent" else "".join(notes)
            goes_on = ending.end is not None
            if ending.tells not in text or text.startswith(SAID) != goes_on or "Error" in text:
                unread.append((name, text))
        await settle(line.house)  # what is learnt behind the last answer
        open_rows = await line.rows(
            "SELECT turn_id FROM turn_moves WHERE ended_at IS NULL OR state = 'running' "
            "UNION SELECT id FROM turns WHERE ended_at IS NULL OR state = 'active'"
        )
    assert len(ENDINGS) >= 10
    assert (unread, open_rows) == ([], [])
