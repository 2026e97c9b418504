"""How Prefect is set for all our processes: its home, its server, and silence towards outside."""

import os

from data.settings import Settings


def prefect_environment(settings: Settings) -> dict[str, str]:
    """Return the environment variables that every process using Prefect runs with."""
    return {
        "PREFECT_HOME": str((settings.home / "prefect").resolve()),
        "PREFECT_API_URL": settings.prefect_url,
        "PREFECT_SERVER_API_HOST": settings.host,
        "PREFECT_SERVER_API_PORT": str(settings.prefect_port),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        "PREFECT_LOGGING_LEVEL": "WARNING",
        "PREFECT_LOGGING_TO_API_ENABLED": "false",
        "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
        "PREFECT_WORKER_QUERY_SECONDS": "2",
        "PREFECT_CLI_PROMPT": "false",
        "DO_NOT_TRACK": "1",
        "RUNTIME__DLTHUB_TELEMETRY": "false",
    }


def use_prefect_environment(settings: Settings) -> None:
    """Set these variables in this process; call it before Prefect is imported."""
    os.environ.update(prefect_environment(settings))
