"""The agent manifest: one format for platform and external agents.

The names are those of a format for agents of all kinds (manifest and views), so that a
manifest written there can be read here. Unknown keys are refused: a misspelled limit must not be
a missing limit.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    Field,
    JsonValue,
    StrictBool,
    StrictFloat,
    StrictInt,
    StringConstraints,
    model_validator,
)

from data.languages import ISO_LANGUAGES
from data.pictures import checked_picture, is_embedded
from data.records.core.record import Record

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$")]
EntryRef = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}(@[1-9][0-9]{0,5})?$")
]
"""Name of an entry of the library; `name@3` is its third version for good."""
PlainName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$"
    ),
]
"""What people read and say: one line of up to 100 letters."""


def _check_exists(code: str) -> str:
    if code not in ISO_LANGUAGES:
        raise ValueError(f"{code!r} is no language; write one of ISO 639-1, as `de`")
    return code


LanguageCode = Annotated[str, AfterValidator(_check_exists)]
"""A language by its code of two letters (ISO 639-1)."""


def _safe_url(value: str) -> str:
    """Allow https, and http to this machine alone."""
    parts = urlsplit(value)
    here = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and here)):
        raise ValueError("write an https:// address")
    return value


Url = Annotated[str, AfterValidator(_safe_url)]


def _safe_picture(value: str) -> str:
    """Allow a picture that stands in the address itself, or an address."""
    return checked_picture(value) if is_embedded(value) else _safe_url(value)


PictureUrl = Annotated[str, AfterValidator(_safe_picture)]


class ModelTier(StrEnum):
    """The two classes of model (pipeline document, model routing)."""

    FAST = "fast"  #: guard, classify, summarize, extract
    CAPABLE = "capable"  #: plan and draft


class PlatformExecution(Record):
    """The agent is run here, with a system prompt."""

    type: Literal["platform"]
    system_prompt: str | None = None
    """The prompt itself; this or `system_prompt_ref`."""
    system_prompt_ref: str | None = None
    """Path of a Markdown file, relative to the manifest, inside the same roster folder."""

    @model_validator(mode="after")
    def _one_prompt(self) -> Self:
        if (self.system_prompt is None) == (self.system_prompt_ref is None):
            raise ValueError("give exactly one of system_prompt and system_prompt_ref")
        return self


class Auth(Record):
    """How Postern shows an external agent who calls."""

    type: Literal["bearer", "hmac", "api_key"]
    secret_name: str
    """Name of the secret; the secret itself is never in a manifest."""


class ExternalExecution(Record):
    """The agent runs elsewhere and is called over HTTPS."""

    type: Literal["external"]
    endpoint_url: Url
    """Where work is sent."""
    health_check_url: Url | None = None
    """What is asked whether the agent is up."""
    auth_config: Auth | None = None
    timeout_seconds: float = Field(default=30, gt=0, le=3600)
    """How long an answer may take, seconds."""
    supports_deferred: bool = False
    """Whether it may answer later."""


class ModelPreference(Record):
    """Which model the agent would like; null leaves the choice to the settings."""

    provider: str | None = None
    """Whose model `model` is, as the setting `llm_provider` names it; with another one the tier
    counts."""
    model: str | None = Field(default=None, min_length=1, max_length=200)
    """Name of a model of the provider, in the place of the tier's."""
    tier: ModelTier | None = None
    """Class of model from the settings, used when `model` is null."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """How freely it writes, for models that know such a thing."""
    max_tokens: int | None = Field(default=None, ge=200, le=16_000)
    """Tokens of an answer to a person at most; null: 4,096."""

    def model_at(self, provider: str) -> str:
        """Return the model to ask of a provider by name; empty leaves it to the tier."""
        return self.model or "" if self.provider in (None, provider) else ""


class DelegateLimits(Record):
    """What a delegate may do on behalf of this agent."""

    max_cost_per_delegation: float | None = Field(default=None, ge=0)
    allowed_tools: tuple[Slug, ...] | None = None
    """Null leaves the delegate its own tools."""


class Delegate(Record):
    """Another agent that this one may call."""

    agent_ref: Slug
    """Slug of that agent."""
    purpose: str
    """What for, in words that help to decide when."""
    restrictions: DelegateLimits = DelegateLimits()


class LibraryAssignment(Record):
    """A library of documents that the agent draws from."""

    library_ref: Slug
    priority: int = Field(default=1, ge=1)


class SeedFact(Record):
    """A fact the agent starts with."""

    subject: str
    value: str
    category: str = ""


class Knowledge(Record):
    """What the agent knows from the start."""

    library_assignments: tuple[LibraryAssignment, ...] = ()
    seed_facts: tuple[SeedFact, ...] = ()


class Listening(StrEnum):
    """When an agent answers in a chat of several."""

    MENTION = "mention"  #: where it is named: `@desk`
    PROACTIVE = "proactive"  #: whatever a person says, unless somebody else is named
    SILENT = "silent"  #: never; it is shown as a member and says nothing


class ListeningModes(Record):
    """How an agent listens as it comes into a chat of several, by the chat's kind."""

    team: Listening = Listening.MENTION
    group: Listening = Listening.MENTION
    organization: Listening = Listening.MENTION

    def in_a(self, kind: str) -> Listening:
        """Return how it listens in a chat of that kind; alone with a person, to everything."""
        return Listening(getattr(self, kind, Listening.PROACTIVE))


class AgentMemory(Record):
    """How an agent's context is assembled, and what it keeps of what is said by the way."""

    assembly: EntryRef = "standard"
    """Entry of the library that says what a model is told before it thinks."""
    extraction: EntryRef = "standard"
    """Entry of the library that says what is kept; for the capability level `learning` alone."""
    recent_messages: int | None = Field(default=None, ge=0, le=20)
    """Newest messages of the session that a model is told; null leaves it to the assembly."""


SettingValue = StrictBool | StrictInt | Annotated[StrictFloat, Field(allow_inf_nan=False)] | str
"""An answer to a question of `configuration_schema`."""


class ConfigurationField(Record):
    """A question that is answered before the agent is used."""

    field: Slug
    """Name of the value."""
    label: str
    """The question."""
    type: Literal["text", "select", "number", "boolean"]
    options: tuple[str, ...] = ()
    """The answers to choose from; for `select` alone."""
    required: bool = False
    asked_of: Literal["organization", "user"] = "organization"
    """Who answers it: the organization once, or each person, whom the agent asks in the chat."""

    @model_validator(mode="after")
    def _options_fit(self) -> Self:
        if (self.type == "select") != bool(self.options):
            raise ValueError("options belong to type select, and there must be at least one")
        return self


class View(Record):
    """A screen of the agent beside the conversation."""

    type: Literal["kanban", "calendar", "table", "summary", "detail", "timeline", "custom"]
    label: str
    icon: str = ""
    data_source: dict[str, JsonValue] = Field(default_factory=dict)
    mapping: dict[str, JsonValue] = Field(default_factory=dict)
    mutations: dict[str, JsonValue] = Field(default_factory=dict)
    """What a person may change; empty means display only."""
    component_url: Url | None = None
    """For `custom` alone: what the sandboxed frame loads."""
    sandbox: bool = True
    permissions: tuple[str, ...] = ()


class Governance(Record):
    """Limits on what the agent may do and spend."""

    trust_level: Literal["read", "standard", "elevated", "admin"] = "read"
    budget_limit_per_interaction: float = Field(default=0.0, ge=0)
    """Most one interaction may cost, in US dollars."""
    requires_approval_for: tuple[Slug, ...] = ()
    """Classes of action that wait for a person."""
    most_moves: int | None = Field(default=None, ge=1, le=8)
    """How often a model is asked in a turn; the last time it has to answer. Null: 8."""
    most_calls: int | None = Field(default=None, ge=0, le=16)
    """Calls of tools in a turn; null: 16."""
    role: Slug | None = None
    """Role of whose permissions it has what it may do by itself, without somebody who asks; null:
    it does nothing by itself."""


class Metadata(Record):
    """Where the manifest comes from."""

    origin: Literal["built_in", "custom", "installed"]
    author: str
    version: str = Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")
    """Three numbers: breaking, feature, correction."""
    source_url: Url | None = None
    tags: tuple[str, ...] = ()
    parent_template: Slug | None = None
    """Slug of the agent this one was made from."""


class AgentManifest(Record):
    """One agent, as its file says."""

    version: Literal["1"]
    """Version of the format."""
    kind: Literal["agent"]
    name: PlainName
    slug: Slug
    """What other files call it; an organization's file with the same slug wins."""
    description: str
    accent_colour: str = Field(pattern=r"^#[0-9A-Fa-f]{6}$")
    avatar_url: PictureUrl | None = None
    """A small picture as `data:image/png;base64,…`; one that lies elsewhere is never fetched."""
    execution: Annotated[PlatformExecution | ExternalExecution, Field(discriminator="type")]
    capability_level: Literal["tools_only", "workflow", "experimental", "learning"]
    """How much it may: `learning` alone picks up by itself what people say by the way."""
    model_preference: ModelPreference = ModelPreference()
    channels: tuple[Slug, ...] = ()
    """Where it may be reached: `chat` in the window and over the API, `api` from chat programs;
    none for everywhere. Of the pipeline's own agents, `email`."""
    listening: ListeningModes = ListeningModes()
    tools: tuple[Slug, ...] = ()
    """What it may call; of the pipeline's own agents, the planner alone looks things up."""
    suggestions: tuple[str, ...] = ()
    """What somebody may ask it, in English, shown in a chat in which nothing was said yet."""
    suggestions_in: dict[LanguageCode, tuple[str, ...]] = Field(default_factory=dict)
    """The same in other languages, by ISO 639-1 code; without them a chat shows the English."""
    delegates: tuple[Delegate, ...] = ()
    knowledge: Knowledge = Knowledge()
    memory: AgentMemory = AgentMemory()
    configuration_schema: tuple[ConfigurationField, ...] = ()
    """What is asked before the agent is used."""
    configuration: dict[Slug, SettingValue] = Field(default_factory=dict)
    """The answers, by `field`."""
    views: tuple[View, ...] = ()
    governance: Governance = Governance()
    metadata: Metadata

    def suggestions_for(self, language: str) -> tuple[str, ...]:
        """Return what somebody may ask it in a language, in English where it has none in that."""
        return self.suggestions_in.get(language) or self.suggestions

    def is_reached_by(self, channel: str) -> bool:
        """Return whether it may be reached there."""
        return not self.channels or channel in self.channels
