"""The SMTP receiver: a guarded gate in front of the spool."""

from connectors.receiver.limits import Limits
from connectors.receiver.processes import run_receiver
from connectors.receiver.server import serve

__all__ = ["Limits", "run_receiver", "serve"]
