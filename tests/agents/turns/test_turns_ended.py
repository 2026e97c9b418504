"""Turns that are held up: what is said meanwhile, and how they end when nothing else ends them."""

import asyncio
from pathlib import Path

import httpx
import pytest
import yaml

from data.errors import ConflictError
from data.records.core.tools import Effect
from data.store.agents import chats, turns
from data.store.core import users
from flows.agents.chats import build_viewer
from flows.agents.lifecycle import install_catalogue
from flows.agents.running import resume_turns, stop_turn
from flows.agents.turn import MOST_TRIES
from flows.agents.turn_triggers import MOST_TOGETHER
from tests.agents.conftest import Office
from tests.agents.turns.talks import ORDER, Shop, Talk, begin_talk
from tests.core.small import api_over, open_line
from tests.occupied import go_as_far_as_they_can, occupied_writer


async def test_a_turn_that_waits_for_somebody_who_is_gone_ends(office: Office) -> None:
    """With a sentence; nothing happens, and nobody is asked any more."""
    await office.sign_in("Boss")
    talk = await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    assert not await resume_turns(house, workspace, talk.shop.toolbox)
    await house.control.write(users.end_user, talk.ida.id, house.clock())
    assert await resume_turns(house, workspace, talk.shop.toolbox)
    ended = await workspace.db.read(turns.read_turn, turn)
    assert (ended.state, ended.note) == ("failed", "who asked is no user any more")
    assert await talk.waiting() == []
    assert talk.shop.sold == []


@pytest.mark.parametrize("lost", ["the agent", "the chat"])
async def test_a_turn_that_waits_ends_where_who_asked_is_out(office: Office, lost: str) -> None:
    """Of the agent's assignments, whose restrictions held it, or of the chat that it answers in."""
    boss = await office.sign_in("Boss")
    signed_in = await office.sign_in("Ida", "viewer")
    house, workspace = office.line.house, office.line.workspace
    ida = await house.control.read(users.read_principal, signed_in.user_id)
    group = {"agent": "taskmaster", "kind": "group", "people": [ida.id]}
    chat = (await boss.post("/chats", group)).json()["id"]
    talk = Talk(office, Shop(), ida, chat)
    turn = await talk.say(f"@taskmaster {ORDER}")
    await talk.settle()
    (call,) = await talk.waiting()
    if lost == "the agent":
        to_boss = {"items": [{"kind": "user", "subject": boss.user_id}]}
        path = f"/v1/{workspace.slug}/agents/taskmaster/assignments"
        assert (await boss.client.put(path, json=to_boss)).is_success
    else:
        path = f"/v1/{workspace.slug}/chats/{chat}/members/person/{ida.id}"
        assert (await boss.client.delete(path)).is_success
    await talk.decide(call, approve=True)
    await talk.settle()
    ended = await workspace.db.read(turns.read_turn, turn)
    assert (ended.state, talk.shop.sold) == ("failed", [])
    assert ended.note == f"who asked has {lost} no more"
    second = Talk(
        office, talk.shop, await house.control.read(users.read_principal, boss.user_id), chat
    )
    await second.say(f"@taskmaster {ORDER}")
    await second.settle()
    assert not await resume_turns(house, workspace, talk.shop.toolbox)


async def test_what_is_said_meanwhile_has_a_bound(office: Office) -> None:
    """A turn answers so many messages together; what is said beyond them is one more."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    await talk.say(ORDER)
    await shop.begun.wait()
    further = [await talk.say("Hello") for _ in range(MOST_TOGETHER + 2)]
    assert [len(set(further)), further[0] == further[MOST_TOGETHER - 1]] == [2, True]
    assert further[-1] == further[MOST_TOGETHER]
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    assert all([await talk.answer(turn) for turn in set(further)])


async def test_what_is_said_meanwhile_is_one_next_turn(office: Office) -> None:
    """Three messages while the agent works are two turns: the one at work and one for the rest."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    first = await talk.say(ORDER)
    await shop.begun.wait()
    second, third = await talk.say("Hello"), await talk.say("Remind me on Friday at 9 to pay Ben")
    assert second == third != first
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    turn = await office.line.workspace.db.read(turns.read_turn, second)
    assert (turn.state, len(turn.also)) == ("completed", 1)
    assert await talk.answer(second)


async def test_a_turn_ends_with_the_version_that_it_began_with(office: Office) -> None:
    """What is changed of its agent meanwhile counts from the next turn on."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    first = await talk.say(ORDER)
    await shop.begun.wait()
    boss = await office.sign_in("Boss")
    manifest = yaml.safe_load((await boss.get("/agents/taskmaster/manifest")).text)
    body = {"manifest": yaml.safe_dump(manifest | {"tools": ["memory"]}), "reason": "less"}
    path = f"/v1/{office.line.workspace.slug}/agents/taskmaster"
    assert (await boss.client.put(path, json=body)).is_success
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    second = await talk.say(ORDER)
    await talk.settle()
    db = office.line.workspace.db
    versions = [(await db.read(turns.read_turn, turn)).agent_version for turn in (first, second)]
    assert versions == [1, 2]
    assert len(shop.sold) == 1
    assert (await talk.answer(first)).startswith("Sold")


async def test_all_that_is_said_meanwhile_is_read_for_what_to_remember(office: Office) -> None:
    """Each of the messages that one turn answers, not the last alone."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    await talk.say(ORDER)
    await shop.begun.wait()
    stated = ["My desk is on the third floor.", "My canoe is green."]
    for words in stated:
        await talk.say(words)
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    remembered = await office.line.rows("SELECT text FROM memories ORDER BY id")
    assert [row["text"] for row in remembered] == stated


async def test_a_turn_that_waits_for_a_person_holds_nobody(office: Office) -> None:
    """Who has not decided yet can go on talking."""
    talk = await begin_talk(office, Shop())
    await talk.say(ORDER)
    await talk.settle()
    second = await talk.say("What can you do?")
    await talk.settle()
    assert await talk.answer(second)
    assert len(await talk.waiting()) == 1


@pytest.mark.parametrize("effect", [Effect.NONE, Effect.INSIDE])
async def test_nothing_is_written_of_a_turn_whose_chat_was_removed(
    office: Office, effect: Effect, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it is at then comes to its end, and the engine goes on as if it were not there."""
    shop = Shop(effect=effect, approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    await talk.say(ORDER)
    await shop.begun.wait()
    await office.line.workspace.db.write(chats.remove, talk.chat)
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    for table in ("turns", "turn_moves", "chat_messages"):
        assert await office.line.rows(f"SELECT 1 FROM {table}") == []  # noqa: S608
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("held", ["at work", "waiting for a yes"])
async def test_a_turn_is_stopped(office: Office, held: str) -> None:
    """By who asked; what it was at is unknown, what it asked is withdrawn, the next begins."""
    shop = Shop(approval=held != "at work", wait=asyncio.Event() if held == "at work" else None)
    talk = await begin_talk(office, shop)
    turn = await talk.say(ORDER)
    if held == "at work":
        await shop.begun.wait()
        queued = await talk.say("What can you do?")
    else:
        await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    viewer = await build_viewer(house, workspace, talk.ida)
    stopped = await stop_turn(house, workspace, shop.toolbox, turn, talk.ida, viewer)
    assert (stopped.state, stopped.note) == ("failed", "Stopped by Ida.")
    await talk.settle()
    assert shop.sold == []
    assert await talk.waiting() == []
    acts = [
        one.state for one in await workspace.db.read(turns.list_moves, turn) if one.kind == "act"
    ]
    assert acts == ["unknown" if held == "at work" else "failed"]
    if held == "at work":
        assert await talk.answer(queued)
    with pytest.raises(Exception, match="ended already"):
        await stop_turn(house, workspace, shop.toolbox, turn, talk.ida, viewer)


@pytest.mark.parametrize(("how", "became"), [("/pause", "paused"), ("", "deleted")])
async def test_an_agent_that_is_paused_or_deleted_stops_working(
    office: Office, how: str, became: str
) -> None:
    """What waits for a yes and what is at work end with the reason, what waits behind it too."""
    shop = Shop()
    talk = await begin_talk(office, shop)
    asking = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    shop.approval, shop.wait = False, asyncio.Event()
    working = await talk.say("Remind me on Friday at 9 to pay Ben")
    await shop.begun.wait()
    queued = await talk.say("What can you do?")
    boss = await office.sign_in("Boss")
    path = f"/v1/{office.line.workspace.slug}/agents/taskmaster{how}"
    answer = await boss.client.request("POST" if how else "DELETE", path)
    assert answer.status_code == httpx.codes.OK, answer.text
    await talk.settle()
    workspace = office.line.workspace
    for turn in (asking, working, queued):
        ended = await workspace.db.read(turns.read_turn, turn)
        assert (ended.state, ended.note) == ("failed", f"Taskmaster was {became} by Boss.")
    assert await talk.waiting() == []
    assert shop.sold == []
    assert not await resume_turns(office.line.house, workspace, shop.toolbox)
    with pytest.raises(ConflictError):
        await talk.decide(call, approve=True)


async def test_nothing_is_done_any_more_for_somebody_who_is_erased(office: Office) -> None:
    """What an agent is at ends before; nothing of it comes back behind the erasure."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    await talk.say(ORDER)
    await shop.begun.wait()
    boss = await office.sign_in("Boss")
    erased = await boss.post(f"/memories/people/{talk.ida.id}/erase")
    assert erased.json()["chats"] == 1
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    assert shop.sold == []
    for table in ("turns", "turn_moves", "chat_messages"):
        assert await office.line.rows(f"SELECT 1 FROM {table}") == []  # noqa: S608


async def test_a_yes_opens_nothing_outside_while_sending_is_stopped(office: Office) -> None:
    """The agent is told, and the switch is looked at when the call would be made."""
    shop = Shop(effect=Effect.OUTSIDE)
    talk = await begin_talk(office, shop)
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    switch = office.line.house.settings.stop_file
    switch.touch()
    await talk.decide(call, approve=True)
    await talk.settle()
    assert shop.sold == []
    assert "Sending is stopped" in await talk.answer(turn)
    switch.unlink()
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    await talk.decide(call, approve=True)
    await talk.settle()
    assert len(shop.sold) == 1


async def test_nothing_outside_is_done_once_sending_is_stopped(office: Office) -> None:
    """Whoever stops it while a call that was approved is written down can rely on it."""
    shop = Shop(effect=Effect.OUTSIDE)
    talk = await begin_talk(office, shop)
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    house, workspace = office.line.house, office.line.workspace
    await talk.decide(call, approve=True)
    async with occupied_writer(workspace.db):
        await go_as_far_as_they_can(workspace.db, house.control, rounds=200)
        house.settings.stop_file.touch()
    await talk.settle()
    assert shop.sold == []
    assert "Sending is stopped" in await talk.answer(turn)


async def test_a_turn_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """With a sentence; the chat goes on."""
    async with open_line(tmp_path / "var", turn_seconds=0.5) as line:
        await install_catalogue(line.house, line.workspace)
        shop = Shop(approval=False, wait=asyncio.Event())
        talk = await begin_talk(Office(line, api_over(line.house)), shop)
        turn = await talk.say(ORDER)
        await talk.settle()
        assert "longer than 0.5 seconds" in await talk.answer(turn)
        assert await talk.answer(await _after(talk))


async def _after(talk: Talk) -> str:
    turn = await talk.say("Hello")
    await talk.settle()
    return turn


async def test_a_turn_over_which_engines_die_is_given_up(office: Office) -> None:
    """It is begun three times, and not again and again with every start."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    turn = await talk.say(ORDER)
    house, workspace = office.line.house, office.line.workspace
    for _ in range(MOST_TRIES):
        await shop.begun.wait()
        shop.begun.clear()
        for errand in list(house.errands):
            errand.cancel()
        await asyncio.gather(*house.errands, return_exceptions=True)
        await workspace.db.write(
            lambda cursor: cursor.execute("DELETE FROM turn_moves WHERE kind = 'act'")
        )
        assert await resume_turns(house, workspace, shop.toolbox)
    await talk.settle()
    assert "never came to its end" in await talk.answer(turn)
