"""The SMTP receiver: a guarded gate in front of the spool."""

from connectors.receiver.checking import check_receiver
from connectors.receiver.limits import Limits
from connectors.receiver.processes import run_receiver
from connectors.receiver.server import serve

__all__ = ["Limits", "check_receiver", "run_receiver", "serve"]
