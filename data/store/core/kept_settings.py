"""Settings that are kept in Postern, in the control state; every change is kept.

A value of None says that the setting is kept no longer from then on.
"""

from collections.abc import Mapping
from datetime import datetime

import orjson

from data.store.core.database import Connection, insert

Kept = dict[str, object]
"""Values by the name of the setting."""


def read_kept(cursor: Connection) -> Kept:
    """Return what counts."""
    listed = cursor.execute(
        "SELECT name, value FROM kept_settings QUALIFY "
        "row_number() OVER (PARTITION BY name ORDER BY number DESC) = 1 ORDER BY name"
    ).fetchall()
    values = {name: orjson.loads(value) for name, value in listed}
    return {name: value for name, value in values.items() if value is not None}


def keep(cursor: Connection, values: Mapping[str, object], author: str, now: datetime) -> None:
    """Keep other values, which count from now on; None for those that are kept no longer."""
    ((last,),) = cursor.execute("SELECT coalesce(max(number), 0) FROM kept_settings").fetchall()
    insert(
        cursor,
        "kept_settings",
        [
            {
                "number": last + place,
                "name": name,
                "value": orjson.dumps(value).decode(),
                "author": author,
                "written_at": now,
            }
            for place, (name, value) in enumerate(sorted(values.items()), start=1)
        ],
    )
