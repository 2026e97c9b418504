"""The failures of the spool, each with the reply that a mail client gets (RFC 3463)."""

import errno
from typing import ClassVar

from data.errors import SpoolError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
#: Errors that say nothing about the disk: descriptors or memory ran out for a moment.
PASSING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


class SpoolFullError(SpoolError):
    """There is not enough free space to take another message."""

    reply: ClassVar[str] = "452 4.3.1 Insufficient system storage, try again later"


class SpoolBusyError(SpoolError):
    """Too many messages wait for intake."""

    reply: ClassVar[str] = "451 4.3.2 Too many messages are waiting, try again later"


class SpoolUnhealthyError(SpoolError):
    """The disk failed to keep what was written; refuses all until a write test succeeds."""

    reply: ClassVar[str] = "451 4.3.0 Local error, try again later"


class SpoolDamagedError(SpoolError):
    """A spool file is incomplete or altered; it was moved to `bad/`."""

    retryable = False


def reply_for(error: SpoolError) -> str:
    """Return the SMTP reply for a spool failure: always 4xx, and nothing about our insides."""
    return str(getattr(error, "reply", SpoolUnhealthyError.reply))


def from_os_error(error: OSError, doing: str) -> SpoolError:
    """Return the spool failure that stands for an error of the operating system."""
    if error.errno in FULL:
        return SpoolFullError(f"no space left while {doing}; free some on the spool's disk")
    if error.errno in PASSING:
        return SpoolError(f"{error.strerror} while {doing}; raise the limits of the process")
    return SpoolUnhealthyError(
        f"{error.strerror or error!r} while {doing}; check the disk that holds the spool"
    )
