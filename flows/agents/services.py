"""HTTP services of the organization's as tools: declared in the policy, credentials by name."""

import logging
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints, create_model

from connectors.http_service import HttpServiceClient, NoAnswerError
from data.errors import OutsidePermanentError, SettingsError
from data.records.core.organization import HttpService
from data.records.core.principals import Permission
from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    Effect,
    Item,
    ToolDeclaration,
    ToolResult,
    Trust,
)
from data.tool_names import GROUP_NAMES
from flows.core.credentials import locate_key_file, read_key_file
from flows.core.tools import Calling, Tool, Toolbox, UnknownOutcomeError
from flows.core.workspace import Workspace

log = logging.getLogger("postern.agents")
GROUP = "services"
_LONGEST = 2_000
"""Letters of a value."""


def add_services(tools: Toolbox, workspace: Workspace) -> Toolbox:
    """Return tools together with the services of an organization.

    A name that is taken stays: it is refused where it is declared, and the health report tells of
    those that were declared before.
    """
    services = {service.name: service for service in workspace.policy.services}
    return tools.combine_with(
        build_service_tool(service)
        for service in services.values()
        if service.name not in tools and service.name not in GROUP_NAMES
    )


@lru_cache(maxsize=256)
def build_service_tool(service: HttpService) -> Tool:
    """Return the tool that a service is.

    What it answers is words of others. One that only reads is there for whoever may look; one that
    changes something has an effect outside, so each call waits for a person.
    """
    changes = service.changes
    return Tool(
        ToolDeclaration(
            name=service.name,
            group=GROUP,
            description=service.description,
            effect=Effect.OUTSIDE if changes else Effect.NONE,
            labels=OF_STRANGERS,
            trust=Trust.ELEVATED if changes else Trust.READ,
            permission=Permission.DECIDE if changes else Permission.SEE,
            approval=changes,
            goes_to=f"{service.method} {service.url}",
        ),
        _build_parameters(service),
        _build_call(service),
    )


def _build_parameters(service: HttpService) -> type[Record]:
    """Return the record of a service's parameters: texts, each bounded."""
    text = Annotated[str, StringConstraints(min_length=1, max_length=_LONGEST)]
    fields = {
        parameter.name: (text, Field(description=parameter.description))
        if parameter.required
        else (text | None, Field(default=None, description=parameter.description))
        for parameter in service.parameters
    }
    return create_model(f"Of_{service.name}", __base__=Record, **fields)  # type: ignore[call-overload,no-any-return]


def _read_key(service: HttpService, folder: Path) -> str:
    """Return the key of a service; where it stands is the log's to tell, not the agent's.

    Raises:
        OutsidePermanentError: there is none that can be sent.

    """
    path = locate_key_file(folder, service.credential)
    try:
        key = read_key_file(path, f"put the key of service {service.name!r} there")
    except SettingsError as error:
        log.warning("%s", error)
        key = ""
    if not key or not key.isprintable():
        raise OutsidePermanentError(
            f"the key {service.credential!r} of {service.name!r} is missing, or is not one line; "
            "nothing was sent"
        )
    return key


def _build_call(service: HttpService) -> Callable[[Calling, Record], Awaitable[ToolResult]]:
    async def call(calling: Calling, record: Record) -> ToolResult:
        settings = calling.house.settings
        key = _read_key(service, settings.secrets / "services") if service.credential else ""
        client = HttpServiceClient(allow_private=settings.endpoint_allow_private)
        values = {name: str(value) for name, value in record if value is not None}
        try:
            text = await client.call(service, values, key, calling.key)
        except NoAnswerError as error:
            if not service.changes:
                raise
            raise UnknownOutcomeError(f"{error}. Nobody knows whether it was done.") from error
        title = f"{service.name} answered" if text.strip() else f"{service.name}: done"
        return ToolResult(items=(Item(title=title, text=text),), total=1)

    return call
