"""Fetching an organization's account records before its files are loaded."""

import asyncio

from connectors.sources.account_service import fetch_records, write_fetched
from data.errors import ForbiddenError, ManifestError, OutsideError, SettingsError
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.endpoint_keys import read_key


async def fetch_accounts(house: House, workspace: Workspace) -> tuple[str, ...]:
    """Write what the policy's service of accounts says into the sources; return what was wrong.

    What was fetched before stays while it does not answer.
    """
    service = workspace.policy.accounts
    if service is None:
        return ()
    allow_private = house.settings.endpoint_allow_private
    try:
        key = await asyncio.to_thread(read_key, house.settings, service.secret)
        content = await fetch_records(
            service.url, key, allow_private=allow_private, now=house.clock()
        )
    except (OutsideError, SettingsError, ManifestError, ForbiddenError) as error:
        return (str(error),)
    await asyncio.to_thread(write_fetched, workspace.sources, content)
    return ()
