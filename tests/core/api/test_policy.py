"""The policy over HTTP: kept in one place, previewed, versioned, taken back."""

import asyncio
from typing import Any

import pytest

from data.policy_files import merge_policy
from data.records.core.organization import Mode
from data.records.core.policies import PolicyPlace
from data.store.core import policies
from data.store.core.database import Connection
from flows.sync import sync_told
from tests.core.api.fixtures import Api
from tests.core.small import POLICY
from tests.occupied import SlowThreads

QUESTIONS = {"category": "support", "intent": "question", "auto_send": True, "threshold": 0.5}


async def put(api: Api, status: int = 200, **order: object) -> dict[str, Any]:
    """Ask for another policy; return the answer."""
    answer = await api.client.put("/v1/teasel/policy", json=order)
    assert answer.status_code == status, answer.text
    return dict(answer.json())


async def decided(api: Api, action: str, sender: str) -> str:
    """Let one message come, and a person decide on its draft; return the case."""
    api.line.send("When is the workshop open?", sender=sender)
    await api.line.run()
    case = (await api.get("/queue")).json()["items"][0]
    where = f"/cases/{case['case_id']}"
    seen = (await api.get(where)).json()
    body = {"version": seen["version"], "approval_hash": seen["approval_hash"]}
    if action == "reject":
        body = {"version": seen["version"], "reason": "wrong_fact", "redraft": False}
    answer = await api.post(f"{where}/{action}", body)
    assert answer.status_code == 200, answer.text
    return str(case["case_id"])


async def test_the_newest_counts_however_late_an_earlier_reading_ends(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has read the policy before it was changed does not put it back.

    A state's own threads are never so slow that a test could wait for it; these are.
    """
    house, workspace = api.line.house, api.line.workspace
    threads = SlowThreads(begins=True)
    monkeypatch.setattr(workspace.db, "_readers", threads)
    earlier = asyncio.create_task(house.reload_policy(workspace))
    await asyncio.sleep(0)
    text = POLICY.replace("mode: shadow", "mode: off")
    changed, at = merge_policy(("policy.yaml", text)), api.line.clock()
    here = {"place": PolicyPlace.WINDOW, "author": "ida", "now": at}
    await workspace.db.write(lambda cursor: policies.write_version(cursor, text, changed, **here))
    later = asyncio.create_task(house.reload_policy(workspace))
    await asyncio.sleep(0)
    await threads.hurry_up(earlier, later)
    assert workspace.policy.mode is Mode.OFF


async def test_it_is_the_files_until_somebody_changes_it_here(api: Api) -> None:
    """A sync keeps what it found; a change takes it over, and the file says nothing more."""
    state = (await api.get("/policy")).json()
    assert state["version"] | {"written_at": ""} == {
        "number": 1, "place": "file", "text": POLICY, "author": "policy.yaml", "note": "",
        "written_at": "",
    }  # fmt: skip
    assert not state["unread"]
    kept = await put(api, change={"mode": "off"}, was=1, note="holidays")
    assert kept["version"]["place"] == "window"
    assert kept["version"]["author"] == "ida"
    assert kept["version"]["text"] == POLICY.replace("mode: shadow", "mode: 'off'")
    assert kept["policy"]["mode"] == api.line.workspace.policy.mode == "off"
    line = api.line
    assert not (await sync_told(line.house, line.workspace)).warnings
    assert line.workspace.policy.mode == "off"
    file = line.workspace.sources / "policy.yaml"
    file.write_text("mode: live\n", encoding="utf-8")
    (warning,) = (await sync_told(line.house, line.workspace)).warnings
    assert "does not count" in warning
    assert "ida" in warning
    assert line.workspace.policy.mode == "off"
    assert (await api.get("/policy")).json()["unread"]


async def test_given_back_the_file_counts_again(api: Api) -> None:
    """With what it holds now, also before and after the next sync."""
    line = api.line
    await put(api, change={"mode": "off"}, was=1)
    (line.workspace.sources / "policy.yaml").write_text("undo_seconds: 7\n", encoding="utf-8")
    state = await put(api, from_file=True, was=2)
    assert (state["version"]["place"], state["unread"]) == ("file", False)
    assert line.workspace.policy.undo_seconds == 7
    assert not (await sync_told(line.house, line.workspace)).warnings
    assert (line.workspace.policy.undo_seconds, line.workspace.policy.mode) == (7, "shadow")
    numbers = [one["number"] for one in (await api.get("/policy/versions")).json()["items"]]
    assert numbers == [3, 2, 1]
    (line.workspace.sources / "policy.yaml").unlink()
    refused = await put(api, 404, from_file=True, was=3)
    assert "no policy.yaml" in refused["error"]["message"]


async def test_a_bad_policy_changes_nothing_and_says_why(api: Api) -> None:
    """By the loader's own rules, from the file and from here."""
    before = api.line.workspace.policy
    for text, words in (
        ("modus: live", "key 'modus' is not known; write 'mode' or remove it"),
        ("mode: [", "is not valid YAML at line 2"),
        ("working_hours: {start: '18:00', end: '08:00'}", "is not before 'end'"),
        ("autonomy_rules: [{auto_send: true}]", "has a rule for everything"),
    ):
        refused = await put(api, 422, text=text, was=1)
        assert words in refused["error"]["message"]
    file = api.line.workspace.sources / "policy.yaml"
    file.write_text("modus: live\n", encoding="utf-8")
    assert (await sync_told(api.line.house, api.line.workspace)).errors
    assert api.line.workspace.policy == before
    state = (await api.get("/policy")).json()
    assert (state["version"]["number"], state["unread"]) == (1, True)
    assert "modus" in state["fault"]


async def test_two_people_do_not_undo_each_other(api: Api) -> None:
    """Who has read an older version is told, and nothing is kept."""
    await put(api, change={"mode": "off"}, was=1)
    refused = await put(api, 409, text="mode: shadow\n", was=1)
    assert "ida has changed the policy meanwhile" in refused["error"]["message"]
    assert api.line.workspace.policy.mode == "off"


async def test_a_version_comes_back_with_its_difference(api: Api) -> None:
    """What was restored is a version of its own; comments of the file survive a slider."""
    text = (
        "# ours\nmode: shadow # carefully\nautonomy_rules:\n- {category: spam}\n# end\ntone: dry\n"
    )
    await put(api, text=text, was=1)
    state = await put(api, change={"autonomy_rules": [{"category": "sales"}]}, was=2)
    assert state["version"]["text"] == (
        "# ours\nmode: shadow # carefully\nautonomy_rules:\n- category: sales\n  auto_send: false\n"
        "# end\ntone: dry\n"
    )
    diff = (await api.get("/policy/diff", before=2, after=3)).json()["lines"]
    assert [line for line in diff if line[0] in "+-"] == [
        "-- {category: spam}", "+- category: sales", "+  auto_send: false",
    ]  # fmt: skip
    await put(api, restore=1, was=3)
    found = (await api.get("/policy/versions")).json()["items"]
    assert (found[0]["number"], found[0]["text"]) == (4, POLICY)
    events = (await api.get("/audit", action="change-policy")).json()["items"]
    assert [one["subject"] for one in events] == ["policy:4", "policy:3", "policy:2"]
    assert "+- category: sales" in events[1]["detail"]
    assert (await api.get("/policy/diff", before=2, after=9)).status_code == 404


async def test_more_than_people_support_is_never_a_silent_yes(api: Api) -> None:
    """The preview says it; keeping it asks for a word; what is stricter is kept at once."""
    order = {"change": {"autonomy_rules": [QUESTIONS]}}
    shown = (await api.post("/policy/preview", order)).json()
    (warning,) = shown["warnings"]
    assert warning.startswith("Support (question): nobody has decided yet")
    assert shown["diff"]
    refused = await put(api, 409, **order, was=1)
    assert warning in refused["error"]["message"]
    assert not any(one.auto_send for one in api.line.workspace.policy.autonomy_rules)
    await put(api, **order, was=1, knowing=True)
    events = (await api.get("/audit", action="change-policy")).json()["items"]
    assert "against a warning" in events[0]["detail"]
    stricter = {"change": {"autonomy_rules": [QUESTIONS | {"threshold": 0.9}]}}
    assert not (await api.post("/policy/preview", stricter)).json()["warnings"]
    await put(api, **stricter, was=2)
    live = (await api.post("/policy/preview", {"change": {"mode": "live"}})).json()
    assert live["warnings"][0].startswith("Replies would leave without a person's look")


async def test_what_people_said_of_drafts_is_the_evidence(api: Api) -> None:
    """Sent, refused, and taken back; only the first two count, and each can be opened."""
    sent = await decided(api, "approve", "mara@heron.example")
    refused = await decided(api, "reject", "nils@heron.example")
    found = (await api.get("/policy/evidence")).json()
    said = {one["case_id"]: one["said"] for one in found["drafts"]}
    assert said == {sent: "unchanged", refused: "rejected"}
    one = found["drafts"][-1]
    assert one["wishes"] == [{"category": "support", "intent": "question"}]
    assert 0 < one["quality"] <= 1
    assert not one["could_leave"]  # nobody has proved who sent it
    assert "not authenticated" in one["held_by"]
    assert found["would_send"] == {"unchanged": 0, "edited": 0, "rejected": 0, "closed": 0}


async def test_who_looks_sees_it_and_changes_nothing(api: Api) -> None:
    """It is the administrators' to change."""
    from data.store.core import control

    line = api.line
    token = await line.house.control.write(
        control.add_token, "vera", "reviewer", "teasel", line.clock()
    )
    headers = {"Authorization": f"Bearer {token}"}
    assert (await api.client.get("/v1/teasel/policy", headers=headers)).status_code == 200
    order = {"change": {"mode": "off"}, "was": 1}
    put = await api.client.put("/v1/teasel/policy", json=order, headers=headers)
    assert put.status_code == 403


async def test_an_older_releases_wording_counts_as_it_did(api: Api) -> None:
    """A key that is gone does not keep the engine from its work."""

    def age(cursor: Connection) -> None:
        cursor.execute("UPDATE policy_versions SET text = 'gone: 1'")

    await api.line.workspace.db.write(age)
    before = api.line.workspace.policy
    await api.line.house.reload_policy(api.line.workspace)
    assert api.line.workspace.policy == before
