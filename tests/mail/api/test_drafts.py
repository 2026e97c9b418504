"""Other drafts, redrafts, marks of private context, and quotations, over HTTP and the line."""

from email import message_from_bytes, policy

from data.records.core.organization import Mode
from data.records.mail.drafting import Checked, Draft
from tests.core.api.fixtures import Api, Case, case_of

HALF = "When is the workshop open? Do you sell used cars?"


def newest(case: dict[str, object]) -> tuple[Draft, Checked]:
    """Return the newest draft of a case, and what the check says of it."""
    revision = case["revisions"][-1]  # type: ignore[index]
    return Draft.model_validate(revision["draft"]), Checked.model_validate(revision["checked"])


async def test_an_alternative_is_kept_with_the_case_and_chosen(api: Api) -> None:
    """A draft of low quality has two others beside it; the chosen one is what would leave."""
    case = await case_of(api, HALF)
    _, checked = newest(case)
    assert len(checked.alternatives) == 2
    wanted = checked.alternatives[-1]
    path = f"/cases/{case['id']}/choose"
    order = {"version": case["version"], "kind": wanted.kind}
    chosen = (await api.post(path, order)).json()
    draft, again = newest(chosen)
    assert draft.body == wanted.draft.body
    assert chosen["reply_preview"] != case["reply_preview"]
    assert again.alternatives == checked.alternatives
    assert (await api.post(path, order)).status_code == 409
    missing = await api.post(path, {"version": chosen["version"], "kind": "shorter"})
    kinds = {one.kind for one in checked.alternatives}
    assert (missing.status_code == 409) is ("shorter" not in kinds)


async def test_a_good_draft_stands_alone(api: Api, case: Case) -> None:
    """Where everything is answered nothing else is offered."""
    _, checked = newest(case)
    assert checked.quality >= 0.8
    assert checked.alternatives == ()


async def test_a_redraft_is_another_text(api: Api) -> None:
    """Who rejects a draft and asks for another gets one that says what was done about it."""
    case = await case_of(api, HALF)
    first, _ = newest(case)
    order = {"version": case["version"], "reason": "tone", "note": "shorter", "redraft": True}
    assert (await api.post(f"/cases/{case['id']}/reject", order)).status_code == 200
    api.line.clock.forward(1)
    await api.line.work()
    second, _ = newest((await api.get(f"/cases/{case['id']}")).json())
    assert second.body != first.body
    assert second.note.startswith("Rejected (tone)")


async def test_a_reply_with_a_private_mark_never_leaves(api: Api, case: Case) -> None:
    """Whoever approves it, a text with the organization's mark is refused, and that is audited."""
    text = {"subject": "Re: Hours", "body": f"Our mark is {api.line.workspace.canary.upper()}."}
    path = f"/cases/{case['id']}"
    preview = (await api.post(f"{path}/preview", text)).json()
    assert [one["check"] for one in preview["checked"]["findings"]] == ["canary"]
    order = text | {
        "version": case["version"],
        "approval_hash": preview["approval_hash"],
        "confirmed": True,
    }
    assert (await api.post(f"{path}/approve", order)).status_code == 409
    assert (await api.get("/outbox")).json()["total"] == 0
    (event,) = (await api.get("/audit")).json()["items"]
    assert (event["action"], event["subject"]) == ("quarantine", f"case:{case['id']}")


async def test_a_machines_draft_with_the_mark_is_quarantined(api: Api) -> None:
    """An own line that leaks the mark puts the message aside, tells people and is audited."""
    workspace = api.line.workspace
    workspace.policy = workspace.policy.model_copy(
        update={"mode": Mode.LIVE, "closing": {"en": f"Yours, {workspace.canary}"}}
    )
    message = api.line.send("When is the workshop open?")
    await api.line.run()
    assert await api.line.status(message) == "quarantined"
    (case,) = await api.line.rows("SELECT state, quality, note FROM cases")
    assert (case["state"], case["quality"]) == ("in_review", 0)
    assert "private context" in str(case["note"])
    (event,) = (await api.get("/audit")).json()["items"]
    assert event["action"] == "quarantine"


async def test_quoting_follows_the_policy(api: Api, case: Case) -> None:
    """The last message is quoted with whose it is, or not at all where the policy says so."""
    assert "Mara Heron wrote:\n> When is the workshop open?" in str(case["reply_preview"])
    workspace = api.line.workspace
    workspace.policy = workspace.policy.model_copy(update={"quote": "none"})
    again = (await api.get(f"/cases/{case['id']}")).json()
    assert ">" not in again["reply_preview"]
    order = {"version": again["version"], "approval_hash": again["approval_hash"]}
    assert (await api.post(f"/cases/{case['id']}/approve", order)).status_code == 200
    (row,) = await api.line.rows("SELECT sha256 FROM deliveries")
    sent = message_from_bytes(workspace.archive.read(str(row["sha256"])), policy=policy.default)
    assert ">" not in sent.get_content()
