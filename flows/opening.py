"""Opening a house as an engine needs it: what the core and the mail line work with, at once."""

from collections.abc import Callable
from datetime import datetime

from data.settings import Settings
from flows.core.house import House, utc_now
from flows.mail.line.mailroom import mailroom_of


async def open_house(settings: Settings, clock: Callable[[], datetime] = utc_now) -> House:
    """Make every part at once: a wrong setting ends the start.

    Raises:
        SettingsError: a setting asks for what is not there.
        StoreBusyError: another process holds the state.

    """
    house = House(settings, clock)
    house.make_all_parts()
    mailroom_of(house).make_all_parts()
    await house.publish_routes()
    return house
