"""To whom agents are available, and what is taken away from them for some people."""

from typing import Any

import httpx

from data.store.core import users
from tests.agents.conftest import Office, Talking


async def test_two_people_do_not_overwrite_who_may_ask_an_agent(office: Office) -> None:
    """What either has looked at has a version; the audit log tells what was before and is now."""
    ida = await office.sign_in("Ida")
    path = "/agents/desk/assignments"
    looked_at = (await ida.get(path)).json()
    own = {"kind": "user", "subject": ida.user_id, "restrictions": {"without": ["queue"]}}
    narrowed = {"items": [*looked_at["items"], own], "version": looked_at["version"]}
    assert (await ida.put(path, narrowed)).json()["version"] == looked_at["version"] + 1
    refused = await ida.put(path, looked_at)
    assert refused.status_code == httpx.codes.CONFLICT
    assert "who may ask Desk" in refused.text
    now = (await ida.get(path)).json()
    assert [item["kind"] for item in now["items"]] == ["organization", "user"]
    assert (await ida.put(path, now)).json() == now
    own["restrictions"] = {"without": ["queue"], "trust": "read"}
    assert (await ida.put(path, {"items": [own]})).json()["version"] == now["version"] + 1
    statement = "SELECT detail FROM audit_events WHERE action = 'assign agent' ORDER BY sequence"
    less = f"user:{ida.user_id}, without queue"
    assert [row["detail"] for row in await office.line.rows(statement)] == [
        f"before: nobody. now: {less}",
        f"before: organization; {less}. now: {less}, trusted to read",
    ]


async def test_an_agent_is_there_for_those_to_whom_it_is_assigned(office: Office) -> None:
    """Three scopes by three people: everybody, one team, one user."""
    boss = await office.sign_in("Boss")
    ida, tom, eve = [await office.sign_in(name, "viewer") for name in ("Ida", "Tom", "Eve")]
    made = await boss.post("/teams", {"name": "Front", "members": [tom.user_id]})
    team = made.json()["id"]
    scopes = {
        "desk": ({"kind": "organization", "subject": ""}, (ida, tom, eve)),
        "librarian": ({"kind": "team", "subject": team}, (tom,)),
        "rolodex": ({"kind": "user", "subject": ida.user_id}, (ida,)),
    }
    for slug, (assigned, _) in scopes.items():
        await boss.put(f"/agents/{slug}/assignments", {"items": [assigned]})
    for slug, (_, people) in scopes.items():
        for person in (ida, tom, eve):
            listed = {one["slug"] for one in (await person.get("/agents")).json()["items"]}
            begun = await person.post("/chats", {"agent": slug})
            shown = await person.get(f"/agents/{slug}")
            assert (slug in listed) is (person in people)
            expected = httpx.codes.OK if person in people else httpx.codes.NOT_FOUND
            assert (begun.status_code, shown.status_code) == (expected, expected)


async def test_an_agent_is_assigned_to_nobody_who_is_not_here(office: Office) -> None:
    """A slip of an id is refused and changes nothing; who left since stays in the list."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Ida", "viewer")
    team = (await boss.post("/teams", {"name": "Front", "members": []})).json()["id"]
    assigned = [{"kind": "team", "subject": team}, {"kind": "user", "subject": ida.user_id}]
    path = "/agents/desk/assignments"
    assert (await boss.put(path, {"items": assigned})).status_code == httpx.codes.OK
    for kind, subject in (("user", "Ida"), ("user", team), ("team", ida.user_id)):
        items = [{"kind": kind, "subject": subject}]
        refused = await boss.put(path, {"items": items})
        assert refused.status_code == httpx.codes.UNPROCESSABLE_ENTITY
        assert f"there is no {kind} {subject!r} here" in refused.text
    await office.line.house.control.write(users.end_user, ida.user_id, office.line.clock())
    assert (await boss.put(path, {"items": assigned})).status_code == httpx.codes.OK
    assert (await boss.put(path, {"items": assigned[1:]})).status_code == httpx.codes.OK


async def test_an_agent_that_is_taken_from_somebody_answers_in_no_chat_of_theirs(
    office: Office,
) -> None:
    """A chat that was begun before stays to be read, and begins no turn any more."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Ida", "viewer")
    chat = await ida.begin("desk")
    await ida.ask(chat, "Hello")
    assigned = {"kind": "user", "subject": boss.user_id}
    await boss.put("/agents/desk/assignments", {"items": [assigned]})
    refused = await ida.post(f"/chats/{chat}/messages", {"text": "Hello again"})
    assert refused.status_code == httpx.codes.CONFLICT
    assert len((await ida.get(f"/chats/{chat}")).json()["messages"]) == 2


async def test_an_agent_that_listens_and_may_not_answer_somebody_stays_silent(
    office: Office,
) -> None:
    """What they say to each other goes through; asked by name it is refused, to them alone."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Ida", "viewer")
    begun = await boss.post("/chats", {"agent": "desk", "kind": "organization"})
    chat = begun.json()["id"]
    listens = {"kind": "agent", "member_id": "desk", "listening": "proactive"}
    await boss.put(f"/chats/{chat}/members", listens)
    assigned = {"kind": "user", "subject": boss.user_id}
    await boss.put("/agents/desk/assignments", {"items": [assigned]})

    async def turns_of(person: Talking, text: str) -> list[str] | None:
        said = await person.post(f"/chats/{chat}/messages", {"text": text})
        if said.status_code == httpx.codes.CONFLICT:
            return None
        for turn in said.json()["turns"]:
            await person.ended(turn)
        return list(said.json()["turns"])

    assert await turns_of(ida, "Good morning all") == []
    assert await turns_of(ida, "@desk what is urgent?") is None
    assert len(await turns_of(boss, "Good morning Ida") or []) == 1
    await boss.post("/agents/desk/pause")
    before = (await boss.get("/chats")).json()["total"]
    refused = await boss.post("/chats", {"agent": "desk"})
    assert (refused.status_code, "Desk is paused" in refused.text) == (409, True)
    assert (await boss.get("/chats")).json()["total"] == before
    assert await turns_of(boss, "Is anybody there?") == []
    assert await turns_of(boss, "@desk are you there?") is None


async def test_an_assignment_takes_tools_away_from_whom_it_reaches(office: Office) -> None:
    """All assignments that reach a person hold together; another person has the whole agent."""
    boss = await office.sign_in("Boss")
    ida, tom = [await office.sign_in(name, "viewer") for name in ("Ida", "Tom")]
    team = (await boss.post("/teams", {"name": "New", "members": [ida.user_id]})).json()["id"]
    less = {"without": ["queue"], "most_calls": 1}
    items: list[dict[str, Any]] = [
        {"kind": "organization", "subject": ""},
        {"kind": "team", "subject": team, "restrictions": less},
    ]
    kept = await boss.put("/agents/assistant/assignments", {"items": items})
    assert kept.json()["items"][1]["restrictions"]["without"] == ["queue"]
    asked = [await one.ask(await one.begin("assistant"), "What is urgent?") for one in (ida, tom)]
    assert ["no tool" in answer["text"] for answer in asked] == [True, False]
    items.append({"kind": "user", "subject": ida.user_id, "restrictions": {"most_calls": 0}})
    await boss.put("/agents/assistant/assignments", {"items": items})
    answer = await ida.ask(await ida.begin("assistant"), "What does an inspection cost?")
    assert "35 euros" not in answer["text"]
    assert (
        "35 euros"
        in (await tom.ask(await tom.begin("assistant"), "What does an inspection cost?"))["text"]
    )


async def test_restrictions_that_take_nothing_away_are_refused(office: Office) -> None:
    """What would seem to hold and does not is not kept; nor is one of two for the same person."""
    boss = await office.sign_in("Boss")
    own = {"kind": "user", "subject": boss.user_id}
    for items, sentence in (
        (
            [{"kind": "organization", "subject": "", "restrictions": {"most_calls": 2}}],
            "restrict teams and users",
        ),
        ([own | {"restrictions": {"without": ["no_such_tool"]}}], "'no_such_tool'"),
        ([own | {"restrictions": {"budget": 0}}], "budget"),
        ([own | {"restrictions": {"trust": "read"}}, own], "named twice"),
    ):
        refused = await boss.put("/agents/desk/assignments", {"items": items})
        assert refused.status_code == httpx.codes.UNPROCESSABLE_ENTITY
        assert sentence in refused.json()["error"]["message"]
