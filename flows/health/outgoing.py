"""The way that approved replies leave: into files or over a relay, and whether that lets us in."""

import asyncio
from collections.abc import Collection

from connectors.authorities import read_authorities
from connectors.outbound.choosing import relay_from
from connectors.outbound.smtp_client import Timeouts
from data.errors import PosternError, UnfitError
from data.records.core.authorities import Authority
from data.records.core.setting_views import OutgoingView
from data.settings import Settings
from flows.core.kept_settings import OUTGOING, list_token_mailboxes

PATIENCE = 10.0
"""How long each answer of a relay that is only asked may take, seconds."""


async def look_at_outgoing(
    settings: Settings,
    changeable: Collection[str] = (),
    kept_names: Collection[str] = (),
    *,
    ask: bool = False,
) -> OutgoingView:
    """Return how replies leave; with `ask` the relay is signed in to, without mail.

    `changeable` are the settings that may be changed while Postern runs, `kept_names` those of
    which an administrator keeps a value.
    """
    view = OutgoingView(
        transport=settings.transport,
        folder=str(settings.home / "outgoing"),
        relay_host=settings.relay_host,
        relay_port=settings.relay_port,
        relay_user=settings.relay_user,
        relay_tls=settings.relay_tls,
        has_password=bool(settings.relay_password.get_secret_value()),
        relay_mailbox=settings.relay_mailbox,
        token_mailboxes=await asyncio.to_thread(list_token_mailboxes, settings),
        authorities=_authorities_of(settings),
        decided="transport" in settings.model_fields_set,
        changeable=set(OUTGOING) <= set(changeable),
        kept_here=tuple(name for name in OUTGOING if name in kept_names),
    )
    if not ask or settings.transport != "smtp":
        return view
    patience = Timeouts(connect=PATIENCE, greeting=PATIENCE, command=PATIENCE)
    try:
        await relay_from(settings, patience).ping()
    except PosternError as error:
        return view.model_copy(update={"answers": False, "trouble": f"{error}."})
    return view.model_copy(update={"answers": True})


def _authorities_of(settings: Settings) -> tuple[Authority, ...]:
    """Return what the relay is verified by beside the system; none where it cannot be read."""
    try:
        return read_authorities(settings.relay_ca) if settings.relay_ca else ()
    except UnfitError:  # a file may hold what the window would refuse
        return ()
