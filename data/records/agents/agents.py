"""Agents of an organization, as they are installed."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.record import Record
from data.states import AgentState


class Agent(Record):
    """An installed agent: a manifest with a state, a version and an origin."""

    slug: str
    name: str
    description: str
    accent_colour: str
    state: AgentState
    version: int = Field(ge=1)
    """Counts its configurations; each turn is stamped with it."""
    tools: tuple[str, ...] = ()
    """Names of tools and of groups of tools, as the manifest gives them."""
    suggestions: tuple[str, ...] = ()
    """What somebody may ask it, for a chat in which nothing was said yet."""
    template: str
    """Slug of the entry of the catalogue that it was installed from."""
    template_version: str = ""
    """Version and hash of the template that it was made from, as `1.0.0+9f2c11e07a3b`."""
    installed_by: str
    """Who gave it its configuration: a person, or Postern with its catalogue."""
    installed_at: AwareDatetime


class AgentVersion(Record):
    """One configuration that an agent has had."""

    version: int = Field(ge=1)
    manifest: str
    """The file as it was, with its prompt."""
    author: str
    note: str = ""
    """Why, in the author's words."""
    made_at: AwareDatetime


class AgentVersionList(Record):
    """Every configuration of an agent, the newest first."""

    items: tuple[AgentVersion, ...]


class NewConfiguration(Record):
    """A manifest with its prompt, to be an agent's from now on."""

    manifest: str = Field(max_length=200_000)
    reason: str = Field(min_length=1, max_length=500)
    version: int | None = Field(default=None, ge=1)
    """The version that was changed; another one in the meantime is a conflict."""


class RestoredVersion(Record):
    """An earlier configuration, to be an agent's again."""

    version: int = Field(ge=1)
    reason: str = Field(min_length=1, max_length=500)


class Difference(Record):
    """What two configurations have different."""

    before: str
    after: str
    text: str
    """Line by line, as `diff -u` writes it; empty where they are the same."""


class AssigneeKind(StrEnum):
    """Of what kind those are to whom an agent is available."""

    ORGANIZATION = "organization"
    TEAM = "team"
    USER = "user"


class Assignment(Record):
    """An agent's availability to somebody."""

    kind: AssigneeKind
    subject: str = Field(default="", max_length=64)
    """Id of the user or the team; empty for the organization."""


class AssignmentList(Record):
    """To whom an agent is available; nobody, where it is empty."""

    items: tuple[Assignment, ...] = Field(max_length=500)


class Template(Record):
    """An agent that can be installed from the catalogue."""

    slug: str
    name: str
    description: str
    accent_colour: str
    version: str
    tools: tuple[str, ...] = ()
    installed: bool = False
    changed: bool = False
    """Whether the template is another one than the installed agent was made from."""


class TemplateList(Record):
    """What the catalogue offers, by name."""

    items: tuple[Template, ...]


class ToInstall(Record):
    """An agent to install."""

    template: str = Field(max_length=63)


class AgentFigures(Record):
    """How much an agent has worked."""

    turns: int = 0
    failed: int = 0
    last_at: AwareDatetime | None = None
    calls: dict[str, int] = Field(default_factory=dict)
    """By the name of a tool, how often it was called."""


class AgentWork(Record):
    """What an agent is, may and did, for a page about it."""

    agent: Agent
    trust_level: str
    budget: float
    """Most that one interaction may cost, US dollars."""
    prompt: str
    tools: tuple["ToolUse", ...]
    assigned: tuple[Assignment, ...]
    turns: int
    failed: int
    last_at: AwareDatetime | None = None


class ToolUse(Record):
    """A tool of an agent, and how often it was called."""

    name: str
    description: str
    effect: str
    calls: int = 0


class AgentList(Record):
    """The agents that somebody may talk to."""

    items: tuple[Agent, ...]
