"""Backups over HTTP: made while mail goes on, listed, read again, and what is wrong with one."""

import asyncio
import os
import threading
from pathlib import Path

import pytest

from data.store.core.backups import MANIFEST
from tests.core.api.fixtures import Api


async def entries(api: Api) -> list[dict[str, object]]:
    """Return the backups once nothing is in work."""
    while True:
        items = (await api.client.get("/v1/backups")).json()["items"]
        if not any(one["busy"] for one in items):
            return list(items)
        await asyncio.sleep(0.02)


async def test_a_backup_is_made_listed_and_read_again(api: Api) -> None:
    """What was changed in it is found; every step is in the audit log."""
    api.line.send("When is the workshop open?")
    await api.line.run()
    begun = await api.client.post("/v1/backups", json={})
    assert (begun.status_code, begun.json()["state"]) == (202, "running")
    (made,) = await entries(api)
    assert (made["state"], made["made_by"], made["there"]) == ("made", "ida", True)
    assert made["organizations"] == {"teasel": 1}
    where = f"/v1/backups/{made['id']}/verify"
    assert (await api.client.post(where)).status_code == 202
    (read,) = await entries(api)
    assert (read["verified_at"] is not None, read["verify_fault"]) == (True, "")
    copied = Path(str(made["folder"])) / "organizations" / "teasel" / "sources" / "policy.yaml"
    copied.write_text("mode: live\n", encoding="utf-8")
    assert (await api.client.post(where)).status_code == 202
    (read,) = await entries(api)
    assert "is not what was backed up" in str(read["verify_fault"])
    health = (await api.client.get("/v1/health", params={"machine": False})).json()["findings"]
    (finding,) = [one for one in health if one["name"] == "backup"]
    assert (finding["status"], finding["remedy"]) == ("fail", "Make another.")
    events = (await api.get("/audit")).json()["items"]
    assert [one["action"] for one in events] == ["verify-backup", "verify-backup", "make-backup"]


async def test_of_two_at_once_one_is_made(api: Api, tmp_path: Path) -> None:
    """The other is refused, and takes nothing away of what the first has made."""
    order = {"folder": str(tmp_path / "twice")}
    answers = await asyncio.gather(
        *(api.client.post("/v1/backup", json=order) for _ in range(4)),
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert (tmp_path / "twice" / "control.duckdb").exists()
    hidden = f"{api.line.house.settings.home}/backups/../spool/copy"
    inside = await api.client.post("/v1/backup", json={"folder": hidden})
    assert (inside.status_code, "part of itself" in inside.text) == (409, True)


async def test_one_is_begun_at_a_time(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several that press before the first is done one begins it, and the others are told."""
    all_asked, sync = threading.Event(), os.sync
    monkeypatch.setattr(os, "sync", lambda: all_asked.wait(60) and sync())  # a disk that is slow
    answers = await asyncio.gather(
        *(api.client.post("/v1/backups", json={}) for _ in range(4)),
    )
    all_asked.set()
    assert sorted(answer.status_code for answer in answers) == [202, 409, 409, 409]
    (made,) = await entries(api)
    assert made["state"] == "made"
    where = f"/v1/backups/{made['id']}/verify"
    manifest = Path(str(made["folder"])) / MANIFEST
    content = manifest.read_bytes()
    manifest.unlink()
    os.mkfifo(manifest)
    try:  # who reads it waits for what is written into it
        answers = await asyncio.gather(*(api.client.post(where) for _ in range(4)))
    finally:
        await asyncio.to_thread(manifest.write_bytes, content)
    assert sorted(answer.status_code for answer in answers) == [202, 409, 409, 409]
    await entries(api)


async def test_what_cannot_be_made_says_why(api: Api, tmp_path: Path) -> None:
    """A folder that is there, one within what is copied, a path that is none."""
    for folder in (tmp_path, api.line.house.settings.secrets / "copy"):
        await api.client.post("/v1/backups", json={"folder": str(folder)})
        await entries(api)  # one is made at a time
    inside, there = await entries(api)
    assert (inside["state"], there["state"]) == ("failed", "failed")
    assert "would be part of itself" in str(inside["fault"])
    assert "is there already" in str(there["fault"])
    assert (await api.client.post("/v1/backups", json={"folder": "here"})).status_code == 422
    where = f"/v1/backups/{there['id']}/verify"
    assert (await api.client.post(where)).status_code == 409
    assert (await api.client.post("/v1/backups/none/verify")).status_code == 404
