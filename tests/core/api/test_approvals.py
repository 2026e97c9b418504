"""The list of approvals over HTTP."""

from tests.core.api.fixtures import Api, Case


async def test_approvals_are_listed_by_kind_state_and_subject(api: Api, case: Case) -> None:
    """What waits is listed with its kind; once it is allowed it is listed as that."""
    page = (await api.get("/approvals", kind="reply", state="pending")).json()
    (waiting,) = page["items"]
    assert (page["total"], waiting["subject_id"]) == (1, case["id"])
    assert waiting["sha256"] == case["approval_hash"]
    assert {"reply", "pass_on"} <= {kind["name"] for kind in page["kinds"]}
    assert (await api.get("/approvals", kind="pass_on")).json()["total"] == 0
    assert (await api.get("/approvals", subject="another")).json()["total"] == 0

    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    await api.post(f"/cases/{case['id']}/approve", given)
    assert (await api.get("/approvals", state="pending")).json()["total"] == 0
    (allowed,) = (await api.get("/approvals", subject=str(case["id"]))).json()["items"]
    assert (allowed["id"], allowed["decided_by"]) == (waiting["id"], "ida")
    (delivery,) = (await api.get("/outbox")).json()["items"]
    assert (delivery["approval_id"], delivery["approved_by"]) == (allowed["id"], "ida")


async def test_an_unknown_state_is_refused(api: Api) -> None:
    """A filter that means nothing is 422, not an empty list."""
    assert (await api.get("/approvals", state="maybe")).status_code == 422
