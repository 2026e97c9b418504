"""Notes for colleagues over HTTP: who is told, and that nobody outside ever is."""

from data.records.core.principals import Grant, NewUser
from data.store.core import control, users
from tests.core.api.fixtures import Api, Case
from tests.core.small import SLUG

SECRET = "quokka marmalade"
"""Words that stand in a note alone."""


async def note_on(api: Api, case: dict[str, object], text: str) -> dict[str, object]:
    """Write a note on a case; return the case as it is then."""
    answer = await api.post(f"/cases/{case['id']}/notes", {"text": text})
    assert answer.status_code == 200, answer.text
    after: dict[str, object] = answer.json()
    return after


async def list_told(api: Api, kind: str) -> list[dict[str, object]]:
    """Return what the people of the organization were told of that kind, whoever it is for."""
    return await api.line.rows(
        "SELECT subject_id, sentence, addressee FROM notifications WHERE kind = ?", kind
    )


async def test_a_note_stands_on_its_case_and_its_conversation(api: Api, case: Case) -> None:
    """It has its writer, moves the case's version on, and is in the audit log without its words."""
    after = await note_on(api, case, SECRET)
    assert after["version"] == int(str(case["version"])) + 1
    thread = after["thread"]["id"]  # type: ignore[index]
    (note,) = (await api.get(f"/threads/{thread}")).json()["notes"]
    assert (note["text"], note["written_by"], note["case_id"]) == (SECRET, "ida", case["id"])
    await api.post(f"/threads/{thread}/notes", {"text": "Second."})
    both = (await api.get(f"/cases/{case['id']}")).json()["thread"]["notes"]
    assert [one["text"] for one in both] == [SECRET, "Second."]
    seen = (await api.get("/audit")).json()["items"]
    assert [one["action"] for one in seen[:2]] == ["write note", "write note"]
    assert SECRET not in str(seen)


async def test_whom_it_names_is_told_and_nobody_else(api: Api, case: Case) -> None:
    """By name or address; the writer is told of nothing, and a mail address names nobody."""
    control_of = api.line.house.control
    grant = (Grant(role="reviewer", organization=SLUG),)
    jonas = NewUser(name="Jonas Abel", email="jonas@teasel.example", grants=grant)
    await control_of.write(users.add_user, jonas, api.line.clock())
    await note_on(api, case, "@Jonas, please look; she is mara@heron.example.")
    (one,) = await list_told(api, "mention")
    assert (one["subject_id"], one["addressee"]) == (case["id"], "jonas@teasel.example")
    theirs = await control_of.write(
        control.add_token, "Jonas Abel", "reviewer", SLUG, api.line.clock()
    )
    api.client.headers["Authorization"] = f"Bearer {theirs}"
    mine = (await api.get("/notifications")).json()["items"]
    assert [item["kind"] for item in mine if item["kind"] == "mention"] == ["mention"]


async def test_a_name_of_nobody_is_refused_and_nothing_is_kept(api: Api, case: Case) -> None:
    """The refusal says who there is; empty and endless texts are no notes."""
    path = f"/cases/{case['id']}/notes"
    refused = await api.post(path, {"text": "@nobody look"})
    assert (refused.status_code, "@Ida Fenn" in refused.text) == (404, True)
    for text in ("", "   ", "x" * 4001):
        assert (await api.post(path, {"text": text})).status_code == 422
    assert await api.line.rows("SELECT id FROM notes") == []
    assert (await api.post("/cases/nothing/notes", {"text": "x"})).status_code == 404
    assert (await api.post("/threads/nothing/notes", {"text": "x"})).status_code == 404


async def test_a_note_is_in_no_draft_and_in_nothing_that_leaves(api: Api, case: Case) -> None:
    """The case is worked on again, and newer mail takes it over; no step and no draft has it."""
    await note_on(api, case, f"The workshop opens at six, {SECRET}.")
    await api.post(f"/cases/{case['id']}/retry")
    await api.line.run()
    (sent,) = await api.line.rows("SELECT message_id FROM messages")
    headers = {"In-Reply-To": str(sent["message_id"])}
    api.line.send("When is the workshop open on Mondays?", headers=headers)
    await api.line.run()
    for table in ("steps", "drafts", "deliveries", "model_messages", "thread_summaries"):
        written = await api.line.rows(f"SELECT * FROM {table}")  # noqa: S608  # a name of ours
        assert not [row for row in written if "quokka" in str(row)], table
    (item,) = (await api.get("/queue")).json()["items"]
    heir = (await api.get(f"/cases/{item['case_id']}")).json()
    assert [SECRET in one["text"] for one in heir["thread"]["notes"]] == [True]


async def test_its_writer_takes_it_away(api: Api, case: Case) -> None:
    """Nobody else does, unless an administrator."""
    after = await note_on(api, case, "Wrong.")
    (note,) = after["thread"]["notes"]  # type: ignore[index]
    reviewer = await api.line.house.control.write(
        control.add_token, "otto", "reviewer", SLUG, api.line.clock()
    )
    mine = api.client.headers["Authorization"]
    api.client.headers["Authorization"] = f"Bearer {reviewer}"
    assert (await api.post(f"/notes/{note['id']}/remove")).status_code == 403
    api.client.headers["Authorization"] = mine
    assert (await api.post(f"/notes/{note['id']}/remove")).json()["text"] == "Wrong."
    assert (await api.post(f"/notes/{note['id']}/remove")).status_code == 404
    assert (await api.get(f"/cases/{case['id']}")).json()["thread"]["notes"] == []


async def test_handing_over_carries_a_note_and_tells_the_colleague(api: Api, case: Case) -> None:
    """The bell is that person's; with a wrong name in the note nothing is given."""
    path = f"/cases/{case['id']}/reassign"
    given = {"version": case["version"], "assignee": "ida@teasel.example", "note": "@who?"}
    assert (await api.post(path, given)).status_code == 404
    assert (await api.post(path, given | {"note": "She rang twice."})).status_code == 200
    (one,) = await list_told(api, "given")
    assert one["addressee"] == "ida@teasel.example"
    after = (await api.get(f"/cases/{case['id']}")).json()
    assert [note["text"] for note in after["thread"]["notes"]] == ["She rang twice."]


async def test_notes_go_with_the_contact(api: Api, case: Case) -> None:
    """An erasure leaves none, an export has them."""
    await note_on(api, case, f"{SECRET}, @Ida Fenn")
    held = await api.get("/contact/export", address="mara@heron.example")
    assert held.status_code == 200
    erased = await api.post("/contact/erase", {"address": "mara@heron.example"})
    assert erased.status_code == 200, erased.text
    assert erased.json()["rows"]["notes"] == 1
    assert await api.line.rows("SELECT id FROM notes") == []
    assert await list_told(api, "mention") == []
