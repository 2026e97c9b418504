"""Take one mail through the line as flow runs, in a process of its own, and say which case it made.

    python -m tests.mail.line.one_round HOME

Its environment is that of the engine, which Prefect reads when it is imported.
"""

import asyncio
import json
import sys
from pathlib import Path

from flows.core.current import set_house
from flows.running.inbound_round import inbound_round
from flows.running.loops import intake_round
from tests.core.small import open_line


async def main() -> None:
    """Send, work, and print the case with what the API says of it."""
    from flows.api.mail.review.case_view import case_view

    async with open_line(Path(sys.argv[1])) as line:
        set_house(line.house)
        line.send("When is the workshop open? My locker is number 4711.")
        await intake_round(line.house)
        await inbound_round(line.house)
        (row,) = await line.rows("SELECT id FROM cases")
        view = await case_view(line.house, line.workspace, str(row["id"]))
        set_house(None)
    print(json.dumps({"case": view.id, "run_url": view.run_url}))


if __name__ == "__main__":
    asyncio.run(main())
