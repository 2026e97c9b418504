"""Figures, printed: they depend on the machine, so each stands beside a peer or a share."""

import os

from flows.core.services import ONE_THREAD

os.environ.update(ONE_THREAD)  # as the service has it; before numpy is loaded
