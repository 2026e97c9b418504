"""Figures, printed: they depend on the machine, so each stands beside a peer or a share."""

import os

from data.one_thread import ONE_THREAD

os.environ.update(ONE_THREAD)  # as the service has it; before numpy is loaded
