"""Everything that the engine can say of an installation, as one report."""

import asyncio
from collections.abc import Iterable, Mapping

from data.errors import PosternError
from data.records.core.health import HealthFinding, HealthReport
from flows.core.house import House
from flows.health.machine import machine_findings
from flows.health.outside_services import outside_findings
from flows.health.state import house_findings, organization_findings


async def look_at_installation(
    house: House, loops: Mapping[str, str], *, machine: bool = True, outside: bool = False
) -> HealthReport:
    """Look at everything; what fails as expected is a finding.

    Args:
        house: the engine's house.
        loops: by name what the last round of a loop ran into.
        machine: whether the machine, its folders and packages are looked at.
        outside: whether model providers, spam filters and a resolver are asked, which may take
            as long as they take.

    """
    settings = house.settings
    findings: list[HealthFinding] = []
    if machine:
        findings += _add_group("machine", await asyncio.to_thread(machine_findings, settings))
    findings += _add_group("running", await house_findings(house, loops))
    for workspace in await house.list_workspaces():
        slug = workspace.slug
        try:
            findings += _add_group(slug, await organization_findings(house, workspace))
        except PosternError as error:
            findings += _add_group(slug, [HealthFinding.of("state", "fail", f"{error}.")])
    findings += [
        HealthFinding.of(
            "state",
            "fail",
            f"{unopened.why}. Its mail is accepted and waits.",
            "Mend what it says; it is taken up again by itself, without a restart.",
        ).model_copy(update={"group": slug})
        for slug, unopened in house.unopened.items()
    ]
    if outside:
        organizations = [workspace.organization for workspace in await house.list_workspaces()]
        findings += _add_group(
            "outside", await asyncio.to_thread(outside_findings, settings, organizations)
        )
    return HealthReport(looked_at=house.clock(), outside=outside, findings=tuple(findings))


def _add_group(group: str, findings: Iterable[HealthFinding]) -> list[HealthFinding]:
    return [finding.model_copy(update={"group": group}) for finding in findings]
