"""Everything that is held on one contact, as a file to hand out."""

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime

import orjson

from connectors.sources.forgetting import read_lines_on
from data.errors import NotFoundError
from data.records.mail.contacts import Holdings
from data.store.core import audit
from data.store.core.database import Connection
from data.store.core.statements import Fields
from data.store.mail import contact_data, contact_erasing
from data.store.mail.contact_scope import ContactScope, find_scope
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.holdings import holdings, nothing_on, read_kept


async def export_contact(house: House, workspace: Workspace, addresses: Sequence[str]) -> bytes:
    """Return everything held on a contact as a zip: JSON Lines by table, and mail as `.eml`.

    Raises:
        ManifestError: one is no mail address.
        NotFoundError: nothing is held.

    """
    holdings_told = await holdings(house, workspace, addresses)
    if holdings_told.nothing:
        raise NotFoundError(nothing_on(holdings_told))

    def pack(cursor: Connection) -> bytes:
        scope = find_scope(cursor, holdings_told.addresses)
        return _pack_holdings(cursor, scope, workspace, holdings_told, house.clock())

    return await workspace.db.read(pack)


def _pack_holdings(
    cursor: Connection,
    scope: ContactScope,
    workspace: Workspace,
    holdings_read: Holdings,
    now: datetime,
) -> bytes:
    """Return the zip of what `export_contact` promises, read within one cursor."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        about = {
            "organization": workspace.slug,
            "made_at": now,
            **holdings_read.model_dump(mode="json"),
        }
        archive.writestr("contact.json", orjson.dumps(about, option=orjson.OPT_INDENT_2))
        for table, rows_held in contact_data.list_held(cursor, scope):
            archive.writestr(f"{table.name}.jsonl", _json_lines(rows_held))
        audit_named = contact_erasing.list_naming_events(cursor, scope)
        events = audit.list_events(cursor, audit_named)
        if events:
            archive.writestr("audit_events.jsonl", _json_lines(events))
        for name in holdings_read.sources:
            archive.writestr(
                f"sources/{name}",
                "".join(read_lines_on(workspace.sources / name, scope.addresses)).encode(
                    "utf-8", "surrogateescape"
                ),
            )
        for folder, files in contact_data.list_contents(cursor, scope).items():
            for name, sha256 in files:
                raw = read_kept(workspace.archive, sha256)
                if raw is not None:
                    archive.writestr(f"{folder}/{name}", raw)
    return target.getvalue()


def _json_lines(row_fields: Sequence[Fields]) -> bytes:
    """Return rows as JSON Lines (one object a line), in UTF-8."""
    return b"".join(orjson.dumps(row, default=_as_text) + b"\n" for row in row_fields)


def _as_text(value: object) -> object:
    """Return what JSON has no form for: bytes in hexadecimal, all else as Python shows it."""
    return value.hex() if isinstance(value, bytes) else str(value)
