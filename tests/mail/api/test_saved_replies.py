"""Saved replies over HTTP: kept, validated, told in drafts with their source, and audited."""

import json
from typing import Any

import pytest

from flows.mail.line.mail_line import mail_line_of
from flows.sync import sync_one
from tests.core.api.fixtures import Api

VOUCHERS: dict[str, Any] = {
    "title": "Gift vouchers",
    "intent": "question",
    "body": "Hello {first_name},\n\nGift vouchers are sold at the desk from 20 euros.\n\n"
    "Kind regards\n{organization}",
}
ASKED = "Do you sell gift vouchers?"


async def drafted(api: Api, sender: str) -> dict[str, Any]:
    """Ask about vouchers; return the newest draft for that sender."""
    api.line.send(ASKED, subject="Vouchers", sender=sender)
    await api.line.run()
    rows = await api.line.rows(
        "SELECT d.draft FROM drafts d JOIN cases c ON c.id = d.case_id "
        "WHERE c.contact_email = ? ORDER BY d.revision DESC", sender)  # fmt: skip
    made: dict[str, Any] = json.loads(str(rows[0]["draft"]))
    return made


async def test_a_kept_reply_is_cited_until_it_is_retired(api: Api) -> None:
    """A draft tells it and names it as its source; changed it tells the new words, retired none."""
    made = await api.post("/saved-replies", VOUCHERS)
    assert made.status_code == 201
    reply = made.json()
    assert (reply["cited"], reply["file"], reply["version"]) == (True, "", 1)
    first = await drafted(api, "mara@heron.example")
    assert "from 20 euros" in first["body"]
    assert f"reply:{reply['id']}" in {one["ref"] for one in first["citations"]}
    path = f"/saved-replies/{reply['id']}"
    text = VOUCHERS["body"].replace("20", "25")
    changed = await api.post(f"{path}/edit", {**VOUCHERS, "body": text, "version": 1})
    assert changed.json()["version"] == 2
    assert "from 25 euros" in (await drafted(api, "otto@finch.example"))["body"]
    retired = (await api.post(f"{path}/retire")).json()
    assert (retired["cited"], retired["retired_by"]) == (False, "ida")
    assert "euros" not in (await drafted(api, "pia@finch.example"))["body"]
    assert (await api.post(f"{path}/retire")).status_code == 409
    assert (await api.post(f"{path}/restore")).json()["cited"] is True
    assert "from 25 euros" in (await drafted(api, "udo@finch.example"))["body"]
    events = await api.line.rows("SELECT action, actor FROM audit_events ORDER BY sequence")
    assert [row["action"] for row in events] == [
        "create-saved-reply", "edit-saved-reply", "retire-saved-reply", "restore-saved-reply",
    ]  # fmt: skip
    assert {row["actor"] for row in events} == {"ida"}


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("Hello {frist_name}, see {ticket}.", "'{frist_name}', '{ticket}'"),
        ("It costs {{20}} euros.", "'{20}'"),
        ("A brace { alone.", "a brace stands alone"),
        ("{answer}\n\n{answer}", "twice"),
        ("{first_name}\n{answer}", "nothing but placeholders"),
    ],
)
async def test_a_placeholder_that_nothing_fills_is_refused_by_name(
    api: Api, body: str, named: str
) -> None:
    """The sentence names what is wrong and what may stand there; nothing is kept."""
    refused = await api.post("/saved-replies", {**VOUCHERS, "body": body})
    assert refused.status_code == 422
    assert named in refused.json()["error"]["message"]
    assert (await api.get("/saved-replies")).json()["total"] == 0


async def test_two_people_do_not_write_over_each_other(api: Api) -> None:
    """Who changes what somebody has changed meanwhile is told so."""
    reply = (await api.post("/saved-replies", VOUCHERS)).json()
    path = f"/saved-replies/{reply['id']}/edit"
    assert (await api.post(path, {**VOUCHERS, "version": 1})).status_code == 200
    late = await api.post(path, {**VOUCHERS, "title": "Mine", "version": 1})
    assert late.status_code == 409
    assert (await api.get("/saved-replies")).json()["items"][0]["title"] == "Gift vouchers"


async def test_replies_of_files_are_shown_with_their_file_and_not_changed_here(api: Api) -> None:
    """A file's reply bears its name, loads beside the kept ones, and refuses every change."""
    folder = api.line.workspace.sources / "saved_replies"
    folder.mkdir()
    (folder / "parking.md").write_text(
        "---\ntitle: Parking\nlanguage: en\n---\nPark behind the mill, {driver}.\n"
    )
    kept = (await api.post("/saved-replies", VOUCHERS)).json()
    await sync_one(api.line.house, api.line.workspace)
    found = (await api.get("/saved-replies")).json()["items"]
    assert [(one["id"], one["file"]) for one in found] == [
        (kept["id"], ""), ("parking", "saved_replies/parking.md"),
    ]  # fmt: skip
    assert found[1]["open"] == ["{driver}"]
    assert {one.id for one in mail_line_of(api.line.workspace).saved_replies} == {
        "parking",
        kept["id"],
    }
    for action, body in (("edit", {**VOUCHERS, "version": 0}), ("retire", {}), ("restore", {})):
        refused = await api.post(f"/saved-replies/parking/{action}", body)
        assert refused.status_code == 409
        assert "saved_replies/parking.md" in refused.json()["error"]["message"]
    assert (await api.post("/saved-replies/none/retire")).status_code == 404
