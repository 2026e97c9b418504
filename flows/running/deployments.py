"""The deployments of `prefect.yaml`, made known to Prefect when the engine starts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from data.errors import ManifestError
from data.records.core.record import Record

if TYPE_CHECKING:
    from prefect.client.orchestration import PrefectClient

POOL = "postern"
FILE = Path(__file__).resolve().parents[2] / "prefect.yaml"


class Declared(Record):
    """One deployment of the file."""

    name: str
    entrypoint: str
    description: str = ""
    tags: tuple[str, ...] = ()
    work_pool: dict[str, str]
    schedules: tuple[dict[str, Any], ...] = ()
    """Arguments of Prefect's `construct_schedule`, which checks them."""


def declared(file: Path = FILE) -> dict[str, Declared]:
    """Return the deployments that the file declares, by name.

    Raises:
        ManifestError: the file is missing, or its content is not that of deployments.

    """
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        declarations = [Declared.model_validate(entry) for entry in content["deployments"]]
    except (OSError, KeyError, TypeError, ValueError, yaml.YAMLError) as error:
        raise ManifestError(f"{str(file)!r} cannot be used: {error}; restore it") from error
    return {deployment.name: deployment for deployment in declarations}


async def apply_deployments() -> list[str]:
    """Make every deployment known to the Prefect server; return their names.

    A schedule of the file is what a deployment begins with. Once it is made its schedules are the
    server's, where people change and pause them, and are left as they are.
    """
    from prefect.client.orchestration import get_client  # slow import

    names = []
    async with get_client() as client:
        for deployment in declared().values():
            await _apply(client, deployment)
            names.append(deployment.name)
    return names


async def _apply(client: "PrefectClient", deployment: Declared) -> None:
    from prefect.client.schemas.actions import DeploymentUpdate
    from prefect.client.schemas.schedules import construct_schedule
    from prefect.exceptions import ObjectNotFound
    from prefect.types.entrypoint import EntrypointType
    from prefect.utilities.callables import parameter_schema
    from prefect.utilities.importtools import import_object

    flow = import_object(deployment.entrypoint)
    deployment_made = await flow.ato_deployment(
        name=deployment.name,
        description=deployment.description,
        tags=list(deployment.tags),
        work_pool_name=deployment.work_pool["name"],
        schedules=[construct_schedule(**schedule) for schedule in deployment.schedules] or None,
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    try:
        there = await client.read_deployment_by_name(f"{flow.name}/{deployment.name}")
    except ObjectNotFound:
        await deployment_made.aapply()
        return
    # `aapply` would put the schedules of the file in the place of those that are there.
    fresh = deployment_made.model_dump(include={"description", "tags", "version", "entrypoint"})
    schema = parameter_schema(flow).model_dump_for_openapi()
    await client.update_deployment(
        there.id, DeploymentUpdate(**fresh, parameter_openapi_schema=schema)
    )
