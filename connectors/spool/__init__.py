"""The spool: accepted messages as files, until intake has committed them."""

from connectors.spool.failures import (
    SpoolBusyError,
    SpoolDamagedError,
    SpoolFullError,
    SpoolUnhealthyError,
)
from connectors.spool.folder import Spool, SpoolEntry
from connectors.spool.writer import SpoolWriter

__all__ = [
    "Spool",
    "SpoolBusyError",
    "SpoolDamagedError",
    "SpoolEntry",
    "SpoolFullError",
    "SpoolUnhealthyError",
    "SpoolWriter",
]
