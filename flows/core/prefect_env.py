"""Prefect's environment in all our processes: its home, its server, no word to the outside."""

import os
from pathlib import Path

import certifi

from data.settings import Settings


def build_prefect_environment(settings: Settings) -> dict[str, str]:
    """Return the environment variables that every process using Prefect runs with."""
    return {
        "PREFECT_HOME": str((settings.home / "prefect").resolve()),
        "PREFECT_API_URL": settings.prefect_url,
        "PREFECT_API_SSL_CERT_FILE": str(_make_one_certificate(settings.home / "prefect")),
        "PREFECT_SERVER_API_HOST": settings.host,
        "PREFECT_SERVER_API_PORT": str(settings.prefect_port),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        # Its SQLite is what flow runs wait for, so it writes in batches, and services that nothing
        # here uses (automations above all, which can lock SQLite up) stay off.
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "64",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
        "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "256",
        "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_FLUSH_INTERVAL": "5",
        "PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_CANCELLATION_CLEANUP_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_REPOSSESSOR_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_CLEANUP_RECONCILER_ENABLED": "false",
        # Old flow runs go with their logs and tables, each hour.
        "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": str(settings.prefect_days * 86_400),
        "PREFECT_SERVER_EVENTS_RETENTION_PERIOD": f"P{settings.prefect_days}D",
        "PREFECT_LOGGING_LEVEL": "WARNING",
        # A run's page has a line for each stage, sent in batches from a thread of Prefect's.
        "PREFECT_LOGGING_TO_API_ENABLED": "true",
        "PREFECT_LOGGING_LOGGERS_PREFECT_FLOW_RUNS_LEVEL": "INFO",
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "WARNING",
        "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
        "PREFECT_WORKER_QUERY_SECONDS": "2",
        "PREFECT_CLI_PROMPT": "false",
        "DO_NOT_TRACK": "1",
        "RUNTIME__DLTHUB_TELEMETRY": "false",
    }


def _make_one_certificate(folder: Path) -> Path:
    """Return a file that holds one certificate, made when it is missing; else all of `certifi`.

    Prefect's client reads the file three times a flow run, which with all of them costs 20 ms of
    processor time each, for an API that is asked over plain HTTP on this machine and shows none.
    """
    path, every = folder.resolve() / "certificate.pem", Path(certifi.where())
    if path.exists():
        return path
    end = "-----END CERTIFICATE-----"
    fresh = path.with_suffix(f".{os.getpid()}")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.write_text(f"{every.read_text('utf-8').partition(end)[0]}{end}\n", "utf-8")
        fresh.replace(path)
    except OSError:  # whoever starts anything there is told by what follows
        return every
    return path


def set_prefect_environment(settings: Settings) -> None:
    """Set these variables in this process; call it before Prefect is imported."""
    os.environ.update(build_prefect_environment(settings))
