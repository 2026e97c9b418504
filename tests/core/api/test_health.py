"""Health over HTTP: what is late, what was not loaded, what nobody has backed up."""

from datetime import timedelta

from data.store.core.database import Connection
from flows.sync import sync_told
from tests.core.api.fixtures import Api, case_of
from tests.core.api.test_tokens import make


async def findings(api: Api, **query: object) -> dict[str, dict[str, str]]:
    """Return what is found, by name."""
    answer = await api.client.get("/v1/health", params=query)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    return {one["name"]: one for one in answer.json()["findings"]}


async def test_a_good_house_has_nothing_wrong(api: Api) -> None:
    """But for the backup that nobody made; machine and state alike."""
    found = await findings(api)
    assert [name for name, one in found.items() if one["status"] == "fail"] == []
    assert found["backup"]["status"] == "warn"
    assert found["python"]["group"] == "machine"
    assert found["reading"] | {"group": ""} == {
        "name": "reading", "status": "ok", "sentence": "Nothing is late.", "remedy": "",
        "group": "",
    }  # fmt: skip
    assert found["files"]["status"] == "ok"
    assert "models" not in found
    assert (await findings(api, outside=True))["models"]["group"] == "outside"


async def test_what_is_late_or_wrong_is_told_with_what_to_do(api: Api) -> None:
    """Work that stands still, a file that is wrong, a log that was changed beside Postern."""
    line = api.line
    case = await case_of(api)
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    assert (await api.post(f"/cases/{case['id']}/approve", given)).status_code == 200
    (line.workspace.sources / "policy.yaml").write_text("modus: live\n", encoding="utf-8")
    await sync_told(line.house, line.workspace)
    line.clock.ahead += timedelta(hours=3)
    found = await findings(api, machine=False)
    assert "python" not in found
    assert found["leaving"]["status"] == "fail"
    assert found["leaving"]["sentence"] == "1 reply due, the oldest for 3 hours."
    assert found["leaving"]["remedy"]
    assert found["files"]["status"] == found["policy"]["status"] == "fail"
    assert "modus" in found["files"]["sentence"]

    def tamper(cursor: Connection) -> None:
        cursor.execute("UPDATE audit_events SET detail = 'other'")

    await api.client.post("/v1/organizations/teasel/sync")
    await line.workspace.db.write(tamper)
    assert (await findings(api))["audit"]["status"] == "fail"


async def test_only_administrators_see_it(api: Api) -> None:
    """Folders and models of the whole installation are no reviewer's business."""
    headers = {"Authorization": f"Bearer {await make(api, 'bo')}"}
    assert (await api.client.get("/v1/health", headers=headers)).status_code == 403
    assert (await api.client.get("/v1/backups", headers=headers)).status_code == 403
