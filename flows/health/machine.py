"""Checks that need no state: the machine, its folders, and what is installed."""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from data.records.core.health import HealthFinding
from data.settings import Settings

LOW_DISK, NO_DISK = 5 << 30, 1 << 30
"""Free bytes below which a person is warned, and below which the receiver refuses mail."""
TRIED_PYTHONS = ((3, 11), (3, 12), (3, 13))
KEY_PACKAGES = {
    "prefect": "3.9",
    "duckdb": "2.",
    "lancedb": "0.",
    "dlt": "1.",
    "polars": "2.",
    "pydantic": "2.",
    "streamlit": "1.",
    "google-re2": "",
}
"""Beginning of the version that this Postern was tried with, by package."""


def check_python(_: Settings) -> Iterator[HealthFinding]:
    """Look at the version of Python."""
    version_found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] in TRIED_PYTHONS:
        yield HealthFinding.of("python", "ok", f"Python {version_found}.")
    else:
        remedy = "Tried with 3.11 to 3.13; use one of them if something fails."
        yield HealthFinding.of("python", "warn", f"Python {version_found}.", remedy)


def check_packages(_: Settings) -> Iterator[HealthFinding]:
    """Look at the versions of the packages that most depends on."""
    for package, version_wanted in KEY_PACKAGES.items():
        name = f"package {package}"
        try:
            version_found = version(package)
        except PackageNotFoundError:
            yield HealthFinding.of(
                name, "fail", "Not installed.", "Install from the lock file again."
            )
            continue
        if version_found.startswith(version_wanted):
            yield HealthFinding.of(name, "ok", f"Version {version_found}.")
        else:
            sentence = f"Version {version_found}; tried with {version_wanted}x."
            yield HealthFinding.of(name, "warn", sentence, "Install from the lock file.")


def check_folders(settings: Settings) -> Iterator[HealthFinding]:
    """Look whether every folder takes synced writes, and whether others may look in."""
    for name in ("home", "organizations", "logs", "secrets", "spool"):
        folder: Path = getattr(settings, name)
        yield _writable(f"folder {name}", folder)
    if settings.home.exists() and settings.home.stat().st_mode & 0o077:
        sentence = f"Other accounts of this machine may look into {str(settings.home)!r}."
        yield HealthFinding.of("privacy", "warn", sentence, f"`chmod -R go= {settings.home}`.")


def _writable(name: str, folder: Path) -> HealthFinding:
    """Write and sync a file in the folder, or in the one it would be made in."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    probe = place / f".postern-doctor.{os.getpid()}"
    try:
        with probe.open("wb") as file:
            file.write(b"postern")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = error.strerror or str(error)
        return HealthFinding.of(
            name, "fail", f"{str(place)!r} cannot be written: {why}.", "Give it to this account."
        )
    finally:
        with contextlib.suppress(OSError):
            probe.unlink()
    pending_note = "" if folder.exists() else " (not made yet)"
    return HealthFinding.of(name, "ok", f"{folder}{pending_note} takes synced writes.")


def check_disk(settings: Settings) -> Iterator[HealthFinding]:
    """Look how much room is left."""
    place = settings.home
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    sentence = f"{free / (1 << 30):.1f} GiB free for {settings.home}."
    if free < NO_DISK:
        yield HealthFinding.of(
            "disk", "fail", sentence, "Make room: the receiver refuses mail below 1 GiB."
        )
    elif free < LOW_DISK:
        yield HealthFinding.of("disk", "warn", sentence, "Make room soon.")
    else:
        yield HealthFinding.of("disk", "ok", sentence)


def check_weights(_: Settings) -> Iterator[HealthFinding]:
    """Look whether the classifier that comes with Postern answers."""
    from tasks.mail.classify.classifying import LocalClassifier

    try:
        answer = LocalClassifier().classify("Where is the invoice of last month?", subject="")
    except (OSError, ValueError, KeyError) as error:
        yield HealthFinding.of(
            "weights", "fail", f"The classifier cannot be loaded: {error}.", "Install again."
        )
        return
    yield HealthFinding.of("weights", "ok", f"The classifier answers ({answer.category}).")


def check_telemetry(settings: Settings) -> Iterator[HealthFinding]:
    """Look whether every process that we start has telemetry switched off."""
    from flows.core.services import build_process_environment

    environment = build_process_environment(settings)
    wanted_values = {
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "RUNTIME__DLTHUB_TELEMETRY": "false",
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
    }
    names_not_off = [
        name for name, value in wanted_values.items() if environment.get(name, "").lower() != value
    ]
    if names_not_off:
        yield HealthFinding.of(
            "telemetry", "fail", f"Not off: {', '.join(names_not_off)}.", "Report this as a bug."
        )
    else:
        yield HealthFinding.of("telemetry", "ok", "Off in every process that we start.")


def check_sending(settings: Settings) -> Iterator[HealthFinding]:
    """Look at the kill switch."""
    if settings.stop_file.exists():
        yield HealthFinding.of(
            "sending", "warn", "Stopped.", "`postern resume-sending` releases it."
        )
    else:
        relay = f"{settings.relay_host}:{settings.relay_port}"
        ways = {
            "file": "Replies become files here, and reach nobody.",
            "smtp": f"On, over {relay}.",
        }
        yield HealthFinding.of("sending", "ok", ways[settings.transport])


CHECKS = (
    check_python,
    check_packages,
    check_folders,
    check_disk,
    check_weights,
    check_telemetry,
    check_sending,
)


def machine_findings(settings: Settings) -> list[HealthFinding]:
    """Run every check of the machine."""
    return [finding for check in CHECKS for finding in check(settings)]
