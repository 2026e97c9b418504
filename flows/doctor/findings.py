"""`postern doctor`: one finding per thing that can be wrong, with what to do about it."""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from data.errors import PosternError
from data.settings import Settings

Status = Literal["ok", "warn", "fail"]
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


@dataclass(frozen=True)
class DoctorFinding:
    """What one check found."""

    name: str
    status: Status
    sentence: str
    remedy: str = ""
    """What to do about it."""

    def as_dict(self) -> dict[str, str]:
        """Return it as JSON takes it."""
        return asdict(self)


def examine(settings: Settings) -> list[DoctorFinding]:
    """Run every check; a check that meets an expected failure reports it."""
    checks: list[tuple[str, Callable[[Settings], Iterator[DoctorFinding]]]] = [
        ("python", _python),
        ("packages", _packages),
        ("folders", _folders),
        ("disk", _disk),
        ("organizations", _organizations),
        ("policies", _policies),
        ("processes", _processes),
        ("mailboxes", _mailboxes),
        ("weights", _weights),
        ("telemetry", _telemetry),
        ("models", _models),
        ("filters", _filters),
        ("sending", _sending),
        ("signing", _signing),
        ("endpoints", _endpoints),
        ("audit", _audit),
    ]
    findings = []
    for name, check in checks:
        try:
            findings += list(check(settings))
        except PosternError as error:
            findings.append(DoctorFinding(name, "fail", f"{error}."))
    return findings


def _python(_: Settings) -> Iterator[DoctorFinding]:
    found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] in TRIED_PYTHONS:
        yield DoctorFinding("python", "ok", f"Python {found}.")
    else:
        remedy = "Tried with 3.11 to 3.13; use one of them if something fails."
        yield DoctorFinding("python", "warn", f"Python {found}.", remedy)


def _packages(_: Settings) -> Iterator[DoctorFinding]:
    for package, wanted in KEY_PACKAGES.items():
        name = f"package {package}"
        try:
            found = version(package)
        except PackageNotFoundError:
            yield DoctorFinding(name, "fail", "Not installed.", "Install from the lock file again.")
            continue
        if found.startswith(wanted):
            yield DoctorFinding(name, "ok", f"Version {found}.")
        else:
            sentence = f"Version {found}; tried with {wanted}x."
            yield DoctorFinding(name, "warn", sentence, "Install from the lock file.")


def _folders(settings: Settings) -> Iterator[DoctorFinding]:
    for name in ("home", "organizations", "logs", "secrets", "spool"):
        folder: Path = getattr(settings, name)
        yield _writable(f"folder {name}", folder)
    if settings.home.exists() and settings.home.stat().st_mode & 0o077:
        sentence = f"Other accounts of this machine may look into {str(settings.home)!r}."
        yield DoctorFinding("privacy", "warn", sentence, f"`chmod -R go= {settings.home}`.")


def _writable(name: str, folder: Path) -> DoctorFinding:
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
        return DoctorFinding(
            name, "fail", f"{str(place)!r} cannot be written: {why}.", "Give it to this account."
        )
    finally:
        with contextlib.suppress(OSError):
            probe.unlink()
    made = "" if folder.exists() else " (not made yet)"
    return DoctorFinding(name, "ok", f"{folder}{made} takes synced writes.")


def _disk(settings: Settings) -> Iterator[DoctorFinding]:
    place = settings.home
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    sentence = f"{free / (1 << 30):.1f} GiB free for {settings.home}."
    if free < NO_DISK:
        yield DoctorFinding(
            "disk", "fail", sentence, "Make room: the receiver refuses mail below 1 GiB."
        )
    elif free < LOW_DISK:
        yield DoctorFinding("disk", "warn", sentence, "Make room soon.")
    else:
        yield DoctorFinding("disk", "ok", sentence)


def _organizations(settings: Settings) -> Iterator[DoctorFinding]:
    from flows.operating.engine_api import Engine
    from flows.operating.organizations import known_organizations, no_organization

    with Engine.open(settings) as engine:
        known = known_organizations(engine)
    if known:
        slugs = ", ".join(one.slug for one in known)
        yield DoctorFinding("organizations", "ok", f"{len(known)}: {slugs}.")
    else:
        remedy = f"{no_organization()[0].upper()}{no_organization()[1:]}."
        yield DoctorFinding("organizations", "warn", "None.", remedy)


def _policies(settings: Settings) -> Iterator[DoctorFinding]:
    """Read the policy of each organization as `sync` would."""
    from flows.operating.engine_api import Engine
    from flows.operating.organization_folder import policy_of
    from flows.operating.organizations import known_organizations

    with Engine.open(settings) as engine:
        for organization in known_organizations(engine):
            name = f"policy {organization.slug}"
            try:
                policy = policy_of(engine, settings, organization.slug)
            except PosternError as error:
                remedy = "Until it is mended the one loaded before holds, or the default."
                yield DoctorFinding(name, "fail", f"{error}.", remedy)
            else:
                yield DoctorFinding(name, "ok", f"Mode {policy.mode!s}, version {policy.version}.")


def _processes(settings: Settings) -> Iterator[DoctorFinding]:
    """Look at each port: ours listens, nobody does, or a stranger does."""
    from flows.operating.engine_api import Engine
    from flows.operating.status_report import PROCESSES, _listens, _prefect_answers

    answers = {
        "engine": lambda: Engine.find(settings) is not None,
        "prefect": lambda: _prefect_answers(settings),
    }
    for name, port in PROCESSES.items():
        if not _listens(settings, port):
            yield DoctorFinding(
                name, "warn", "Does not run.", f"`postern up` starts it on {port!r}."
            )
        elif answers.get(name, lambda: True)():
            yield DoctorFinding(name, "ok", f"Runs on port {getattr(settings, port)}.")
        else:
            yield DoctorFinding(
                name,
                "fail",
                f"Something else answers on port {getattr(settings, port)}.",
                f"Stop it, or set {port!r} to a free port.",
            )


def _mailboxes(settings: Settings) -> Iterator[DoctorFinding]:
    """Look at how the last polls of IMAP mailboxes went, and whether passwords are there."""
    from flows.operating.engine_api import Engine
    from flows.operating.mailbox_orders import findings
    from flows.operating.organizations import known_organizations

    with Engine.open(settings) as engine:
        for organization in known_organizations(engine):
            yield from (DoctorFinding(*said) for said in findings(settings, engine, organization))


def _weights(_: Settings) -> Iterator[DoctorFinding]:
    from tasks.classify.classifying import LocalClassifier

    try:
        answer = LocalClassifier().classify("Where is the invoice of last month?", subject="")
    except (OSError, ValueError, KeyError) as error:
        yield DoctorFinding(
            "weights", "fail", f"The classifier cannot be loaded: {error}.", "Install again."
        )
        return
    yield DoctorFinding("weights", "ok", f"The classifier answers ({answer.category}).")


def _telemetry(settings: Settings) -> Iterator[DoctorFinding]:
    from flows.core.services import process_environment

    given = process_environment(settings)
    wanted = {
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "RUNTIME__DLTHUB_TELEMETRY": "false",
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
    }
    open_ = [name for name, value in wanted.items() if given.get(name, "").lower() != value]
    if open_:
        yield DoctorFinding(
            "telemetry", "fail", f"Not off: {', '.join(open_)}.", "Report this as a bug."
        )
    else:
        yield DoctorFinding("telemetry", "ok", "Off in every process that we start.")


def _models(settings: Settings) -> Iterator[DoctorFinding]:
    """Ask the provider for each model by name, without any mail; nobody is asked without one."""
    if settings.llm_provider == "local":
        yield DoctorFinding("models", "ok", "None: Postern thinks by itself, and asks nobody.")
        return
    from flows.mail.thinking.model_check import check_models

    for name, trouble, remedy in check_models(settings):
        status: Status = "fail" if trouble and remedy else "warn" if trouble else "ok"
        yield DoctorFinding(f"model {name}", status, trouble or "Answers by name.", remedy)


def _filters(settings: Settings) -> Iterator[DoctorFinding]:
    """Ask each spam filter of others whether it is there, without any mail."""
    from flows.doctor.filters import filter_findings

    for name, trouble in filter_findings(settings):
        if trouble:
            remedy = "Mail is screened without its word until it answers."
            yield DoctorFinding(f"filter {name}", "fail", f"{trouble}.", remedy)
        else:
            yield DoctorFinding(f"filter {name}", "ok", "Answers.")


def _sending(settings: Settings) -> Iterator[DoctorFinding]:
    if settings.stop_file.exists():
        yield DoctorFinding("sending", "warn", "Stopped.", "`postern resume-sending` releases it.")
    else:
        yield DoctorFinding("sending", "ok", f"On, by transport {settings.transport!r}.")


def _signing(settings: Settings) -> Iterator[DoctorFinding]:
    from flows.doctor.signing import signing_findings

    for status, sentence, remedy in signing_findings(settings):
        yield DoctorFinding("signing", status, sentence, remedy)


def _endpoints(settings: Settings) -> Iterator[DoctorFinding]:
    """Look for the key of every endpoint."""
    from data.records.core.organization import Route
    from flows.mail.leaving import endpoint_keys
    from flows.operating.engine_api import Engine

    with Engine.open(settings) as engine:
        known = [Route.model_validate(item) for item in engine.get("/v1/routes")]
    for route in known:
        if not route.url:
            continue
        try:
            endpoint_keys.read_key(settings, route.secret)
        except PosternError as error:
            yield DoctorFinding("endpoint", "fail", f"{route.pattern}: {error}.")
        else:
            yield DoctorFinding("endpoint", "ok", f"{route.pattern} is forwarded to {route.url}.")


def _audit(settings: Settings) -> Iterator[DoctorFinding]:
    from flows.doctor.audit import audit_findings

    for name, status, sentence, remedy in audit_findings(settings):
        yield DoctorFinding(name, status, sentence, remedy)
