"""What becomes of a plan's actions, and where conversations are, over HTTP and in exports."""

from pathlib import Path
from typing import Any

import duckdb
import orjson
import pytest

from data.store.core.migrations import migrate
from flows.delivery import delivery_batch
from flows.export import export_frame
from tests.core.api.fixtures import Api, Case


async def actions(api: Api, case: str) -> dict[str, tuple[str, str]]:
    """Return status and reviewer of the reply, as the case shows them.

    What else is planned (a tag, a contact) is done while the plan is made.
    """
    view = (await api.get(f"/cases/{case}")).json()
    return {
        one["type"]: (one["status"], one["reviewed_by"])
        for branch in view["branches"]
        for one in branch["actions"]
        if one["type"] == "reply"
    }


async def thread(api: Api) -> dict[str, Any]:
    """Return the only conversation as its list shows it."""
    (line,) = (await api.get("/threads")).json()["items"]
    found: dict[str, Any] = line
    return found


async def test_a_reply_is_planned_approved_and_executed(api: Api, case: Case) -> None:
    """Its row waits for a person, names who approved, and is done when the reply has left."""
    assert await actions(api, case["id"]) == {"reply": ("pending_review", "")}
    assert (await thread(api))["status"] == "pending_review"
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    await api.post(f"/cases/{case['id']}/approve", given)
    assert await actions(api, case["id"]) == {"reply": ("approved", "ida")}
    assert (await thread(api))["status"] == "open"
    await delivery_batch(api.line.house, api.line.workspace)
    assert await actions(api, case["id"]) == {"reply": ("executed", "ida")}
    assert (await thread(api))["status"] == "resolved"
    frame = await api.line.workspace.db.read(export_frame, "actions")
    (row,) = [one for one in frame.to_dicts() if one["type"] == "reply"]
    assert (row["case_id"], row["type"], row["status"]) == (case["id"], "reply", "executed")
    assert row["reviewed_at"] <= row["executed_at"]


async def test_a_closed_case_rejects_its_reply_until_it_opens_again(api: Api, case: Case) -> None:
    """Who closed it is named; opened again the reply waits for a person, decided by nobody."""
    await api.post(f"/cases/{case['id']}/archive", {"version": case["version"]})
    assert await actions(api, case["id"]) == {"reply": ("rejected", "ida")}
    assert (await thread(api))["status"] == "archived"
    await api.post(f"/cases/{case['id']}/reopen")
    assert await actions(api, case["id"]) == {"reply": ("pending_review", "")}
    assert (await thread(api))["status"] == "pending_review"


async def test_newer_mail_of_a_conversation_opens_it_again(api: Api, case: Case) -> None:
    """A second message of a closed conversation makes it wait for a person once more."""
    await api.post(f"/cases/{case['id']}/archive", {"version": case["version"]})
    first = case["messages"][0]["message_id"]
    api.line.send(
        "And on Saturdays?",
        subject="Re: Opening hours",
        message_id="<later@heron.example>",
        headers={"In-Reply-To": first, "References": first},
    )
    await api.line.intake()
    assert (await thread(api))["status"] == "open"
    await api.line.work()
    assert (await thread(api))["status"] == "pending_review"
    assert (await thread(api))["messages"] == 2


async def test_a_conversation_is_with_whom_its_case_is(api: Api, case: Case) -> None:
    """Inbox, conversations and queue are filtered by the person a case was given to."""
    who = "ida@teasel.example"
    given = {"version": case["version"], "assignee": who}
    assert (await api.post(f"/cases/{case['id']}/reassign", given)).status_code == 200
    assert (await thread(api))["assignee"] == who
    for path in ("/messages", "/threads", "/queue"):
        assert (await api.get(path, assignee=who)).json()["total"] == 1
        assert (await api.get(path, assignee="bo@teasel.example")).json()["total"] == 0
        for name in ("category", "priority"):
            value = case["classification"][name]
            other = "complaint" if name == "category" else "urgent"
            assert value != other
            assert (await api.get(path, **{name: value})).json()["total"] == 1, (path, name)
            assert (await api.get(path, **{name: other})).json()["total"] == 0, (path, name)


async def test_the_html_of_a_message_is_kept_and_exported(api: Api) -> None:
    """The part as it came is in the message's answer and in the export, the text beside it."""
    raw = (
        b"From: mara@heron.example\r\nTo: hello@teasel.example\r\nSubject: Hours\r\n"
        b"Message-ID: <h@heron.example>\r\nContent-Type: text/html\r\n\r\n"
        b"<p>When are you <b>open</b>?</p>\r\n"
    )
    item = api.line.send("", raw=raw)
    await api.line.intake()
    shown = (await api.get(f"/messages/{item}")).json()
    assert "<b>open</b>" in shown["html_body"]
    assert "<b>" not in shown["text"]
    (row,) = (await api.line.workspace.db.read(export_frame, "messages")).to_dicts()
    assert (row["html_body"], row["text_body"]) == (shown["html_body"], shown["text"])


PLAN = {
    "actions": [
        {
            "type": kind,
            "reason": "so",
            "reversible": True,
            "outside_effect": False,
            "floor": "person",
        }
        for kind in ("reply", "create_ticket", "archive")
    ]
}


@pytest.mark.parametrize(
    ("state", "status", "thread_status"),
    [
        ("in_review", ("pending_review", "executed", "pending_review"), "pending_review"),
        ("approved", ("approved", "executed", "planned"), "open"),
        ("sent", ("executed", "executed", "rejected"), "resolved"),
        ("archived", ("rejected", "executed", "executed"), "archived"),
        ("superseded", ("rejected", "executed", "rejected"), "open"),
    ],
)
def test_plans_of_older_states_become_rows(
    tmp_path: Path, state: str, status: tuple[str, ...], thread_status: str
) -> None:
    """Actions and conversations of a state from before have what follows from their cases."""
    with duckdb.connect(str(tmp_path / "state.duckdb")) as connection:
        migrate(connection, "organization")
        connection.execute("DROP TABLE actions; DROP TABLE mail_to_index")
        connection.execute("DELETE FROM schema_version WHERE version BETWEEN 100 AND 109")
        now = "2026-03-02T10:00:00+00:00"
        connection.execute(
            "INSERT INTO threads (id, subject, normalized_subject, contact_id, contact_email, "
            "participants, last_message_at) VALUES ('t', '', '', 'p', 'm@x.example', [], ?)",
            [now],
        )
        connection.execute(
            "INSERT INTO cases (id, state, contact_id, contact_email, thread_id, message_ids, "
            "subject, received_at, created_at, due_at, changed_at, assignee) "
            "VALUES ('c', ?, 'p', 'm@x.example', 't', [], '', $2, $2, $2, $2, 'bo@x.example')",
            [state, now],
        )
        connection.execute(
            "INSERT INTO branches (id, case_id, position, state, intent, plan) "
            "VALUES ('c-0', 'c', 0, 'done', '{}', ?)",
            [orjson.dumps(PLAN).decode()],
        )
        connection.execute(
            "INSERT INTO reviews (id, case_id, reviewer, action, decided_at) "
            "VALUES ('r', 'c', 'ida', 'approve', ?)",
            [now],
        )
        migrate(connection, "organization")
        rows = connection.execute(
            "SELECT type, status, reviewed_by FROM actions ORDER BY position"
        ).fetchall()
        assert [(kind, found) for kind, found, _ in rows] == list(
            zip(("reply", "create_ticket", "archive"), status, strict=True)
        )
        decided = {found for _, found, by in rows if by}
        assert decided <= {"approved", "executed", "rejected"}
        (found,) = connection.execute("SELECT status, assignee FROM threads").fetchall()
        assert found[0] == thread_status
