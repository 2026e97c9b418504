"""What comes with an import: tasks bring nothing of the outside world."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_tasks_import_no_outside_world() -> None:
    """Importing every stage brings in no orchestration, database, network or window."""
    program = """
import pkgutil, importlib, sys, tasks
for found in pkgutil.walk_packages(tasks.__path__, "tasks."):
    importlib.import_module(found.name)
outside = {"prefect", "duckdb", "lancedb", "httpx", "aiosmtpd", "streamlit", "fastapi", "dlt"}
print(*sorted(outside & set(sys.modules)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == []
