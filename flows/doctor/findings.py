"""`postern doctor`: one finding per thing that can be wrong, with what to do about it."""

from collections.abc import Callable, Iterator

from data.errors import PosternError
from data.records.core.health import HealthFinding
from data.settings import Settings
from flows.health.machine import CHECKS


def examine(settings: Settings) -> list[HealthFinding]:
    """Run every check; a check that meets an expected failure reports it."""
    checks: list[tuple[str, Callable[[Settings], Iterator[HealthFinding]]]] = [
        *((check.__name__.removeprefix("check_"), check) for check in CHECKS),
        ("organizations", _organizations),
        ("processes", _processes),
        ("state", _state),
    ]
    findings = []
    for name, check in checks:
        try:
            findings += list(check(settings))
        except PosternError as error:
            findings.append(HealthFinding.of(name, "fail", f"{error}."))
    return findings


def _organizations(settings: Settings) -> Iterator[HealthFinding]:
    from flows.operating.engine_api import Engine
    from flows.operating.organizations import known_organizations, no_organization

    with Engine.open(settings) as engine:
        organizations = known_organizations(engine)
    if organizations:
        slugs = ", ".join(organization.slug for organization in organizations)
        yield HealthFinding.of("organizations", "ok", f"{len(organizations)}: {slugs}.")
    else:
        remedy = f"{no_organization()[0].upper()}{no_organization()[1:]}."
        yield HealthFinding.of("organizations", "warn", "None.", remedy)


def _processes(settings: Settings) -> Iterator[HealthFinding]:
    """Look at each port: ours listens, nobody does, or a stranger does."""
    from flows.operating.engine_api import Engine
    from flows.operating.status_report import PROCESSES, _listens, _prefect_answers

    answers = {
        "engine": lambda: Engine.find(settings) is not None,
        "prefect": lambda: _prefect_answers(settings),
    }
    for name, port in PROCESSES.items():
        if not _listens(settings, port):
            yield HealthFinding.of(
                name, "warn", "Does not run.", f"`postern up` starts it on {port!r}."
            )
        elif answers.get(name, lambda: True)():
            yield HealthFinding.of(name, "ok", f"Runs on port {getattr(settings, port)}.")
        else:
            yield HealthFinding.of(
                name,
                "fail",
                f"Something else answers on port {getattr(settings, port)}.",
                f"Stop it, or set {port!r} to a free port.",
            )


def _state(settings: Settings) -> Iterator[HealthFinding]:
    """Ask the engine what it finds, or look at the state where none runs.

    Others are asked by it too, because some settings are kept in Postern and stand in no file.
    """
    from data.records.core.health import HealthReport
    from flows.operating.engine_api import Engine

    with Engine.open(settings) as engine:
        report = engine.get("/v1/health", machine=False, outside=True)
    answer = HealthReport.model_validate(report)
    general = {"running", "outside"}
    several = len({finding.group for finding in answer.findings} - general) > 1
    for finding in answer.findings:
        names_organization = several and finding.group not in general
        name = f"{finding.name} {finding.group}" if names_organization else finding.name
        yield finding.model_copy(update={"name": name})
