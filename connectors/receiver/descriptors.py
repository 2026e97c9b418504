"""No more clients than there are file descriptors for: one that cannot be served hears 421."""

import contextlib
import logging
import resource
from dataclasses import replace

from connectors.receiver.limits import Limits

log = logging.getLogger("postern.receiver")

#: What the process itself needs: libraries, log, sockets, the spool's threads.
RESERVED = 40
#: A client's connection, and the file of its message.
EACH = 2
ENOUGH = 65_536


def raise_descriptor_limit() -> None:
    """Let this process have as many descriptors as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted_limit = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft < wanted_limit:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted_limit, hard))


def fit_to_descriptors(limits: Limits) -> Limits:
    """Return the limits with no more connections than the descriptors of this process allow."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return limits
    allowed = max(1, (soft - RESERVED) // EACH)
    if allowed < limits.connections:
        fields = {"allowed": allowed, "wanted": limits.connections, "descriptors": soft}
        log.warning("connections_reduced", extra={"fields": fields})
        return replace(limits, connections=allowed)
    return limits
