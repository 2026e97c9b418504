"""Agents of an organization, as they are installed."""

from datetime import date
from enum import StrEnum
from typing import Annotated, TypeVar

from pydantic import AwareDatetime, Field, JsonValue, StringConstraints

from data.records.agents.chats import LONGEST_MESSAGE
from data.records.core.manifest_format import ConfigurationField, PlainName, SettingValue, Slug
from data.records.core.record import Line, ReasonText, Record
from data.records.core.tools import Trust
from data.states import AgentState


class Agent(Record):
    """An installed agent: a manifest with a state, a version and an origin."""

    slug: str
    name: str
    description: str
    accent_colour: str
    avatar: str = ""
    """Its picture as a `data:` address; empty for none."""
    state: AgentState
    version: int = Field(ge=1)
    """Counts its configurations; each turn is stamped with it."""
    since: int = Field(default=1, ge=1)
    """The version that it was installed with; those before it were another agent's of its slug."""
    assigned_version: int = Field(default=0, ge=0)
    """Counts the changes of to whom it is available."""
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
    owner: str = ""
    """Id of the user whose it is while it is tested."""
    unanswered: tuple[str, ...] = ()
    """Questions of its manifest that have to be answered before it works."""

    @property
    def works(self) -> bool:
        """Whether it begins turns, for those who can talk to it."""
        return self.state in (AgentState.ACTIVE, AgentState.TESTING) and not self.unanswered


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
    reason: ReasonText
    version: int | None = Field(default=None, ge=1)
    """The version that was changed; another one in the meantime is a conflict."""


class ImportedAgent(NewConfiguration):
    """An agent to install from its manifest."""

    testing: bool = False
    """Whether it is who imports it's alone, until somebody makes it active."""


class AgentSettings(Record):
    """The settings of an agent: what is asked, and what has been answered."""

    version: int = Field(ge=1)
    """Of the agent; another answer is another version."""
    fields: tuple[ConfigurationField, ...]
    """The questions, as its manifest asks them."""
    values: dict[str, SettingValue]
    """The answers, by `field`."""
    unanswered: tuple[str, ...]
    """Questions that have to be answered before it works."""
    accepts: dict[str, JsonValue]
    """The answers' JSON schema."""


class NewSettings(Record):
    """Answers to questions of an agent's manifest; those that are not named stay as they are."""

    values: dict[Slug, SettingValue | None] = Field(min_length=1, max_length=200)
    """By `field`; null takes an answer away."""
    reason: ReasonText
    version: int | None = Field(default=None, ge=1)
    """The version that was looked at; another one in the meantime is a conflict."""


class OwnAnswers(Record):
    """What an agent asks of a person, and what that person has answered."""

    fields: tuple[ConfigurationField, ...] = ()
    """The questions, as its manifest asks them of each person."""
    values: dict[str, SettingValue]
    """The answers, by `field`."""


class NewAnswers(Record):
    """Answers of a person to an agent's questions; those that are not named stay as they are."""

    values: dict[Slug, SettingValue | None] = Field(min_length=1, max_length=200)
    """By `field`; null takes an answer away."""


class RestoredVersion(Record):
    """An earlier configuration, to be an agent's again."""

    version: int = Field(ge=1)
    reason: ReasonText
    expected: int | None = Field(default=None, ge=1)
    """The version that it has, as far as who restores knows; another one is a conflict."""


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


class Restrictions(Record):
    """What is taken away from an agent; nothing is ever added."""

    without: tuple[Line, ...] = Field(default=(), max_length=200)
    """Tools, and groups of tools, that it does not have."""
    trust: Trust | None = None
    """How far it is trusted at most."""
    most_calls: int | None = Field(default=None, ge=0, le=1000)
    """Calls of tools in one turn."""
    budget: float | None = Field(default=None, gt=0)
    """Most that a turn may cost, US dollars."""

    def and_also(self, other: "Restrictions") -> "Restrictions":
        """Return what is left where both hold."""
        return Restrictions(
            without=tuple(sorted({*self.without, *other.without})),
            trust=min(
                (one for one in (self.trust, other.trust) if one is not None),
                key=lambda trust: trust.rank,
                default=None,
            ),
            most_calls=_least(self.most_calls, other.most_calls),
            budget=_least(self.budget, other.budget),
        )


AmountT = TypeVar("AmountT", int, float)


def _least(first: AmountT | None, second: AmountT | None) -> AmountT | None:
    return min((side for side in (first, second) if side is not None), default=None)


class Assignment(Record):
    """An agent's availability to somebody."""

    kind: AssigneeKind
    subject: str = Field(default="", max_length=64)
    """Id of the user or the team; empty for the organization."""
    restrictions: Restrictions = Restrictions()
    """What the agent has not, or less of, for these; the organization's assignment has none."""


class AssignmentList(Record):
    """To whom an agent is available; nobody, where it is empty."""

    items: tuple[Assignment, ...] = Field(max_length=500)
    version: int | None = Field(default=None, ge=0)
    """Counts the changes of it; to change it, the one that was looked at: another one in the
    meantime is a conflict."""


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
    """Whether the template is another one than an agent was made from."""
    built_in: bool = True
    """Whether it came with Postern, not from the organization's own library."""
    agents: tuple[str, ...] = ()
    """Slugs of the agents that were made from it."""


class TemplateList(Record):
    """What the catalogue offers, by name."""

    items: tuple[Template, ...]


class ToInstall(Record):
    """An agent to make from a template."""

    template: str = Field(max_length=63)
    slug: Slug | None = None
    """What it is called by; null for the template's own slug, of which there is one agent."""
    name: PlainName | None = None
    """As people read it; null for the template's own name."""


class OwnWork(Record):
    """Something that an agent is to do by itself."""

    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_MESSAGE - 65)
    ]


class AgentFigures(Record):
    """How much an agent has worked."""

    turns: int = 0
    failed: int = 0
    last_at: AwareDatetime | None = None
    calls: dict[str, int] = Field(default_factory=dict)
    """By the name of a tool, how often it was called."""


class AgentDay(Record):
    """What an agent did and cost on one day."""

    day: date
    turns: int = 0
    requests: int = 0
    """How often a model was asked."""
    tokens: int = 0
    cost: float = 0.0
    """US dollars."""


class AgentDays(Record):
    """What an agent did and cost, day by day up to today."""

    items: tuple[AgentDay, ...]
    zone: str
    """The organization's time zone, in which the days are meant."""


class AgentWork(Record):
    """What an agent is, may and did, for a page about it."""

    agent: Agent
    trust_level: str
    budget: float
    """Most that one interaction may cost, US dollars."""
    prompt: str
    model: str = ""
    """The model that it asks; empty where the organization has none."""
    role: str = ""
    """Role whose permissions it has by itself; empty where it does nothing by itself."""
    tools: tuple["ToolUse", ...]
    assigned: tuple[Assignment, ...]
    unheeded: tuple[str, ...] = ()
    """Keys of its manifest that say something and have no effect yet."""
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
