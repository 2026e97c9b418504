"""Every source that a draft cites is in its case, with its words; the share of unchanged drafts."""

from typing import Any

import pytest

from data.records.mail.questions import OwnerAnswer
from flows.mail.people import answering
from tests.core.api.fixtures import Api, case_of
from tests.core.api.test_users import signed_in
from tests.core.small import SLUG
from tests.people import person

THANKS: dict[str, Any] = {
    "title": "Around every answer",
    "intent": "question",
    "body": "Hello {first_name},\n\nIt is good of you to ask us.\n\n{answer}\n\nKind regards",
}
RENT = "Do you also rent out looms for weddings?"


def sources(case: dict[str, Any]) -> dict[str, str]:
    """Return the words of each source by its ref."""
    return {one["ref"]: one["text"] for one in (*case["snippets"], *case["cited"])}


async def test_a_saved_reply_around_an_answer_is_among_the_sources(api: Api) -> None:
    """It is no part of the briefing, and its sentences are cited: the case holds its whole text."""
    reply = (await api.post("/saved-replies", THANKS)).json()
    case: dict[str, Any] = await case_of(api)
    draft = case["revisions"][-1]["draft"]
    refs = {one["ref"] for one in draft["citations"]}
    assert f"reply:{reply['id']}" in refs
    assert len(refs) > 1
    known = sources(case)
    assert refs <= set(known)
    assert known[f"reply:{reply['id']}"] == THANKS["body"]
    await api.post(f"/saved-replies/{reply['id']}/retire")
    again = (await api.get(f"/cases/{case['id']}")).json()
    assert sources(again)[f"reply:{reply['id']}"] == THANKS["body"]


async def test_an_owners_answer_is_among_the_sources(api: Api) -> None:
    """A draft that tells what an owner answered has that answer beside it."""
    owners = {"owners": {"default": "ida@teasel.example"}}
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update=owners)
    case = await case_of(api, RENT)
    (question,) = (await api.get("/questions")).json()["items"]
    answer = "Yes, we rent two table looms for celebrations. One weekend costs 80 euros."
    users = (await api.client.get("/v1/users")).json()
    owner = next(user for user in users if user["email"] == question["owner"])
    headers = await signed_in(api, owner)
    bell = f"/v1/{SLUG}/notifications"
    assert (await api.client.get(bell, headers=headers)).json()["unseen"] == 1
    assert (await api.get("/notifications")).json()["unseen"] == 0  # no administrator's
    order = OwnerAnswer(answer=answer)
    await answering.answer(api.line.house, api.line.workspace, question["id"], order, person("ida"))
    # nobody has to answer it any more
    assert (await api.client.get(bell, headers=headers)).json()["unseen"] == 0
    await api.line.work()
    view: dict[str, Any] = (await api.get(f"/cases/{case['id']}")).json()
    draft = view["revisions"][-1]["draft"]
    assert "80 euros" in draft["body"]
    cited = [one["ref"] for one in draft["citations"] if one["ref"].startswith("owner:")]
    assert cited
    assert {sources(view)[ref] for ref in cited} == {answer}


@pytest.mark.parametrize(("taken_back", "share"), [(True, None), (False, 1.0)])
async def test_only_an_approval_that_stands_counts_as_unchanged(
    api: Api, taken_back: bool, share: float | None
) -> None:
    """A case that went back to review was not approved, whatever was pressed before."""
    longer = {"undo_seconds": 60}
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update=longer)
    case = await case_of(api)
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    approved = (await api.post(f"/cases/{case['id']}/approve", given)).json()
    assert (await api.get("/overview")).json()["approved_unchanged"] == 1.0
    if taken_back:
        await api.post(f"/deliveries/{approved['delivery_id']}/cancel")
    assert (await api.get("/overview")).json()["approved_unchanged"] == share
