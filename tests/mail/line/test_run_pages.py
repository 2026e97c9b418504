"""What the page of a flow run says: a line for each stage, and a table that leads to the cases."""

import asyncio
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterName,
    FlowRunFilterStartTime,
    LogFilter,
)
from prefect.client.schemas.filters import LogFilterFlowRunId as OfRun
from prefect.client.schemas.objects import FlowRun, Log
from prefect.client.schemas.sorting import ArtifactSort, FlowRunSort, LogSort

from data.settings import load_settings
from flows.core.bindings import CASE_STAGES, INTAKE_STAGES
from flows.core.prefect_env import build_prefect_environment
from tests.core.running.prefect_server import Server
from tests.core.small import SLUG

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("prefect"),
    pytest.mark.timeout(1200),
    # Prefect's client leaves sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def worked(home: Path, server: Server) -> dict[str, str]:
    """Take a mail through the line in a process with the engine's environment."""
    environment = build_prefect_environment(load_settings(home=home, prefect_port=int(server.port)))
    ours = {"POSTERN_PREFECT_PORT": server.port, "POSTERN_UI_PORT": "8599"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.mail.line.one_round", str(home)],
        env=os.environ | environment | ours,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "of 1 done" not in done.stderr  # nor does the console repeat what the page says
    case: dict[str, str] = json.loads(done.stdout.strip().splitlines()[-1])
    return case


async def run_named(name: str, since: datetime) -> FlowRun:
    """Return the one flow run of that name that began since then."""
    these = FlowRunFilter(
        name=FlowRunFilterName(any_=[name]), start_time=FlowRunFilterStartTime(after_=since)
    )
    async with get_client() as client:
        (run,) = await client.read_flow_runs(
            flow_run_filter=these, sort=FlowRunSort.START_TIME_DESC
        )
    return run


async def logged(run: FlowRun) -> list[Log]:
    """Return the lines on a run's page, oldest first."""
    async with get_client() as client:
        return await client.read_logs(
            LogFilter(flow_run_id=OfRun(any_=[run.id])), sort=LogSort.TIMESTAMP_ASC, limit=100
        )


async def test_a_page_tells_stages_and_cases_and_no_text_of_mail(
    tmp_path: Path, prefect_server: Server
) -> None:
    """Each stage has one line in the log; the table has verdict to outcome and the case's link."""
    began = datetime.now(UTC)
    case = await asyncio.to_thread(worked, tmp_path / "var", prefect_server)
    runs = {flow: await run_named(f"{flow} {SLUG} × 1", began) for flow in ("intake", "inbound")}
    for flow, stages in (("intake", INTAKE_STAGES), ("inbound", CASE_STAGES)):
        lines = [line.message for line in await logged(runs[flow])]
        for stage in stages:
            about = [line for line in lines if line.startswith(f"{stage}: ")]
            assert len(about) == 1, lines
            assert about[0].startswith(f"{stage}: 1 of 1 done in "), about
        assert not any("4711" in line or "heron" in line for line in lines)
    async with get_client() as client:
        tables = await client.read_artifacts(limit=10, sort=ArtifactSort.CREATED_DESC)
    table = next(one for one in tables if one.key == f"inbound-{SLUG}")
    link = f"http://127.0.0.1:8599/review?case={case['case']}"
    assert table.description == f"1 case of Teasel Looms\n\n[{case['case']}]({link})"
    (row,) = json.loads(str(table.data)) if isinstance(table.data, str) else table.data
    assert row["verdict"] == "clean"
    assert row["category"] == "support"
    assert row["outcome"] == "review"
    assert 0 < row["quality"] <= 1
    assert row["link"] == link
    assert "4711" not in str(table.data)
    assert case["run_url"].endswith(f"/runs/flow-run/{runs['inbound'].id}")
