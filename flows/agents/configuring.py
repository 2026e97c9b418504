"""An agent's configuration, as people change it, and its installation and deletion.

Every change is one more version with its author and reason; nothing is overwritten, so that each
can be compared and restored. Only people change agents: no tool leads here.
"""

from collections.abc import Collection
from datetime import datetime

from data.agent_settings import (
    fields_asked_of,
    fit_settings,
    list_unanswered_questions,
    settings_schema,
)
from data.errors import ConflictError, NotFoundError, UnfitError
from data.manifest import Manifest
from data.portable import difference, read_portable, write_portable
from data.records.agents.agents import (
    Agent,
    AgentSettings,
    Difference,
    ImportedAgent,
    NewConfiguration,
    NewSettings,
    RestoredVersion,
    Template,
    ToInstall,
)
from data.records.agents.library import EntryKind
from data.records.agents.memories import ORGANIZATION_LAYER, Layer, LayerKind
from data.records.core.principals import Principal
from data.records.core.tools import Effect
from data.states import AgentState
from data.store.agents import agents, chats
from data.store.core import audit
from data.store.core.database import Connection
from flows.agents.available import read_existing, read_version
from flows.agents.delegates import check_delegates
from flows.agents.library import check_references, list_entries, read_template
from flows.agents.lifecycle import EVERYBODY, Origin, build_agent, set_state
from flows.agents.memory import hand_over_layer
from flows.agents.seeding import check_seeds, seed_memory


def _read_as_seen(cursor: Connection, slug: str, version: int | None) -> Agent:
    """Return an agent that has the version still which somebody looked at; None for any.

    Raises:
        NotFoundError: there is no such agent.
        ConflictError: it has another version by now.

    """
    current = read_existing(cursor, slug)
    if version is not None and version != current.version:
        raise ConflictError(f"{current.name} has version {current.version} by now; look at it")
    return current


def configure_agent(
    cursor: Connection,
    slug: str,
    order: NewConfiguration,
    known_tools: Collection[str],
    actor: str,
    now: datetime,
) -> Agent:
    """Give an agent another configuration, as one more version; the same one changes nothing.

    Raises:
        NotFoundError: there is no such agent.
        ConflictError: it has another version by now.
        UnfitError: the text is no manifest of this agent, or names a tool that is not there.

    """
    current = _read_as_seen(cursor, slug, order.version)
    manifest = _read_fit_manifest(cursor, order.manifest, known_tools)
    if manifest.agent.slug != slug:
        raise UnfitError(f"this manifest is of {manifest.agent.slug!r}; install it as such")
    if agents.list_versions(cursor, slug)[0].manifest == write_portable(manifest):
        return current
    origin = Origin(current.template, current.template_version, actor)
    return _write_version(cursor, manifest, current, origin, order.reason, now)


def read_settings(cursor: Connection, slug: str) -> AgentSettings:
    """Return what an agent's manifest asks, and what has been answered.

    Raises:
        NotFoundError: there is no such agent.

    """
    current = read_existing(cursor, slug)
    agent_read = read_portable(read_version(cursor, slug, current.version).manifest).agent
    return AgentSettings(
        version=current.version,
        fields=fields_asked_of(agent_read, "organization"),
        values=agent_read.configuration,
        unanswered=list_unanswered_questions(agent_read),
        accepts=settings_schema(fields_asked_of(agent_read, "organization")),
    )


def set_settings(
    cursor: Connection, slug: str, order: NewSettings, actor: str, now: datetime
) -> Agent:
    """Answer questions of an agent's manifest, as one more version; the same answers are none.

    Raises:
        NotFoundError: there is no such agent.
        ConflictError: it has another version by now.
        UnfitError: there is no such question, or an answer does not fit it.

    """
    current = _read_as_seen(cursor, slug, order.version)
    manifest = read_portable(read_version(cursor, slug, current.version).manifest)
    agent_made = manifest.agent
    fields = fields_asked_of(agent_made, "organization")
    values = fit_settings(fields, agent_made.configuration | order.values)
    if values == agent_made.configuration:
        return current
    changed = manifest.model_copy(
        update={"agent": agent_made.model_copy(update={"configuration": values})}
    )
    origin = Origin(current.template, current.template_version, actor)
    return _write_version(cursor, changed, current, origin, order.reason, now)


def restore_version(
    cursor: Connection,
    slug: str,
    order: RestoredVersion,
    known_tools: Collection[str],
    actor: str,
    now: datetime,
) -> Agent:
    """Give an agent an earlier configuration again, as one more version.

    Raises:
        NotFoundError: there is no such agent or version.
        ConflictError: it has another version by now than was expected.
        UnfitError: it names a tool, an entry of the library or an agent that is there no more.

    """
    current = _read_as_seen(cursor, slug, order.expected)
    manifest = read_portable(read_version(cursor, slug, order.version).manifest)
    _check_manifest(cursor, manifest, known_tools)
    origin = Origin(current.template, current.template_version, actor)
    return _write_version(cursor, manifest, current, origin, order.reason, now)


def compare_versions(
    cursor: Connection, slug: str, before: int, after: int, first: int = 1
) -> Difference:
    """Return what two configurations of an agent have different, none older than `first`."""
    old, new = (read_version(cursor, slug, version, first).manifest for version in (before, after))
    names = (f"version {before}", f"version {after}")
    return Difference(before=names[0], after=names[1], text=difference(old, new, names))


def compare_with_template(cursor: Connection, slug: str) -> Difference:
    """Return what the catalogue offers otherwise than an agent is configured now.

    Raises:
        NotFoundError: the agent comes from no template that is there.

    """
    agent = read_existing(cursor, slug)
    if not agent.template:
        raise NotFoundError(f"{slug!r} comes from no template of the catalogue")
    offered, version_id = read_template(cursor, agent.template)
    if agent.slug != offered.agent.slug:
        offered = rename_template(offered, agent.slug, agent.name)
    names = (f"version {agent.version}", f"template {version_id}")
    own = agents.list_versions(cursor, slug)[0].manifest
    return Difference(
        before=names[0], after=names[1], text=difference(own, write_portable(offered), names)
    )


def import_agent(
    cursor: Connection,
    order: ImportedAgent,
    known_tools: Collection[str],
    principal: Principal,
    now: datetime,
) -> Agent:
    """Install an agent from one text; nobody may use it until somebody assigns it.

    One that is to be tested is who imports it's alone until it is active.

    Raises:
        ConflictError: there is one of that slug.
        UnfitError: the text is no manifest, or names a tool that is not there.

    """
    manifest = _read_fit_manifest(cursor, order.manifest, known_tools)
    origin = Origin("", "", principal.name)
    owner = principal.id if order.testing else ""
    return _install_manifest(cursor, manifest, origin, order.reason, now, owner)


def install_from_template(
    cursor: Connection, order: ToInstall, known_tools: Collection[str], actor: str, now: datetime
) -> Agent:
    """Install an agent from a template of the catalogue or of the library, for everybody.

    Under another slug it is an agent of its own, with its own memory: any number of agents may be
    made from one template.

    Raises:
        NotFoundError: there is no such template.
        ConflictError: there is an agent of that slug or name.
        UnfitError: the template names a tool, an entry or an agent that is not there.

    """
    offered, version_id = read_template(cursor, order.template)
    name = order.name or offered.agent.name
    manifest = rename_template(offered, order.slug or order.template, name)
    _check_manifest(cursor, manifest, known_tools)
    origin = Origin(order.template, version_id, actor)
    agent = _install_manifest(cursor, manifest, origin, f"from the template {version_id}", now)
    agents.set_assignments(cursor, agent.slug, [EVERYBODY])
    return agent


def rename_template(offered: Manifest, slug: str, name: str) -> Manifest:
    """Return a template as the manifest of an agent of that slug and name."""
    renamed: dict[str, object] = {"slug": slug, "name": name}
    if slug != offered.agent.slug:
        origin = {"origin": "installed", "parent_template": offered.agent.slug}
        renamed["metadata"] = offered.agent.metadata.model_copy(update=origin)
    return offered.model_copy(update={"agent": offered.agent.model_copy(update=renamed)})


def delete_agent(cursor: Connection, slug: str, actor: str, now: datetime) -> int:
    """Delete an agent; what it remembers goes to the organization, what it did stays.

    It leaves its chats: one that is installed by its slug later was let into none of them.

    Returns:
        How many things it knew that the organization keeps.

    Raises:
        NotFoundError: there is no such agent.

    """
    read_existing(cursor, slug)
    set_state(cursor, slug, AgentState.DELETED, actor, now)
    agents.set_assignments(cursor, slug, [])
    chats.end_memberships(cursor, slug, now)
    return hand_over_layer(cursor, _layer_of_agent(slug), ORGANIZATION_LAYER, now)


def _layer_of_agent(slug: str) -> Layer:
    return Layer(kind=LayerKind.AGENT, owner=slug)


def list_templates(cursor: Connection) -> tuple[Template, ...]:
    """Return what agents can be made from, and of which of them an agent has another version."""
    agents_by_template: dict[str, list[Agent]] = {}
    for agent in agents.list_agents(cursor):
        agents_by_template.setdefault(agent.template, []).append(agent)
    listed = []
    for entry in list_entries(cursor):
        if entry.kind is not EntryKind.AGENT:
            continue
        manifest, version_id = read_template(cursor, entry.name)
        installed = agents_by_template.get(entry.name, [])
        listed.append(
            Template(
                slug=entry.name,
                name=manifest.agent.name,
                description=manifest.agent.description,
                accent_colour=manifest.agent.accent_colour,
                version=version_id,
                tools=manifest.agent.tools,
                installed=bool(installed),
                changed=any(agent.template_version != version_id for agent in installed),
                built_in=entry.built_in,
                agents=tuple(agent.slug for agent in installed),
            )
        )
    return tuple(sorted(listed, key=lambda item: item.name))


def _read_fit_manifest(cursor: Connection, text: str, known_tools: Collection[str]) -> Manifest:
    manifest = read_portable(text)
    _check_manifest(cursor, manifest, known_tools)
    return manifest


def _check_manifest(cursor: Connection, manifest: Manifest, known_tools: Collection[str]) -> None:
    """Refuse a manifest that names a tool, an entry or an agent which is not there.

    Raises:
        UnfitError: it does, or a fact that it seeds is nothing that may be remembered.
        ConflictError: another agent is called by that name.

    """
    _must_have_own_name(cursor, manifest)
    check_references(cursor, manifest)
    check_delegates(cursor, manifest)
    check_seeds(manifest)
    unknown = sorted(set(manifest.agent.tools) - set(known_tools))
    if unknown:
        raise UnfitError(f"the manifest: there is no tool or group {unknown[0]!r}")
    asks_for = set(manifest.agent.governance.requires_approval_for)
    unheeded = sorted(asks_for - set(known_tools) - set(Effect))
    if unheeded:
        raise UnfitError(
            f"the manifest: key 'governance.requires_approval_for': {unheeded[0]!r} is no tool, "
            f"no group and no effect ({', '.join(Effect)})"
        )


def _must_have_own_name(cursor: Connection, manifest: Manifest) -> None:
    """Refuse a name that people read, or call, another agent by; one that it has stays.

    Raises:
        ConflictError: there is such an agent.

    """
    slug, names = manifest.agent.slug, {manifest.agent.slug, _as_called(manifest.agent.name)}
    others = {agent.slug: agent for agent in agents.list_agents(cursor)}
    before = others.pop(slug, None)
    if before is not None and before.name == manifest.agent.name:
        return
    for other in others.values():
        if names & {other.slug, _as_called(other.name)}:
            raise ConflictError(f"there is an agent called {other.name!r}; name this one otherwise")


def _as_called(name: str) -> str:
    """Return a name as it stands behind an `@`."""
    return name.casefold().replace(" ", "-")


def _install_manifest(
    cursor: Connection,
    manifest: Manifest,
    origin: Origin,
    reason: str,
    now: datetime,
    owner: str = "",
) -> Agent:
    slug = manifest.agent.slug
    before = {agent.slug: agent for agent in agents.list_ever_installed(cursor)}.get(slug)
    if before is not None and before.state is not AgentState.DELETED:
        raise ConflictError(f"there is an agent {slug!r}; change it, or delete it first")
    return _write_version(cursor, manifest, before, origin, reason, now, owner)


def _write_version(
    cursor: Connection,
    manifest: Manifest,
    before: Agent | None,
    origin: Origin,
    reason: str,
    now: datetime,
    owner: str = "",
) -> Agent:
    """Write an agent as a manifest makes it, as one more version; a new one of an owner's tests."""
    agent = build_agent(manifest, before, origin, now, owner)
    earlier = None
    if before is not None and before.since == agent.since:
        earlier = read_portable(read_version(cursor, before.slug, before.version).manifest)
    agents.install(cursor, agent, write_portable(manifest), reason, now)
    if before is not None and earlier is None:  # what work of the one before has left since
        hand_over_layer(cursor, _layer_of_agent(agent.slug), ORGANIZATION_LAYER, now)
    seed_memory(cursor, manifest, earlier, origin.author, now)
    audit.append(
        cursor,
        actor=origin.author,
        action="install agent" if agent.since == agent.version else "change agent",
        subject=f"agent:{agent.slug}",
        detail=f"version {agent.version}: {reason}",
        now=now,
    )
    return agent
