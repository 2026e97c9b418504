"""Allowances and blocks: through the engine when it runs, else in the state itself."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from data.records.mail.orders import Allow
from data.settings import Settings
from data.store.core.database import Connection, Database
from data.store.mail import decisions
from flows.mail.people import allowing, claiming, undoing
from flows.operating.control_state import organization_named
from flows.operating.engine_api import Engine
from flows.operating.given import command_line_principal
from ui.screen_words import RULES


def known_senders(settings: Settings, slug: str | None) -> list[dict[str, str]]:
    """Return every allowance and block: `what`, `sender`, `rule`, `by`, `id`.

    Raises:
        NotFoundError: there is no such organization.
        StoreBusyError: an engine holds the state and does not answer.

    """
    organization = organization_named(settings, slug)
    engine = Engine.find(settings)
    if engine is not None:
        root = f"/v1/{organization.slug}"
        allowances = engine.get(f"{root}/allowances")["items"]
        blocks = engine.get(f"{root}/blocks")["items"]
    else:
        allowances, blocks = asyncio.run(_ask(settings, organization.slug, _listed))
    return [
        *(
            {
                "what": "allowed",
                "sender": row["sender"],
                "rule": row["rule"],
                "by": row["created_by"],
                "id": row["id"],
            }
            for row in allowances
        ),
        *(
            {
                "what": "blocked",
                "sender": row["pattern"],
                "rule": "",
                "by": row["created_by"],
                "id": "",
            }
            for row in blocks
        ),
    ]


def change_senders(
    settings: Settings, slug: str | None, action: str, given: Mapping[str, str]
) -> None:
    """Do one of `allow` (`rule`, `sender`), `disallow` (`id`), `unblock` (`pattern`).

    Or `person` and its `undo`, which take a `message`.

    Raises:
        NotFoundError: there is no such organization, allowance or block.
        ConflictError: the rule cannot be allowed.

    """
    organization = organization_named(settings, slug)
    engine = Engine.find(settings)
    root = f"/v1/{organization.slug}"
    if engine is None:
        now, operator = datetime.now(UTC), command_line_principal()
        acts: dict[str, Callable[[Connection], object]] = {
            "allow": lambda c: allowing.allow_now(c, Allow.model_validate(given), operator, now),
            "disallow": lambda c: allowing.disallow_now(c, given["id"], operator, now),
            "unblock": lambda c: allowing.unblock_now(c, given["pattern"], operator, now),
            "person": lambda c: claiming.claim_now(c, given["message"], operator, now),
            "undo": lambda c: undoing.undo_now(c, given["message"], operator, now),
        }
        asyncio.run(_ask(settings, organization.slug, acts[action], writes=True))
    elif action == "allow":
        engine.post(f"{root}/allowances", dict(given))
    elif action in ("person", "undo"):
        engine.post(f"{root}/messages/{quote(given['message'], safe='')}/{action}", {})
    elif action == "disallow":
        engine.delete(f"{root}/allowances/{quote(given['id'], safe='')}")
    else:
        engine.delete(f"{root}/blocks/{quote(given['pattern'], safe='')}")


def rule_named(given: str) -> str:
    """Return the name of a rule that is called by it, or as the window calls it; else `given`."""
    shown = {words.casefold(): name for name, (words, _) in RULES.items()}
    return shown.get(given.strip().casefold(), given)


def _listed(cursor: Connection) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    return decisions.all_allowances(cursor), decisions.all_blocks(cursor)


async def _ask(
    settings: Settings, slug: str, work: Callable[[Connection], Any], *, writes: bool = False
) -> Any:  # noqa: ANN401  # what `work` returns
    path = settings.organizations / slug / "state.duckdb"
    database = await asyncio.to_thread(Database, path, "organization")
    try:
        return await (database.write(work) if writes else database.read(work))
    finally:
        database.close()
