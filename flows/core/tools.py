"""The registry of tools that agents call.

A slice offers its tools here, and agents find them by name; so agents reach mail without importing
it. What is called gets the organization, the person in whose name it is called, and arguments of
the type that the tool says.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from data.errors import ForbiddenError
from data.records.core.occasions import Occasion
from data.records.core.principals import Principal
from data.records.core.record import Record
from data.records.core.tools import ToolDeclaration, ToolResult
from flows.core.house import House
from flows.core.workspace import Workspace


@dataclass(frozen=True)
class Calling:
    """In what a tool is called."""

    house: House
    workspace: Workspace
    principal: Principal
    """The person in whose name it is called."""
    occasion: Occasion | None = None
    """Where it is called; None outside of any chat, where nothing is remembered or recalled."""


@dataclass(frozen=True)
class Tool:
    """One tool: what it declares, what it takes, and the function that does it."""

    declaration: ToolDeclaration
    takes: type[Record]
    work: Callable[[Calling, Any], Awaitable[ToolResult]]


class ToolCallError(ForbiddenError):
    """A call names no tool that is there for the caller, or its arguments are not the tool's."""


class Toolbox:
    """The tools that are there, by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.declaration.name: tool for tool in tools}

    def of(self, names: Collection[str], calling: Calling) -> "Toolbox":
        """Return those that an agent has by these names or groups, and that the caller may use.

        What is not permitted is not shown.
        """
        slug = calling.workspace.slug
        return Toolbox(
            tool
            for name, tool in sorted(self._tools.items())
            if {name, tool.declaration.group} & set(names)
            and calling.principal.may(tool.declaration.permission, slug)
        )

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    @property
    def declarations(self) -> list[ToolDeclaration]:
        """What each declares, by name."""
        return [tool.declaration for _, tool in sorted(self._tools.items())]

    def declaration(self, name: str) -> ToolDeclaration:
        """Return what one declares.

        Raises:
            ToolCallError: there is none of that name; which there are is not said.

        """
        return self._one(name).declaration

    def takes(self, name: str) -> type[Record]:
        """Return the record of a tool's arguments.

        Raises:
            ToolCallError: there is none of that name.

        """
        return self._one(name).takes

    async def call(self, calling: Calling, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool.

        Raises:
            ToolCallError: there is none of that name, or the arguments are not its own.

        """
        tool = self._one(name)
        try:
            given = tool.takes.model_validate(dict(arguments))
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()
            )
            raise ToolCallError(f"the arguments of {name!r} are wrong: {problems}") from error
        return await tool.work(calling, given)

    def _one(self, name: str) -> Tool:
        if name not in self._tools:
            raise ToolCallError(f"there is no tool {name!r}")
        return self._tools[name]
