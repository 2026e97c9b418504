"""Parts of a case over HTTP: seen beside each other, set apart, joined, exported."""

from typing import Any

from flows.export import export_frame
from tests.core.api.fixtures import Api
from tests.mail.line.parts_of import ANSWER, BOTH, FOLLOWS


async def parted(api: Api) -> dict[str, Any]:
    """Return a case with two parts, before a person."""
    api.line.send(BOTH, subject="Repair and invoice")
    await api.line.run()
    (item,) = (await api.get("/queue")).json()["items"]
    case: dict[str, Any] = (await api.get(f"/cases/{item['case_id']}")).json()
    return case


async def apart(api: Api, case: dict[str, Any], place: int) -> dict[str, Any]:
    """Set a part of a case apart; return the new case."""
    order = {"version": case["version"], "branches": [case["branches"][place]["id"]]}
    answer = await api.post(f"/cases/{case['id']}/part", order)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_every_part_is_shown_with_what_was_made_of_it(api: Api) -> None:
    """Each has category, priority, plan, draft, findings, quality and decision of its own."""
    case = await parted(api)
    parts = {part["intent"]["category"]: part for part in case["branches"]}
    assert set(parts) == {"support", "billing"}
    one, other = parts["support"], parts["billing"]
    assert ANSWER in one["draft"]["body"]
    assert ANSWER not in other["draft"]["body"]
    assert one["draft"]["citations"]
    assert (one["checked"]["quality"], other["checked"]["quality"]) == (1.0, 0.0)
    assert one["decision"]["gates"]
    assert {gate["name"] for gate in other["decision"]["gates"] if not gate["passed"]} >= {
        "approval_floor",
        "quality",
    }
    assert {part["priority"] for part in (one, other)} == {"normal"}
    assert case["others"] == []


async def test_a_part_set_apart_is_a_case_like_any_other(api: Api) -> None:
    """Its reply and the other's are approved one by one; the first says that the rest follows."""
    case = await parted(api)
    rest = await apart(api, case, 1)
    first = (await api.get(f"/cases/{case['id']}")).json()
    assert FOLLOWS in first["revisions"][-1]["draft"]["body"]
    assert [link["id"] for link in rest["others"]] == [first["id"]]
    assert [item["part"] for item in (await api.get("/queue")).json()["items"]] == [True, True]
    for one in (first, rest):
        order = {
            "version": one["version"],
            "approval_hash": one["approval_hash"],
            "confirmed": True,
        }
        answer = await api.post(f"/cases/{one['id']}/approve", order)
        assert answer.status_code == 200, answer.text
    sent = (await api.get("/outbox")).json()["items"]
    assert {item["case_id"] for item in sent} == {first["id"], rest["id"]}


async def test_parts_are_joined_again(api: Api) -> None:
    """One case answers everything anew; the other is gone, and what was open of it with it."""
    case = await parted(api)
    rest = await apart(api, case, 1)
    first = (await api.get(f"/cases/{case['id']}")).json()
    answer = await api.post(f"/cases/{first['id']}/join", {"version": first["version"]})
    assert answer.status_code == 200, answer.text
    await api.line.work()
    (item,) = (await api.get("/queue")).json()["items"]
    again = (await api.get(f"/cases/{item['case_id']}")).json()
    assert again["id"] == first["id"]
    assert len(again["branches"]) == 2
    assert again["others"] == []
    assert FOLLOWS not in again["revisions"][-1]["draft"]["body"]
    assert (await api.get(f"/cases/{rest['id']}")).json()["state"] == "superseded"


async def test_what_cannot_be_parted_or_joined_is_refused(api: Api) -> None:
    """All parts, none of this case, an old view, or nothing to join: 409, and nothing changes."""
    case = await parted(api)
    ids = [branch["id"] for branch in case["branches"]]
    path, version = f"/cases/{case['id']}", case["version"]
    for branches, seen in ((ids, version), (["other-0"], version), (ids[:1], version - 1)):
        order = {"version": seen, "branches": branches}
        assert (await api.post(f"{path}/part", order)).status_code == 409
    assert (await api.post(f"{path}/join", {"version": version})).status_code == 409
    assert (await api.get(path)).json()["version"] == version


async def test_parts_are_exported(api: Api) -> None:
    """The table of branches has one row for each, with its quality and outcome."""
    case = await parted(api)
    frame = await api.line.workspace.db.read(export_frame, "branches")
    frame = frame.sort("category", descending=True)
    assert frame["case_id"].to_list() == [case["id"]] * 2
    assert frame["category"].to_list() == ["support", "billing"]
    assert frame["quality"].to_list() == [1.0, 0.0]
    assert frame["outcome"].to_list() == ["review", "review"]
