"""The registry of tools: what whoever thinks may look up and do, typed and declared.

A slice offers its tools here, and agents find them by name; so agents reach mail without importing
it. What is called gets what it is called in (the organization and the person in whose name it is
called; for a planner, the scope of one case), and arguments of the type that the tool says.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Generic

from pydantic import JsonValue, ValidationError
from pydantic_core import to_json
from typing_extensions import TypeVar

from data.errors import ForbiddenError, ManifestError, PosternError
from data.records.core.asking import ToolOffer
from data.records.core.manifest_format import SettingValue
from data.records.core.occasions import Occasion
from data.records.core.principals import Principal
from data.records.core.record import Record
from data.records.core.tools import ToolDeclaration, ToolResult
from data.strict_json import flaw_of, read_object, with_whole_numbers
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.words.sentences import single_spaced

_NEAREST, _ALIKE = 3, 0.5
"""Names that an unknown one is answered with at most, and how like it they are."""
_PROBLEMS = 3
"""Things that are said to be wrong with arguments, at most."""
_LONGEST_PART = 200
"""Characters of a place in arguments, and of what is wrong there."""


@dataclass(frozen=True)
class Calling:
    """In what a tool of an agent is called."""

    house: House
    workspace: Workspace
    principal: Principal
    """The person in whose name it is called."""
    occasion: Occasion | None = None
    """Where it is called; None outside of any chat, where nothing is remembered or recalled."""
    key: str = ""
    """The same for the same call of the same turn, for targets that know such keys."""
    asked_at: datetime | None = None
    """When a person was asked for the yes that it is called with; None where nobody was."""
    settings: Mapping[str, SettingValue] = field(default_factory=dict)
    """How the agent that calls is set up, by the fields of its manifest."""
    libraries: tuple[tuple[str, ...], ...] = ()
    """Libraries of knowledge that the agent draws from, what counts most first; none for all."""
    language: str = "en"
    """In which language sentences are said; a model is told everything in English."""


WithinT = TypeVar("WithinT", default=Calling)
GivesT = TypeVar("GivesT", bound=Record, default=ToolResult)
TakenT = TypeVar("TakenT", bound=Record)


@dataclass(frozen=True)
class Tool(Generic[WithinT, GivesT]):
    """One tool: what it declares, what it takes, the function that does it, what that gives."""

    declaration: ToolDeclaration
    takes: type[Record]
    work: Callable[[WithinT, Any], Awaitable[GivesT]]
    gives: type[Record] = ToolResult

    @property
    def offer(self) -> ToolOffer:
        """The tool as a model is offered it, with the schema of its arguments."""
        declared = self.declaration
        return ToolOffer(name=declared.name, tells=declared.description, takes=self.takes)


class ToolCallError(ForbiddenError):
    """A call names no tool that is there for the caller, or its arguments are not the tool's."""


class UnknownOutcomeError(PosternError):
    """Nobody knows whether a call had its effect; it is not made again."""


class UnknownToolError(ToolCallError):
    """A call names no tool that is there for the caller."""


class Toolbox(Generic[WithinT, GivesT]):
    """The tools that are there, by name.

    Raises:
        ManifestError: one of them declares nothing of itself, or has the name of another.

    """

    def __init__(self, tools: Iterable[Tool[WithinT, GivesT]]) -> None:
        self._tools: dict[str, Tool[WithinT, GivesT]] = {}
        for tool in tools:
            if not isinstance(tool.declaration, ToolDeclaration):
                raise ManifestError(f"a tool that takes {tool.takes.__name__} declares nothing")
            if tool.declaration.name in self._tools:
                raise ManifestError(f"two tools are called {tool.declaration.name!r}")
            self._tools[tool.declaration.name] = tool
        self._tools = dict(sorted(self._tools.items()))

    def pick(self, names: Collection[str]) -> "Toolbox[WithinT, GivesT]":
        """Return those with these names or of these groups."""
        return Toolbox(
            tool
            for name, tool in self._tools.items()
            if {name, tool.declaration.group} & set(names)
        )

    def combine_with(self, tools: "Iterable[Tool[WithinT, GivesT]]") -> "Toolbox[WithinT, GivesT]":
        """Return these together with others."""
        return Toolbox((*self._tools.values(), *tools))

    def filter_by(self, shown: Callable[[ToolDeclaration], bool]) -> "Toolbox[WithinT, GivesT]":
        """Return those of which something holds: what is not permitted is not shown."""
        return Toolbox(tool for tool in self._tools.values() if shown(tool.declaration))

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def declarations(self) -> list[ToolDeclaration]:
        """What each declares, by name."""
        return [tool.declaration for tool in self._tools.values()]

    @property
    def offers(self) -> tuple[ToolOffer, ...]:
        """Each as a model is offered it, by name, so that a request begins with the same bytes."""
        return tuple(tool.offer for tool in self._tools.values())

    def read_declaration(self, name: str) -> ToolDeclaration:
        """Return what one declares.

        Raises:
            UnknownToolError: there is none of that name; the nearest names here are said.

        """
        return self._find_tool(name).declaration

    def check_arguments(self, name: str, arguments: JsonValue) -> Record:
        """Return the arguments of a call as the tool takes them.

        Raises:
            UnknownToolError: there is none of that name.
            ToolCallError: the arguments are not its own.

        """
        return convert_arguments(name, self._find_tool(name).takes, arguments)

    async def call(self, within: WithinT, name: str, arguments: Mapping[str, Any]) -> GivesT:
        """Call a tool.

        Raises:
            UnknownToolError: there is none of that name.
            ToolCallError: the arguments are not its own.

        """
        arguments_checked = self.check_arguments(name, dict(arguments))
        tool = self._find_tool(name)
        result = await tool.work(within, arguments_checked)
        assert isinstance(result, tool.gives)  # noqa: S101  # a test holds every tool to its type
        return result

    def _find_tool(self, name: str) -> Tool[WithinT, GivesT]:
        if name not in self._tools:
            near = get_close_matches(name, self._tools, n=_NEAREST, cutoff=_ALIKE)
            hint = f"; like it: {', '.join(near)}" if near else ""
            raise UnknownToolError(f"there is no tool {name[:63]!r}{hint}")
        return self._tools[name]


def convert_arguments(name: str, takes: type[TakenT], arguments: JsonValue) -> TakenT:
    """Return the arguments of a call as what the tool `name` takes, each of the type that it says.

    A text in the place of a number is refused, as by any schema; 3.0 is the whole number 3.

    Raises:
        ToolCallError: they are not its own; what is wrong is told in one line, with its place.

    """
    if flaw := _find_flaw(arguments):
        raise ToolCallError(f"the arguments of {name!r} are wrong: {_as_line(flaw)}")
    try:
        return takes.model_validate_json(to_json(with_whole_numbers(arguments)), strict=True)
    except ValidationError as error:
        listed = error.errors(include_url=False, include_context=False, include_input=False)
        problems = "; ".join(
            f"{_as_line('.'.join(map(str, problem['loc'])) or 'arguments')}: "
            f"{_as_line(problem['msg'])}"
            for problem in listed[:_PROBLEMS]
        )
        raise ToolCallError(f"the arguments of {name!r} are wrong: {problems}") from error


def _find_flaw(arguments: JsonValue) -> str:
    """Return what is wrong with arguments whatever the tool takes; empty for nothing."""
    if isinstance(arguments, dict):
        return flaw_of(arguments)
    if not isinstance(arguments, str):
        return "no object"
    try:
        read_object(arguments)
    except ValueError as error:
        return str(error)
    return "a text and no object"


def _as_line(text: str) -> str:
    """Return words, which may be a stranger's, as a part of one line."""
    return single_spaced(text)[:_LONGEST_PART]
