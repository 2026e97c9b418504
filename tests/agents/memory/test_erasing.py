"""What agents told of a contact goes with the contact."""

import asyncio
from functools import partial

import pytest

from data.records.agents.chats import Say
from data.records.core.tools import Effect
from data.records.mail.contacts import EraseContact
from data.store.agents import turns
from data.store.core import approvals
from data.store.core.retold import cut_retold
from flows.agents.chats import say_in_chat
from flows.agents.running import end_turns_at_work, resume_turns
from flows.mail.people.erasing import erase
from flows.running.agents import TOOLS
from flows.upkeep import forget_programs
from tests.agents.conftest import Office
from tests.agents.turns.talks import Shop, begin_talk
from tests.mail.contacts.held import holding
from tests.occupied import go_as_far_as_they_can, occupied_writer
from tests.people import person

SENDER = "tom@otter.example"
URGENT = "There is smoke coming out of the loom and it smells of burning. What shall I do?"


async def test_no_answer_and_no_move_tells_of_an_erased_contact(office: Office) -> None:
    """Neither subject nor address is left; what was told of others stays."""
    office.line.send(URGENT, subject="Quillfeather smoke", sender=SENDER)
    await office.line.run()
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    told = await ida.ask(chat, "What is urgent?")
    assert "Quillfeather" in told["text"]
    other = await ida.ask(chat, "Hello")
    house, workspace = office.line.house, office.line.workspace
    await erase(house, workspace, EraseContact(address=SENDER), person("ida"))
    assert "Quillfeather" not in (await ida.get(f"/turns/{told['turn_id']}/events")).text
    shown = (await ida.get(f"/chats/{chat}")).json()["messages"]
    assert [one["text"] for one in shown] == [
        "What is urgent?",
        "(erased)",
        "Hello",
        other["text"],
    ]
    home = house.settings.home
    assert [
        found for word in (b"Quillfeather", SENDER.encode()) for found in holding(home, word)
    ] == []


@pytest.mark.parametrize("let_go", [True, False], ids=["let go of", "begun in the meantime"])
async def test_a_turn_that_is_at_work_meanwhile_keeps_nothing_of_an_erased_contact(
    office: Office, *, let_go: bool
) -> None:
    """It is ended with why; what it has in its hands by then is written nowhere afterwards."""
    office.line.send(URGENT, subject="Quillfeather smoke", sender=SENDER)
    await office.line.run()
    effect = Effect.NONE if let_go else Effect.INSIDE
    shop = Shop(effect=effect, approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    turn = await talk.say(f"Remind me tomorrow at 9 to call {SENDER}")
    await shop.begun.wait()
    house, workspace = office.line.house, office.line.workspace
    boss = person("ida")
    ending = partial(end_turns_at_work, house, workspace, boss) if let_go else None
    await erase(house, workspace, EraseContact(address=SENDER), boss, ending)
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    ended = await workspace.db.read(turns.read_turn, turn)
    assert ended.state == "failed"
    assert "of a contact was erased" in ended.note
    assert len(shop.sold) == (0 if let_go else 1)
    assert holding(house.settings.home, SENDER.encode()) == []
    seals = await office.line.rows("SELECT subject FROM audit_events WHERE action = 'end-turn'")
    assert {seal["subject"] for seal in seals} == {f"turn:{turn}"}


async def test_a_turn_that_waits_says_that_its_words_were_erased(office: Office) -> None:
    """What it was to do stands nowhere any more; it ends with a sentence and not with a mistake."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say(f"Remind me tomorrow at 9 to call {SENDER}")
    await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    assert await workspace.db.write(cut_retold, (), [SENDER]) > 0
    (waiting,) = await office.line.rows("SELECT expires_at FROM approvals")
    await workspace.db.write(lambda cursor: approvals.expire(cursor, waiting["expires_at"]))
    assert await resume_turns(house, workspace, talk.shop.toolbox)
    await talk.settle()
    assert await talk.answer(turn) == "What was said here was erased meanwhile. Ask again."
    assert talk.shop.sold == []


async def test_no_turn_that_begins_meanwhile_writes_of_an_erased_contact(office: Office) -> None:
    """It waits until the contact is deleted, and is ended; no tool of it writes afterwards."""
    office.line.send(URGENT, subject="Quillfeather smoke", sender=SENDER)
    await office.line.run()
    talk = await begin_talk(office, Shop())
    house, workspace, boss = office.line.house, office.line.workspace, person("ida")
    have_ended, has_begun = asyncio.Event(), asyncio.Event()

    async def ending() -> None:
        await end_turns_at_work(house, workspace, boss)
        have_ended.set()
        await has_begun.wait()

    erasing = asyncio.create_task(
        erase(house, workspace, EraseContact(address=SENDER), boss, ending)
    )
    await have_ended.wait()
    words = Say(text=f"Remind me tomorrow at 9 to call {SENDER}")
    said = await say_in_chat(house, workspace, TOOLS, talk.chat, words, talk.ida)
    async with occupied_writer(workspace.db):
        await go_as_far_as_they_can(workspace.db)
        has_begun.set()
        await go_as_far_as_they_can(workspace.db)
    await erasing
    await talk.settle()
    assert "was erased" in await talk.answer(said.turn_id)
    assert holding(house.settings.home, SENDER.encode()) == []


async def test_erasing_a_person_takes_their_chats_and_their_name_in_others(office: Office) -> None:
    """What they asked alone is gone to the last byte; what others said in a shared chat stays."""
    boss = await office.sign_in("Boss")
    ida = await office.sign_in("Quillfeather", "viewer")
    await ida.ask(await ida.begin("desk"), "Hello, my locker is behind the wainscot")
    await ida.ask(await ida.begin("taskmaster"), "Remind me tomorrow at 9 to oil the wainscot")
    body = {"agent": "desk", "kind": "group", "people": [ida.user_id], "title": "Looms"}
    shared = (await boss.post("/chats", body)).json()["id"]
    await ida.post(f"/chats/{shared}/messages", {"text": "The blue one squeaks"})
    await boss.post(f"/chats/{shared}/messages", {"text": "Thank you, Quillfeather"})
    erased = (await boss.post(f"/memories/people/{ida.user_id}/erase")).json()
    assert erased["chats"] == 2
    shown = (await boss.get(f"/chats/{shared}")).json()["messages"]
    assert [(one["author_name"], one["text"]) for one in shown] == [
        ("(erased)", "The blue one squeaks"),
        ("Boss", "Thank you, (erased)"),
    ]
    assert (await ida.get("/chats")).json()["total"] == 1
    assert (await ida.get("/tasks")).json()["total"] == 0
    state = office.line.workspace.folder
    assert [found for found in holding(state, b"wainscot") if "lance" not in str(found)] == []


async def test_erasing_a_person_cuts_their_name_out_of_what_they_changed(office: Office) -> None:
    """Versions of agents and entries of the library stay, by nobody any more."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Quillfeather")
    entry = {"content": 'version: "1"\nkind: assembly\nname: looms\ndescription: Looms.\n'}
    entry["reason"] = "for the looms, says Quillfeather"
    org = office.line.workspace.slug
    written = await ida.client.put(f"/v1/{org}/agent-library/assembly/looms", json=entry)
    assert written.is_success, written.text
    manifest = (await ida.get("/agents/desk/versions")).json()["items"][0]["manifest"]
    changed = {"manifest": manifest.replace("Desk", "Bureau", 1), "reason": "as Quillfeather says"}
    assert (await ida.client.put(f"/v1/{org}/agents/desk", json=changed)).is_success
    before = (await boss.get("/agents/desk/versions")).json()["items"]
    assert before[0]["author"] == "Quillfeather"
    await boss.post(f"/memories/people/{ida.user_id}/erase")
    for path in ("/agents/desk/versions", "/agent-library/assembly/looms/versions"):
        newest = (await boss.get(path)).json()["items"][0]
        assert (newest["author"], "Quillfeather" in newest["note"]) == ("(erased)", False)
    listed = {agent["slug"]: agent for agent in (await boss.get("/agents")).json()["items"]}
    assert listed["desk"]["installed_by"] == "(erased)"


async def test_how_much_is_held_of_whom_is_told_to_who_may_erase_it(office: Office) -> None:
    """Of somebody who has left, too, until it is erased; to others their own alone; no words."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Ida", "reviewer")
    chat = await ida.begin("assistant")
    await ida.ask(chat, "Remember that my desk is on the third floor")
    await ida.ask(chat, "Remind me tomorrow at 9 to call Ana")
    own = (await ida.get("/memories/people")).json()["items"]
    assert [(one["name"], one["items"], one["chats"], one["things"]) for one in own] == [
        ("Ida", 1, 1, 1)
    ]
    removed = await boss.client.delete(f"/v1/users/{ida.user_id}")
    assert removed.is_success, removed.text
    listed = await boss.get("/memories/people")
    assert "third floor" not in listed.text
    held = {one["name"]: one for one in listed.json()["items"]}
    assert (held["Ida"]["ended"], held["Ida"]["items"], held["Boss"]["items"]) == (True, 1, 0)
    await boss.post(f"/memories/people/{ida.user_id}/erase")
    left = (await boss.get("/memories/people")).json()["items"]
    assert "Ida" not in {one["name"] for one in left}


async def test_chats_of_programs_are_forgotten_after_their_time(office: Office) -> None:
    """Those of the window stay, and so do newer ones."""
    ida = await office.sign_in("Ida")
    kept = await ida.begin("desk")
    await ida.ask(kept, "Hello")
    said = [{"role": "user", "content": "What waits?"}]
    program = {"model": "teasel/desk", "messages": said}
    house, workspace = office.line.house, office.line.workspace
    await ida.client.post("/v1/chat/completions", json=program)
    assert await forget_programs(house, workspace) == 0
    office.line.clock.forward(31 * 86_400)
    await ida.client.post("/v1/chat/completions", json=program)
    assert await forget_programs(house, workspace) == 1
    left = await office.line.rows("SELECT channel FROM chats ORDER BY id")
    assert [row["channel"] for row in left] == ["window", "api"]


async def test_no_long_memory_tells_of_an_erased_contact(office: Office) -> None:
    """What is whole in the archive goes too, also where they are named at its end alone."""
    office.line.send(URGENT, subject="Smoke", sender=SENDER)
    await office.line.run()
    ida = await office.sign_in("Ida")
    text = f"{'The looms hum in the hall. ' * 200}Mr Quillfeather writes as {SENDER}."
    remembered = await ida.post("/memories", {"text": text})
    assert remembered.json()["outcome"] == "added"
    house, workspace = office.line.house, office.line.workspace
    assert holding(workspace.folder, b"Quillfeather") != []
    await erase(house, workspace, EraseContact(address=SENDER), person("ida"))
    assert holding(workspace.folder, b"Quillfeather") == []


async def test_erasing_a_person_cuts_their_name_out_of_long_texts(office: Office) -> None:
    """What the archive has of others' memories keeps the rest; the file with the name goes."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Quillfeather", "viewer")
    text = "The looms: " + ", ".join(f"loom {number}" for number in range(700)) + ", Quillfeather."
    told = (await boss.post("/memories", {"text": text, "layer": "organization"})).json()["memory"]
    await boss.post(f"/memories/people/{ida.user_id}/erase")
    shown = (await boss.get(f"/memories/{told['id']}")).json()
    assert shown["text"] == text.replace("Quillfeather", "(erased)")
    assert shown["memory"]["spilled"] not in ("", told["spilled"])
    assert not office.line.workspace.archive.path(told["spilled"]).exists()
    state = office.line.workspace.folder
    assert [found for found in holding(state, b"Quillfeather") if "lance" not in str(found)] == []
