"""The deployments of `prefect.yaml`, made known to Prefect when the engine starts."""

from pathlib import Path
from typing import Any

import yaml

from data.errors import ManifestError
from data.records.record import Record

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


def declared(file: Path = FILE) -> dict[str, Declared]:
    """Return the deployments of the file by name.

    Raises:
        ManifestError: the file is missing or names what is not there.

    """
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        found = [Declared.model_validate(entry) for entry in content["deployments"]]
    except (OSError, KeyError, ValueError, yaml.YAMLError) as error:
        raise ManifestError(f"{str(file)!r} cannot be used: {error}; restore it") from error
    return {deployment.name: deployment for deployment in found}


async def apply_deployments() -> list[str]:
    """Make every deployment known to the Prefect server; return their names."""
    from prefect.client.schemas.schedules import construct_schedule  # slow import
    from prefect.types.entrypoint import EntrypointType
    from prefect.utilities.importtools import import_object

    names = []
    for deployment in declared().values():
        flow = import_object(deployment.entrypoint)
        made = await flow.ato_deployment(
            name=deployment.name,
            description=deployment.description,
            tags=list(deployment.tags),
            work_pool_name=deployment.work_pool["name"],
            schedules=[construct_schedule(**given) for given in deployment.schedules] or None,
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        await made.aapply()
        names.append(deployment.name)
    return names
