"""Taking a rejection or a closing back, over HTTP."""

import pytest

from tests.core.api.fixtures import Api, Case


@pytest.mark.parametrize("way", ["reject", "archive"])
async def test_a_closed_case_opens_again_as_it_was(api: Api, case: Case, way: str) -> None:
    """Draft and recipients are those of before, it can be approved, and the log says who did it."""
    path = f"/cases/{case['id']}"
    reason = {"reason": "should_not_reply"} if way == "reject" else {}
    closed = (await api.post(f"{path}/{way}", {"version": case["version"]} | reason)).json()
    assert closed["state"] == "archived"
    back = (await api.post(f"{path}/reopen", {})).json()
    assert (back["state"], back["messages"][0]["status"]) == ("in_review", "draft_ready")
    assert back["revisions"] == case["revisions"]
    assert (await api.get("/audit")).json()["items"][0]["action"] == "reopen"
    given = {"version": back["version"], "approval_hash": back["approval_hash"]}
    assert (await api.post(f"{path}/approve", given)).json()["state"] == "approved"


async def test_only_what_a_person_closed_opens_again(api: Api, case: Case) -> None:
    """An open case is refused, and so is one that nobody has decided on."""
    assert (await api.post(f"/cases/{case['id']}/reopen", {})).status_code == 409
    assert (await api.post("/cases/nothing/reopen", {})).status_code == 404


async def test_a_line_of_the_queue_says_why_it_waits(api: Api, case: Case) -> None:
    """The decision's sentence and the gates that say no stand in the list, as in the case."""
    (item,) = (await api.get("/queue")).json()["items"]
    decision = case["decision"]
    assert item["reason"] == decision["reason"]  # type: ignore[index]
    said_no = [gate["name"] for gate in decision["gates"] if not gate["passed"]]  # type: ignore[index]
    assert item["holding"] == said_no
    assert "shadow_mode" in said_no


async def test_a_draft_that_is_not_good_leaves_its_case_open(api: Api, case: Case) -> None:
    """Why a draft is wrong is kept, and the case waits for a person to write it; none is closed."""
    given = {"version": case["version"], "reason": "wrong_fact", "note": "It is open on Sundays."}
    after = (await api.post(f"/cases/{case['id']}/reject", given)).json()
    assert (after["state"], after["item"]["state"]) == ("in_review", "in_review")
    assert after["revisions"] == case["revisions"]
    (again,) = (await api.get("/queue")).json()["items"]
    assert again["case_id"] == case["id"]
    assert (await api.get("/audit")).json()["items"][0]["action"] == "reject"
    signed = {"version": after["version"], "approval_hash": after["approval_hash"]}
    assert (await api.post(f"/cases/{case['id']}/approve", signed)).json()["state"] == "approved"
