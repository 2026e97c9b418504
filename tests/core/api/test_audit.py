"""The audit log over HTTP: narrowed, by days of the organization, and as a file."""

from datetime import UTC, datetime
from functools import partial

from data.store.core import audit
from data.store.core.database import Connection
from tests.core.api.fixtures import Api, Case

LATE = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
"""The third of March in Berlin."""


def fill(cursor: Connection) -> None:
    """Write two events."""
    for actor, action, subject, detail in (
        ("Ida", "approve", "case:c-1", "sha256 77"),
        ("Bo", "reject", "case:c-2", "=too LONG"),
    ):
        audit.append(cursor, actor=actor, action=action, subject=subject, detail=detail, now=LATE)


async def find_actions(api: Api, **query: object) -> list[str]:
    """Return who did what is found."""
    answer = (await api.get("/audit", **query)).json()
    assert answer["total"] == len(answer["items"])
    return [one["actor"] for one in answer["items"]]


async def test_the_log_is_narrowed_by_each_and_by_all(api: Api) -> None:
    """Newest first; words in any case, in subject and detail, and never as a pattern."""
    await api.line.workspace.db.write(fill)
    assert await find_actions(api) == ["Bo", "Ida"]
    assert await find_actions(api, actor="Ida") == ["Ida"]
    assert await find_actions(api, action="reject") == ["Bo"]
    assert await find_actions(api, words="too long") == ["Bo"]
    assert await find_actions(api, words="C-1") == ["Ida"]
    assert await find_actions(api, words="%") == []
    assert await find_actions(api, actor="Ida", action="reject") == []
    choices = (await api.get("/audit/choices")).json()
    assert choices == {"actors": ["Bo", "Ida"], "actions": ["approve", "reject"]}


async def test_what_vouches_for_turns_is_listed_where_it_is_asked_for(api: Api) -> None:
    """An agent's turns would cover what people did; the file has every link of the chain."""
    await api.line.workspace.db.write(fill)
    seal = partial(audit.append, action="end-turn", subject="turn:t-1", detail="done", now=LATE)
    await api.line.workspace.db.write(lambda cursor: seal(cursor, actor="agent:desk"))
    assert await find_actions(api) == ["Bo", "Ida"]
    assert await find_actions(api, words="t-1") == []
    assert await find_actions(api, since="2026-03-02") == ["Bo", "Ida"]
    assert await find_actions(api, action="end-turn", words="t-1") == ["agent:desk"]
    assert await find_actions(api, actor="agent:desk") == ["agent:desk"]
    exported = (await api.get("/audit/export", format="csv")).text
    assert len(exported.splitlines()) == 4
    chain = (await api.get("/audit/chain")).json()
    assert (chain["events"], chain["broken_at"], chain["altered"]) == (3, None, [])


async def test_days_are_those_of_the_organization(api: Api) -> None:
    """Half past eleven in the evening is the next day further east."""
    await api.line.workspace.db.write(fill)
    assert len(await find_actions(api, since="2026-03-02", until="2026-03-02")) == 2
    workspace = api.line.workspace
    workspace.organization = workspace.organization.model_copy(update={"timezone": "Europe/Berlin"})
    assert await find_actions(api, until="2026-03-02") == []
    assert len(await find_actions(api, since="2026-03-03", until="2026-03-03")) == 2


async def test_a_file_has_the_chain_and_runs_no_formula(api: Api) -> None:
    """Oldest first, with the hashes; what a spreadsheet would run is defused."""
    await api.line.workspace.db.write(fill)
    answer = await api.get("/audit/export", format="csv")
    head, first, second = answer.text.splitlines()
    assert head.startswith("sequence,occurred_at,actor,action")
    assert (first.split(",")[2], second.split(",")[2]) == ("Ida", "Bo")
    assert "'=too LONG" in second
    only = await api.get("/audit/export", format="csv", actor="Bo")
    assert len(only.text.splitlines()) == 2


async def test_an_event_says_which_letter_it_was_about(api: Api, case: Case) -> None:
    """Subject and person, as they are now; the log and its file hold neither."""
    order = {"version": case["version"], "approval_hash": case["approval_hash"]}
    approved = await api.post(f"/cases/{case['id']}/approve", order)
    assert approved.status_code == 200, approved.text
    (delivery,) = await api.line.rows("SELECT id FROM deliveries")
    assert (await api.post(f"/deliveries/{delivery['id']}/cancel")).status_code in (200, 204)
    await api.line.workspace.db.write(fill)
    titles = {
        one["subject"].partition(":")[0] + one["action"]: one["title"]
        for one in (await api.get("/audit")).json()["items"]
    }
    assert titles["caseapprove"] == "Opening hours, Mara Heron <mara@heron.example>"
    assert titles["deliverycancel"] == "Re: Opening hours, mara@heron.example"
    assert titles["casereject"] == "", "there is no such case"
    exported = (await api.get("/audit/export", format="csv")).text
    assert "Mara Heron" not in exported
