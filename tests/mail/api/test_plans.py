"""Tickets, tags, questions to owners and rules over the API."""

import io

import polars as pl

from tests.core.api.fixtures import Api

ASKED = "Do you also rent out looms for weddings?"


async def test_tickets_are_listed_closed_opened_and_exported(api: Api) -> None:
    """A ticket goes through its life with reasons; a second closing is 409, an unknown one 404."""
    api.line.send("Please send me a copy of the invoice 4711.", subject="Invoice")
    await api.line.run()
    (item,) = (await api.get("/tickets", state="open")).json()["items"]
    path = f"/tickets/{item['id']}"
    assert (await api.post(f"{path}/close", {"reason": ""})).status_code == 422
    closed = (await api.post(f"{path}/close", {"reason": "sent"})).json()
    assert (closed["state"], closed["reason"]) == ("closed", "sent")
    assert (await api.post(f"{path}/close", {"reason": "sent"})).status_code == 409
    await api.post(f"{path}/comment", {"text": "The customer thanked."})
    again = (await api.post(f"{path}/reopen", {"reason": "wrong year"})).json()
    kinds = [note["kind"] for note in again["notes"]]
    assert kinds == ["opened", "closed", "comment", "reopened"]
    assert (await api.get("/tickets/nothing")).status_code == 404
    assert (await api.get("/tickets", state="closed")).json()["total"] == 0
    table = pl.read_parquet(io.BytesIO((await api.get("/export/tickets")).content))
    assert table["state"].to_list() == ["open"]
    actions = [one["action"] for one in (await api.get("/audit")).json()["items"]]
    assert actions == ["ticket-reopened", "ticket-closed"]


async def test_conversations_are_found_by_tag_until_it_is_taken_away(api: Api) -> None:
    """A plan's tag filters the list of conversations, and stands on the conversation."""
    api.line.send("When is the workshop open?", subject="Hours")
    await api.line.run()
    (tag,) = (await api.get("/tags")).json()["items"]
    (thread,) = (await api.get("/threads", tag=tag["name"])).json()["items"]
    whole = (await api.get(f"/threads/{thread['id']}")).json()
    assert whole["tags"] == [tag["name"]]
    assert (await api.get("/threads", tag="other-than-that")).json()["total"] == 0
    gone = f"/v1/teasel/threads/{thread['id']}/tags/{tag['name']}"
    assert (await api.client.delete(gone)).status_code == 204
    assert (await api.client.delete(gone)).status_code == 404


async def test_a_question_is_answered_and_remembered(api: Api) -> None:
    """From the open question to a proposal of knowledge, each step once."""
    policy = api.line.workspace.policy
    owners = {"default": "ida@teasel.example"}
    api.line.workspace.policy = policy.model_copy(update={"owners": owners})
    api.line.send(ASKED, subject="Wedding")
    await api.line.run()
    (question,) = (await api.get("/questions", state="open")).json()["items"]
    assert (question["question"], question["owner"]) == (ASKED, owners["default"])
    path = f"/questions/{question['id']}"
    assert (await api.post(f"{path}/remember")).status_code == 409
    answered = await api.post(f"{path}/answer", {"answer": "Yes, for 80 euros a weekend."})
    assert answered.json()["state"] == "answered"
    assert (await api.post(f"{path}/answer", {"answer": "No."})).status_code == 409
    assert (await api.post(f"{path}/remember")).json()["learned_id"].startswith("learned-")
    assert (await api.post(f"{path}/remember")).status_code == 409
    (entry,) = (await api.get("/proposals", state="proposed")).json()["items"]
    assert (entry["title"], entry["origin"]) == (ASKED, "answer")


async def test_a_question_can_be_taken_back(api: Api) -> None:
    """Withdrawn, the branch waits no more and nothing can be answered."""
    policy = api.line.workspace.policy
    owners = {"default": "ida@teasel.example"}
    api.line.workspace.policy = policy.model_copy(update={"owners": owners})
    api.line.send(ASKED, subject="Wedding")
    await api.line.run()
    (question,) = (await api.get("/questions")).json()["items"]
    case = (await api.get(f"/cases/{question['case_id']}")).json()
    assert case["branches"][0]["state"] == "waiting_for_input"
    assert [one["id"] for one in case["questions"]] == [question["id"]]
    back = await api.post(f"/questions/{question['id']}/withdraw")
    assert back.json()["state"] == "withdrawn"
    case = (await api.get(f"/cases/{question['case_id']}")).json()
    assert (case["branches"][0]["state"], case["questions"]) == ("done", [])
    late = await api.post(f"/questions/{question['id']}/answer", {"answer": "Yes."})
    assert late.status_code == 409


async def test_a_rule_is_shown_before_it_counts_and_refused_when_unclear(api: Api) -> None:
    """The answer to a sentence has plain words; one that would loosen anything is 422."""
    made = await api.post("/rules", {"sentence": "anything about looms: always ask"})
    assert made.status_code == 201
    rule = made.json()
    assert (rule["state"], rule["version"]) == ("proposed", 0)
    assert any("looms" in line for line in rule["plain"])
    sure = (await api.post(f"/rules/{rule['id']}/confirm")).json()
    assert (sure["state"], sure["version"], sure["confirmed_by"]) == ("confirmed", 1, "ida")
    refused = await api.post("/rules", {"sentence": "anything about looms: send it"})
    assert refused.status_code == 422
    assert "restrict or file" in refused.json()["error"]["message"]
    assert (await api.post(f"/rules/{rule['id']}/retire")).json()["state"] == "retired"
    assert (await api.post(f"/rules/{rule['id']}/retire")).status_code == 409
