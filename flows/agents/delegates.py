"""The delegation set of an agent: whom it may hand work to, checked before it is kept."""

from collections.abc import Mapping, Sequence

from data.errors import UnfitError
from data.manifest import Manifest
from data.portable import read_portable
from data.store.agents import agents
from data.store.core.database import Connection


def check_delegates(cursor: Connection, manifest: Manifest) -> None:
    """Refuse a delegation set that names no agent here, or that leads back to the agent itself.

    Raises:
        UnfitError: it does, and the way round is named; or the agent's level is `tools_only`.

    """
    own = manifest.agent.slug
    if manifest.agent.delegates and manifest.agent.capability_level == "tools_only":
        raise UnfitError(
            "the manifest: an agent of the capability_level tools_only has no delegates; "
            "write workflow, or take them out"
        )
    delegates = {
        agent.slug: _read_delegates(cursor, agent.slug) for agent in agents.list_agents(cursor)
    }
    delegates[own] = tuple(delegate.agent_ref for delegate in manifest.agent.delegates)
    unknown = sorted(set(delegates[own]) - set(delegates))
    if unknown:
        raise UnfitError(f"the manifest: key 'delegates': there is no agent {unknown[0]!r} here")
    if way := find_way_round(own, delegates):
        raise UnfitError(f"the manifest: key 'delegates' leads in a circle: {' → '.join(way)}")


def _read_delegates(cursor: Connection, slug: str) -> tuple[str, ...]:
    manifest = read_portable(agents.list_versions(cursor, slug)[0].manifest)
    return tuple(delegate.agent_ref for delegate in manifest.agent.delegates)


def find_way_round(start: str, delegates: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a way on which an agent delegates to itself by others; empty where there is none."""
    ways: list[tuple[str, ...]] = [(start,)]
    reached = set[str]()
    while ways:
        way = ways.pop(0)
        for onward in delegates.get(way[-1], ()):
            if onward == start:
                return (*way, start)
            if onward not in reached:
                reached.add(onward)
                ways.append((*way, onward))
    return ()
