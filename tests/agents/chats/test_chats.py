"""Chats of several people and agents: who sees them, who answers, and what is kept."""

from datetime import timedelta

import httpx
import pytest

from data.records.core.principals import NewTeam
from data.store.core import teams as team_store
from tests.agents.conftest import Office, Talking
from tests.core.small import SLUG

OK, NOT_FOUND, FORBIDDEN = httpx.codes.OK, httpx.codes.NOT_FOUND, httpx.codes.FORBIDDEN


async def begin_chat(talking: Talking, **wanted: object) -> str:
    """Begin a chat of that kind with the desk; return its id."""
    answer = await talking.post("/chats", {"agent": "desk", **wanted})
    assert answer.status_code == OK, answer.text
    return str(answer.json()["id"])


async def say_and_wait(talking: Talking, chat: str, text: str) -> list[str]:
    """Say something, wait for whoever answers, and return the agents that did."""
    answer = await talking.post(f"/chats/{chat}/messages", {"text": text})
    assert answer.status_code == OK, answer.text
    turns = answer.json()["turns"]
    for turn in turns:
        await talking.ended(turn)
    shown = (await talking.get(f"/chats/{chat}?limit=200")).json()["messages"]
    by_turn = {one["turn_id"]: one["author_id"] for one in shown if one["author"] == "agent"}
    return [by_turn[turn] for turn in turns]


async def sees(talking: Talking, chat: str) -> bool:
    """Whether a chat is there for a person, on every way to it."""
    shown = await talking.get(f"/chats/{chat}")
    listed = (await talking.get("/chats")).json()["items"]
    exported = await talking.get(f"/chats/{chat}/export")
    there = {
        shown.status_code == OK,
        chat in [one["id"] for one in listed],
        exported.status_code == OK,
    }
    assert len(there) == 1
    return there.pop()


@pytest.mark.parametrize("kind", ["direct", "team", "group", "organization"])
async def test_a_chat_is_seen_by_those_whose_it_is(office: Office, kind: str) -> None:
    """Of three people: who began it, who is let in or in the team, and another."""
    ida, tom, eve = [await office.sign_in(name) for name in ("Ida", "Tom", "Eve")]
    now = office.line.clock()
    team = await office.line.house.control.write(
        team_store.add_team, SLUG, NewTeam(name="Looms", members=(ida.user_id, tom.user_id)), now
    )
    wanted = {"team": {"team": team.id}, "group": {"people": [tom.user_id]}}
    chat = await begin_chat(ida, kind=kind, **wanted.get(kind, {}))
    expected = {
        "direct": [True, False, False],
        "team": [True, True, False],
        "group": [True, True, False],
        "organization": [True, True, True],
    }
    assert [await sees(one, chat) for one in (ida, tom, eve)] == expected[kind]
    if kind in ("direct", "group", "team"):
        refused = await eve.post(f"/chats/{chat}/messages", {"text": "@desk hello"})
        assert refused.status_code == NOT_FOUND


async def test_nobody_begins_a_chat_of_a_team_that_is_not_theirs(office: Office) -> None:
    """Neither of a foreign team nor of one that is not there."""
    ida, eve = await office.sign_in("Ida"), await office.sign_in("Eve")
    now = office.line.clock()
    team = await office.line.house.control.write(
        team_store.add_team, SLUG, NewTeam(name="Looms", members=(ida.user_id,)), now
    )
    wanted = {"agent": "desk", "kind": "team", "team": team.id}
    assert (await eve.post("/chats", wanted)).status_code == FORBIDDEN
    assert (await eve.post("/chats", wanted | {"team": "nope"})).status_code == NOT_FOUND
    # Who names others and forgets the kind is not left alone with the agent unawares.
    for names in ({"team": team.id}, {"people": [eve.user_id]}):
        refused = await ida.post("/chats", {"agent": "desk"} | names)
        assert (refused.status_code, "of the `kind`" in refused.text) == (422, True)


async def test_among_several_who_is_named_answers(office: Office) -> None:
    """Nobody, one, or two; and one that listens proactively without being named."""
    ida = await office.sign_in("Ida")
    chat = await begin_chat(ida, kind="organization")
    await ida.client.put(
        f"/v1/{SLUG}/chats/{chat}/members", json={"kind": "agent", "member_id": "librarian"}
    )
    assert await say_and_wait(ida, chat, "What is urgent?") == []
    assert await say_and_wait(ida, chat, "@desk what is urgent?") == ["desk"]
    assert await say_and_wait(ida, chat, "@librarian @desk hello") == ["librarian", "desk"]
    sent = await ida.post(f"/chats/{chat}/messages", {"text": "@rolodex @desk who is Ana?"})
    assert sent.json()["absent"] == ["rolodex"]
    assert len(sent.json()["turns"]) == 1
    await ida.client.put(
        f"/v1/{SLUG}/chats/{chat}/members",
        json={"kind": "agent", "member_id": "desk", "listening": "proactive"},
    )
    assert await say_and_wait(ida, chat, "What is urgent?") == ["desk"]
    members = (await ida.get(f"/chats/{chat}")).json()["members"]
    assert [(one["member_id"], one["listening"]) for one in members if one["kind"] == "agent"] == [
        ("librarian", "mention"),
        ("desk", "proactive"),
    ]
    await ida.client.delete(f"/v1/{SLUG}/chats/{chat}/members/agent/desk")
    assert await say_and_wait(ida, chat, "@desk what is urgent?") == []


async def test_who_is_let_in_sees_what_was_said_and_who_left_does_not(office: Office) -> None:
    """The history is there for a newcomer; leaving is for everybody, dismissing for the owner."""
    ida, tom, eve = [await office.sign_in(name) for name in ("Ida", "Tom", "Eve")]
    chat = await begin_chat(ida, kind="group", people=[tom.user_id])
    await say_and_wait(ida, chat, "The warp beam is cracked.")
    admitted = await tom.client.put(
        f"/v1/{SLUG}/chats/{chat}/members", json={"kind": "person", "member_id": eve.user_id}
    )
    assert admitted.status_code == OK
    assert "warp beam" in (await eve.get(f"/chats/{chat}")).text
    path = f"/v1/{SLUG}/chats/{chat}/members/person"
    assert (await tom.client.delete(f"{path}/{eve.user_id}")).status_code == FORBIDDEN
    assert (await eve.client.delete(f"{path}/{eve.user_id}")).status_code == OK
    assert not await sees(eve, chat)
    assert (await ida.client.delete(f"{path}/{tom.user_id}")).status_code == OK
    assert not await sees(tom, chat)


async def test_a_chat_is_read_anew_only_once_something_was_written(office: Office) -> None:
    """Whatever that was; also who takes part is asked for then, so nobody sees on for a mark."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    chat = await begin_chat(ida, kind="group", people=[tom.user_id])
    mark = (await tom.get(f"/chats/{chat}")).json()["mark"]
    assert (await tom.get(f"/chats/{chat}?seen={mark}")).status_code == httpx.codes.NOT_MODIFIED
    await ida.post(f"/chats/{chat}/messages", {"text": "The loom is oiled."})
    changed = (await tom.get(f"/chats/{chat}?seen={mark}")).json()
    assert [message["text"] for message in changed["messages"]] == ["The loom is oiled."]
    assert changed["mark"] != mark
    path = f"/v1/{SLUG}/chats/{chat}"
    assert (await tom.client.delete(f"{path}/members/person/{tom.user_id}")).status_code == OK
    left = await tom.get(f"/chats/{chat}?seen={changed['mark']}")
    assert left.status_code == httpx.codes.NOT_FOUND


async def test_a_pause_begins_a_session(office: Office) -> None:
    """After an hour what is said belongs together anew; the chat keeps all of it."""
    ida = await office.sign_in("Ida")
    chat = await begin_chat(ida)
    await say_and_wait(ida, chat, "What is urgent?")
    office.line.clock.ahead = timedelta(minutes=59)
    await say_and_wait(ida, chat, "And now?")
    office.line.clock.ahead += timedelta(minutes=61)
    await say_and_wait(ida, chat, "Good morning")
    shown = (await ida.get(f"/chats/{chat}")).json()["messages"]
    assert [one["session"] for one in shown] == [1, 1, 1, 1, 2, 2]
    assert shown[-1]["reply_to"] == shown[-2]["id"]


async def test_chats_are_found_by_words(office: Office) -> None:
    """Of the title or of what was said, or by a day; signs of patterns are letters as others."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    first, second = await begin_chat(ida), await begin_chat(ida)
    await say_and_wait(ida, first, "Is 100%_sure a good name?")
    await say_and_wait(ida, second, "Does anything smoulder?")
    await say_and_wait(tom, await begin_chat(tom), "Is 100%_sure a good name?")
    today = office.line.workspace.organization.day(office.line.clock())
    for words, expected in (
        (f"{today}", [second, first]),
        (f"{today - timedelta(days=1)}", []),
        ("100%_SURE", [first]),
        ("smoulder", [second]),
        ("%", [first]),
        ("zebra", []),
    ):
        answer = await ida.client.get(f"/v1/{SLUG}/chats", params={"words": words})
        assert [one["id"] for one in answer.json()["items"]] == expected, words


async def test_only_who_began_a_chat_renames_and_removes_it(office: Office) -> None:
    """What was said is gone then, and the audit log says that a chat was removed."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom", "reviewer")
    chat = await begin_chat(ida, kind="group", people=[tom.user_id])
    await say_and_wait(ida, chat, "@desk what is urgent?")
    path = f"/v1/{SLUG}/chats/{chat}"
    assert (await tom.client.patch(path, json={"title": "Mine"})).status_code == FORBIDDEN
    assert (await tom.client.delete(path)).status_code == FORBIDDEN
    renamed = await ida.client.patch(path, json={"title": "Beams"})
    assert renamed.json()["title"] == "Beams"
    assert (await ida.client.delete(path)).status_code == OK
    assert not await sees(ida, chat)
    audit = (await ida.get("/audit")).json()["items"]
    assert audit[0]["action"] == "remove chat"
    assert "urgent" not in str(audit[0])


async def test_a_group_whose_owner_has_left_is_that_of_who_came_next(office: Office) -> None:
    """Else nobody could name or remove it; and who is alone in it removes it instead of leaving."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom", "reviewer")
    chat = await begin_chat(ida, kind="group", people=[tom.user_id])
    path = f"/v1/{SLUG}/chats/{chat}"
    assert (await ida.client.delete(f"{path}/members/person/{ida.user_id}")).is_success
    alone = await tom.client.delete(f"{path}/members/person/{tom.user_id}")
    assert (alone.status_code, "remove it instead" in alone.text) == (409, True)
    assert (await tom.client.patch(path, json={"title": "Beams"})).json()["title"] == "Beams"
    assert (await tom.client.delete(path)).status_code == OK


async def test_a_teams_chat_outlives_who_began_it(office: Office) -> None:
    """Who is there longest answers for it; the team is not removed while it has one."""
    boss = await office.sign_in("Boss")
    ida, tom, eve = [await office.sign_in(name, "reviewer") for name in ("Ida", "Tom", "Eve")]
    people = [ida.user_id, tom.user_id, eve.user_id]
    team = (await boss.post("/teams", {"name": "Looms", "members": people})).json()["id"]
    chat = await begin_chat(ida, kind="team", team=team)
    path, of_team = f"/v1/{SLUG}/chats/{chat}", f"/v1/{SLUG}/teams/{team}"
    assert (await tom.client.patch(path, json={"title": "Mine"})).status_code == FORBIDDEN
    kept_in_mind = await boss.client.delete(of_team)
    assert (kept_in_mind.status_code, "1 chat and 0 things" in kept_in_mind.text) == (409, True)
    left = {"grants": [{"role": "reviewer", "organization": None}]}
    user = f"/v1/users/{ida.user_id}"
    assert (await boss.client.put(user, json=left)).is_success
    assert await sees(ida, chat)
    assert (await boss.client.put(user, json={"grants": []})).is_success
    assert (await boss.client.put(user, json=left)).is_success
    assert not await sees(ida, chat)
    shown = [(await one.get(f"/chats/{chat}")).json()["answers_for"] for one in (tom, eve)]
    assert shown == [True, False]
    assert (await tom.client.patch(path, json={"title": "Beams"})).json()["title"] == "Beams"
    assert (await eve.client.delete(path)).status_code == FORBIDDEN
    assert (await tom.client.delete(path)).status_code == OK
    assert (await boss.client.delete(of_team)).status_code == 204


async def test_a_chat_is_where_its_turns_and_its_people_are(office: Office) -> None:
    """Open; without an answer; done when who began it says so, and open once more is said."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom", "reviewer")
    chat = await begin_chat(ida, kind="group", people=[tom.user_id])
    path = f"/v1/{SLUG}/chats/{chat}"

    async def state() -> tuple[str, str]:
        listed = (await ida.get("/chats")).json()["states"][chat]
        return (await ida.get(f"/chats/{chat}")).json()["state"], listed

    assert await state() == ("active", "active")
    house = office.line.house
    settings, house.settings = (
        house.settings,
        house.settings.model_copy(update={"turn_seconds": 1e-9}),
    )
    asked = await ida.post(f"/chats/{chat}/messages", {"text": "@desk what is urgent?"})
    await ida.ended(asked.json()["turn_id"])
    house.settings = settings
    assert await state() == ("failed", "failed")
    assert (await tom.client.patch(path, json={"completed": True})).status_code == FORBIDDEN
    assert (await ida.client.patch(path, json={"completed": True})).json()["completed_at"]
    assert await state() == ("completed", "completed")
    assert (await ida.client.patch(path, json={"completed": False})).status_code == OK
    assert await state() == ("failed", "failed")
    await ida.client.patch(path, json={"completed": True})
    await say_and_wait(tom, chat, "@desk what is urgent?")
    assert await state() == ("active", "active")


async def test_an_answer_is_rated_by_who_sees_it(office: Office) -> None:
    """Each person's rating is their own, can be changed, and is taken back."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    chat = await begin_chat(ida)
    answer = await ida.ask(chat, "What is urgent?")
    path = f"/v1/{SLUG}/chats/ratings/{answer['id']}"
    assert (await tom.client.put(path, json={"helpful": True})).status_code == NOT_FOUND
    for rating in ({"helpful": True, "words": ""}, {"helpful": False, "words": "It is not."}):
        assert (await ida.client.put(path, json=rating)).status_code == OK
        assert (await ida.get(f"/chats/{chat}")).json()["ratings"] == {answer["id"]: rating}
    assert (await ida.client.delete(path)).status_code == OK
    assert (await ida.get(f"/chats/{chat}")).json()["ratings"] == {}
    own = (await ida.get(f"/chats/{chat}")).json()["messages"][0]["id"]
    refused = await ida.client.put(f"/v1/{SLUG}/chats/ratings/{own}", json={"helpful": True})
    assert refused.status_code == httpx.codes.CONFLICT


async def test_nobody_says_something_in_anothers_name_in_an_export(office: Office) -> None:
    """What a message says stands as a quotation, whatever it looks like."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    forged = "Hello\n\n**Boss**, 2026-01-01 09:00+00:00\n\n- case: Yes, pay it"
    await ida.ask(chat, forged)
    lines = (await ida.get(f"/chats/{chat}/export")).text.splitlines()
    for line in forged.splitlines():
        assert f"> {line}".rstrip() in lines
        assert not line or line not in lines


async def test_a_chat_is_exported_whole(office: Office) -> None:
    """Both forms hold every message with its author and its sources."""
    ida = await office.sign_in("Ida")
    answer = await ida.client.post(
        f"/v1/{SLUG}/chats", json={"agent": "librarian", "title": "Prices"}
    )
    chat = answer.json()["id"]
    await say_and_wait(ida, chat, "What does an inspection cost?")
    document = (await ida.get(f"/chats/{chat}/export")).text
    assert document.startswith("# Prices\n\n**Ida**, ")
    assert "35 euros" in document
    assert "- knowledge: " in document
    whole = (await ida.get(f"/chats/{chat}/export?format=json")).json()
    shown = (await ida.get(f"/chats/{chat}")).json()
    assert whole["messages"] == shown["messages"]


async def test_how_a_person_likes_answers_is_kept(office: Office) -> None:
    """It is each person's own; nonsense is refused."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    path = f"/v1/{SLUG}/chats/preferences"
    wanted = {"style": "concise", "language": "de"}
    assert (await ida.client.put(path, json=wanted)).json() == wanted
    assert (await ida.get("/chats/preferences")).json() == wanted
    assert (await tom.get("/chats/preferences")).json() == {"style": "standard", "language": ""}
    refused = await ida.client.put(path, json={"style": "loud"})
    assert refused.status_code == httpx.codes.UNPROCESSABLE_ENTITY


async def test_what_is_a_persons_own_is_not_told_where_others_read(office: Office) -> None:
    """Neither tasks nor appointments of one person are in an answer that everybody sees."""
    ida = await office.sign_in("Ida")
    own = await ida.post("/chats", {"agent": "assistant"})
    for order in ("Remind me tomorrow at 9 to call Quillfeather", "What are my tasks?"):
        answer = await ida.ask(own.json()["id"], order)
    assert "Quillfeather" in answer["text"]
    shared = await ida.post("/chats", {"agent": "assistant", "kind": "organization"})
    answer = await ida.ask(shared.json()["id"], "@assistant what are my tasks?")
    assert "Quillfeather" not in answer["text"]
    assert "others read this chat" in answer["text"]
