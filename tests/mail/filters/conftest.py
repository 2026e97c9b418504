"""The filters of others, started once for the tests of a folder."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from data.records.core.envelope import Channel, Envelope
from tests.mail.filters.daemons import RspamdDaemon, SpamdDaemon, missing


@pytest.fixture(scope="session")
def spamd() -> Iterator[SpamdDaemon]:
    """SpamAssassin's daemon."""
    if why := missing(SpamdDaemon.program):
        pytest.skip(f"{why} (package spamd)")
    server = SpamdDaemon()
    try:
        yield server.start()
    finally:
        server.remove()


@pytest.fixture(scope="session")
def rspamd() -> Iterator[RspamdDaemon]:
    """The controller of rspamd."""
    if why := missing(RspamdDaemon.program):
        pytest.skip(f"{why} (package rspamd)")
    server = RspamdDaemon()
    try:
        yield server.start()
    finally:
        server.remove()


def envelope(**given: object) -> Envelope:
    """Return how a message came in, over SMTP from somewhere."""
    fields: dict[str, object] = {
        "spool_id": "7",
        "channel": Channel.SMTP,
        "received_at": datetime.now(UTC),
        "mail_from": "gorse@heron.example",
        "rcpt_to": ("hello@teasel.example",),
        "peer": "192.0.2.7",
        "helo": "mx.heron.example",
        "size_bytes": 400,
        "sha256": "0" * 64,
    }
    return Envelope.model_validate(fields | given)
