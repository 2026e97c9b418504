"""Reports over HTTP: who may see what, and the files."""

import csv
import io

import httpx
import polars as pl
import pytest

from tests.core.api.fixtures import Api, Case, case_of
from tests.core.api.test_users import HERE, add_user, signed_in
from tests.core.small import SLUG


async def test_a_day_of_work_is_counted(api: Api, case: Case) -> None:
    """What was drafted with open questions, rejected, approved and sent."""
    body = {"version": case["version"], "reason": "tone", "redraft": True}
    await api.post(f"/cases/{case['id']}/reject", body)
    await api.line.run()
    case = (await api.get(f"/cases/{case['id']}")).json()
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    await api.post(f"/cases/{case['id']}/approve", given)
    told = (await api.get("/report")).json()
    assert (told["received"], told["backlog"]["waiting"]) == (1, 0)
    assert told["judged"] == {"unchanged": 1, "edited": 0, "rejected": 1, "closed": 0}
    assert told["reasons"] == [{"name": "tone", "value": 1}]
    (decided,) = await api.line.rows(
        "SELECT r.would_auto_send AS noted, c.would_auto_send AS had FROM reviews r "
        "JOIN cases c ON c.id = r.case_id WHERE r.action = 'approve'"
    )
    assert decided["noted"] == decided["had"]
    assert len(told["periods"]) == 28


async def test_open_questions_of_drafts_are_counted_when_they_are_written(api: Api) -> None:
    """A question that the knowledge does not answer is a topic, in the sender's words."""
    await case_of(api, "Do you repair accordions?")
    (topic,) = (await api.get("/report")).json()["topics"]
    assert (topic["questions"], topic["cases"]) == (1, 1)
    assert topic["examples"] == ["Do you repair accordions?"]


async def test_figures_of_people_are_for_who_manages_them(api: Api, case: Case) -> None:
    """Everybody else sees their own, and is told why not the others'."""
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    await api.post(f"/cases/{case['id']}/approve", given)
    assert [one["person"] for one in (await api.get("/report")).json()["people"]] == ["ida"]
    headers = await signed_in(api, await add_user(api, "Vera", HERE))

    async def ask(path: str, **query: str) -> httpx.Response:
        return await api.client.get(f"/v1/{SLUG}{path}", params=query, headers=headers)

    told = await ask("/report")
    assert (told.status_code, told.json()["people"]) == (200, [])
    assert told.json()["judged"]["unchanged"] == 1
    assert (await ask("/report", person="Vera")).status_code == 200
    for path in ("/report", "/report/export"):
        refused = await ask(path, person="ida")
        assert refused.status_code == 403
        assert "single people" in refused.json()["error"]["message"]


@pytest.mark.parametrize("table", ["periods", "categories", "people", "topics", "models"])
async def test_a_table_is_a_file(api: Api, table: str) -> None:
    """As CSV and as Parquet with the same rows, as many as the report has."""
    await case_of(api, "Do you repair accordions?")
    rows = (await api.get("/report")).json()[table]
    as_text = await api.get("/report/export", table=table, format="csv")
    assert "attachment" in as_text.headers["content-disposition"]
    found = list(csv.DictReader(io.StringIO(as_text.text)))
    as_frame = await api.get("/report/export", table=table, format="parquet")
    frame = pl.read_parquet(io.BytesIO(as_frame.content))
    assert len(found) == frame.height == len(rows)
    if rows:
        assert set(found[0]) == set(frame.columns)


@pytest.mark.parametrize(
    "query",
    [
        {"since": "2026-03-09", "until": "2026-03-02"},
        {"since": "2000-01-01", "until": "2026-01-01"},
    ],
)
async def test_a_range_that_is_none_is_refused(api: Api, query: dict[str, str]) -> None:
    """It says what would be one."""
    refused = await api.get("/report", **query)
    assert refused.status_code == 409
    assert "name a first day" in refused.json()["error"]["message"]
