"""An organization's own files, loaded into its database.

`load_sources` brings the database up to what the folder says; `data/store/core/loaded.py` reads it
back as records. dlt does the loading and is imported only when something has changed, because it
takes a second and 100 MB; its telemetry is switched off for the whole process before that.
"""

import os

os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ.setdefault("RUNTIME__LOG_LEVEL", "CRITICAL")  # failures are raised, not printed

from connectors.sources.loading import LoadReport, load_sources

__all__ = ["LoadReport", "load_sources"]
