"""LanceDB, imported when it is first needed, for that takes seconds."""

import asyncio
import os
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any


async def connect(folder: Path) -> Any:  # noqa: ANN401  # LanceDB has no types here
    """Return a connection to the folder; raises what LanceDB does."""
    # It warns of each table that is made for the first time, on the operator's terminal.
    os.environ.setdefault("LANCEDB_LOG", "error")
    lancedb: Any = await asyncio.to_thread(import_module, "lancedb")
    # Zero: every search looks for the newest version, else a handle stays stale for ever.
    return await lancedb.connect_async(folder, read_consistency_interval=timedelta(seconds=0))
