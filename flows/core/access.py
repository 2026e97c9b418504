"""Users and tokens that the engine makes on its first start."""

import asyncio
import logging

from connectors import disk
from data.store.core import control, users
from flows.core.house import House

log = logging.getLogger("postern.access")
OPERATOR = "operator.token"


async def ensure_users(house: House) -> None:
    """Make users of the people of organizations that were there before users were."""
    for organization in await house.control.read(control.list_organizations):
        await house.control.write(users.adopt_people, organization, house.clock())


async def ensure_tokens(house: House) -> None:
    """Make the first administrator's token, and keep it where only this account can read it.

    The file lets the command line and `postern up` talk to the engine; the state holds a hash.
    """
    path = house.settings.secrets / OPERATOR
    if await house.control.read(control.has_tokens) and path.exists() and path.stat().st_size:
        return
    token = await house.control.write(control.add_token, "admin", "admin", None, house.clock())
    await asyncio.to_thread(disk.write_durably, path.parent, path.name, token.encode())
    log.info("made the administrator's token; it is kept in %s", path)
