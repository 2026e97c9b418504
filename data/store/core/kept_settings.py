"""Settings that are kept in Postern, in the control state; every change is kept.

A value of None says that the setting is kept no longer from then on.
"""

from collections.abc import Mapping
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

import orjson

from data.errors import NotFoundError
from data.records.core.kept_settings import SettingsVersion
from data.store.core.database import Connection
from data.store.core.statements import insert, records

KeptValues = dict[str, object]
"""Values by the name of the setting."""


def read_kept(cursor: Connection) -> KeptValues:
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


class _SettingRow(NamedTuple):
    """One setting of one change."""

    number: int
    name: str
    value: str
    author: str
    written_at: datetime


def list_versions(cursor: Connection) -> tuple[SettingsVersion, ...]:
    """Return what was kept after each change, the newest first.

    What one person has changed at one moment is one version.
    """
    listed = records(cursor, _SettingRow, "SELECT * FROM kept_settings ORDER BY number")
    values: KeptValues = {}
    versions: list[SettingsVersion] = []
    for (written_at, author), group in groupby(listed, lambda row: (row.written_at, row.author)):
        changes = {row.name: orjson.loads(row.value) for row in group}
        together = values | changes
        values = {name: together[name] for name in sorted(together) if together[name] is not None}
        versions.append(
            SettingsVersion(
                number=len(versions) + 1,
                values=values,
                changed=tuple(sorted(changes)),
                author=author,
                written_at=written_at,
            )
        )
    return tuple(reversed(versions))


def read_version(cursor: Connection, number: int) -> SettingsVersion:
    """Return one version.

    Raises:
        NotFoundError: there is none of that number.

    """
    for version in list_versions(cursor):
        if version.number == number:
            return version
    raise NotFoundError(f"the settings have no version {number}; `postern settings versions` lists")
