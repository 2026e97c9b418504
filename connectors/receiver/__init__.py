"""The SMTP receiver: a guarded gate in front of the spool (RELIABILITY sections 1.2 to 1.4)."""

from connectors.receiver.limits import Limits
from connectors.receiver.server import run_receiver, serve

__all__ = ["Limits", "run_receiver", "serve"]
