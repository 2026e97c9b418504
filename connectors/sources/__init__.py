"""An organization's own files, loaded into its database, and read back as records.

`load_sources` brings the database up to what the folder says; the `read_*` functions return
what is loaded. dlt does the loading and is imported only when something has changed, because it
takes a second and 100 MB; its telemetry is switched off for the whole process before that.
"""

import os

os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ.setdefault("RUNTIME__LOG_LEVEL", "CRITICAL")  # failures are raised, not printed

from connectors.sources.loading import LoadReport, load_sources
from connectors.sources.stored import (
    loaded_versions,
    read_accounts,
    read_contacts,
    read_history,
    read_knowledge,
    read_policy,
    read_saved_replies,
)

__all__ = [
    "LoadReport",
    "load_sources",
    "loaded_versions",
    "read_accounts",
    "read_contacts",
    "read_history",
    "read_knowledge",
    "read_policy",
    "read_saved_replies",
]
