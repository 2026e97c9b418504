"""Agents of an organization, as they are installed."""

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
    installed_by: str
    installed_at: AwareDatetime


class AgentVersion(Record):
    """One configuration that an agent has had."""

    version: int = Field(ge=1)
    manifest: str
    """The file as it was, with its prompt."""
    author: str
    note: str = ""
    made_at: AwareDatetime


class AgentList(Record):
    """The agents that somebody may talk to."""

    items: tuple[Agent, ...]
