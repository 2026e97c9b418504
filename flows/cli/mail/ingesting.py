"""Taking stored mail into the spool, in batches, with a progress bar."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from connectors.mail_files import (
    count_messages,
    delivered_to,
    envelope_sender,
    iter_messages,
    written_to,
)
from connectors.routes import RoutesMissingError, RouteTable
from connectors.spool import Spool, SpoolBusyError
from data.errors import NotFoundError
from data.records.core.envelope import Channel
from data.records.core.organization import Route
from data.settings import Settings
from flows.operating.command_context import console

BATCH_MESSAGES, BATCH_BYTES = 256, 16_000_000
"""Messages, and bytes of them, from which on a batch is put into the spool."""
PATIENCE = 60.0
"""Seconds without progress after which a full spool is an error."""
MOST_ADDRESSES = 20
"""Recipients of one message; those named behind them do not count."""


@dataclass(frozen=True)
class IngestRecipients:
    """Who stored mail is for."""

    routes: RouteTable
    organization: str | None
    fallback: str
    """Where a message goes that names none of our addresses."""
    fixed: bool
    """Whether every message goes there, whatever it names."""

    @classmethod
    def of(cls, settings: Settings, organization: str | None, to: str | None) -> Self:
        """Return who the mail is for.

        Raises:
            NotFoundError: there is no organization, or no route for the address.

        """
        routes = RouteTable.load(settings.routes_file)
        fallback = to or _first_address(settings, organization)
        route = _find_route(routes, fallback)
        if route is None or organization not in (None, route.organization):
            raise NotFoundError(
                f"no organization answers for {fallback!r}; "
                "`postern organization list` shows the addresses there are"
            )
        return cls(routes, organization or route.organization, fallback, fixed=to is not None)

    def of_message(self, raw: bytes) -> list[str]:
        """Return the recipients of a message: the organization's addresses that its header names.

        They are at most `MOST_ADDRESSES`, and where there are none, or all mail goes to one
        address, the fallback alone.
        """
        if self.fixed:
            return [self.fallback]
        addresses_named = dict.fromkeys((*delivered_to(raw), *written_to(raw)))
        ours = [address for address in addresses_named if self._is_ours(address)]
        return ours[:MOST_ADDRESSES] or [self.fallback]

    def _is_ours(self, address: str) -> bool:
        route = self.routes.match(address)
        return route is not None and route.organization == self.organization


@dataclass
class Ingested:
    """What was taken in, and what was not."""

    count: int = 0
    """Messages that are in the spool."""
    bytes: int = 0
    seconds: float = 0.0
    by_address: Counter[str] = field(default_factory=Counter)
    """Messages for each recipient."""
    left_out: list[str] = field(default_factory=list)
    """Name and reason of each message that was not taken."""


def ingest_paths(
    settings: Settings, paths: Sequence[Path], recipients: IngestRecipients
) -> Ingested:
    """Take every message under `paths` into the spool; durable when it returns.

    Raises:
        NotFoundError: a path does not exist; what came before it was taken.
        SpoolError: the spool takes no more; what came before was taken.

    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    spool, ingested, began = Spool.from_settings(settings), Ingested(), time.monotonic()
    total = count_messages(paths)
    batch: list[tuple[bytes, str, Sequence[str]]] = []
    screen = console(err=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, disable=not screen.is_terminal) as progress:
        bar = progress.add_task("ingest", total=total)
        try:
            for name, raw in iter_messages(paths):
                if len(raw) > settings.message_size_limit:
                    ingested.left_out.append(f"{name}: larger than 'message_size_limit'")
                    continue
                batch.append((raw, envelope_sender(raw), recipients.of_message(raw)))
                if _is_full(batch):
                    _spool(spool, batch, ingested)
                    progress.update(bar, completed=ingested.count + len(ingested.left_out))
        finally:
            _spool(spool, batch, ingested)
            progress.update(bar, completed=ingested.count + len(ingested.left_out))
    ingested.seconds = time.monotonic() - began
    return ingested


def _is_full(batch: Sequence[tuple[bytes, str, Sequence[str]]]) -> bool:
    return len(batch) >= BATCH_MESSAGES or sum(len(raw) for raw, _, _ in batch) >= BATCH_BYTES


def _spool(spool: Spool, batch: list[tuple[bytes, str, Sequence[str]]], ingested: Ingested) -> None:
    """Put a batch into the spool, and empty it even where that fails: nothing is put twice."""
    messages = batch.copy()
    batch.clear()
    if not messages:
        return
    _wait_for_room(spool)
    spool.put_many(messages, channel=Channel.INGEST)
    ingested.count += len(messages)
    ingested.bytes += sum(len(raw) for raw, _, _ in messages)
    ingested.by_address.update(address for _, _, to in messages for address in to)


def _wait_for_room(spool: Spool) -> None:
    """Wait while a full spool is being emptied.

    Raises:
        SpoolBusyError: it is full, and nothing has been taken out of it for `PATIENCE` seconds.

    """
    least, since = spool.limit * 2, time.monotonic()
    while True:
        try:
            return spool.check()
        except SpoolBusyError:
            waiting = spool.waiting()
            if waiting < least:
                least, since = waiting, time.monotonic()
            if time.monotonic() - since > PATIENCE:
                raise
            time.sleep(0.5)


def _find_route(routes: RouteTable, address: str) -> Route | None:
    """Return the route of an address, None where there is none.

    Raises:
        NotFoundError: there is no organization yet.

    """
    try:
        return routes.match(address)
    except RoutesMissingError as error:
        from flows.operating.organizations import no_organization

        raise NotFoundError(no_organization()) from error


def _first_address(settings: Settings, organization: str | None) -> str:
    """Return the address by which an organization replies; of the only one where none is named."""
    from flows.operating.engine_api import Engine
    from flows.operating.organizations import organization_named

    with Engine.open(settings) as engine:
        return organization_named(engine, organization).addresses[0]
