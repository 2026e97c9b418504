"""The library for agents: what came with Postern, and what the organization has written itself.

An entry is a template of an agent, or a strategy of memory: which context a model gets, and what
is kept. The platform dispatches, the library decides (docs/agents.md#library). No entry is
overwritten: who names `mine@2` has the second wording for good, who names `mine` the newest.
"""

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, TypeVar

from data.errors import ConflictError, ManifestError, NotFoundError, UnfitError
from data.knowledge_libraries import libraries_of
from data.manifest import Manifest
from data.manifest_files import content_hash, parse_yaml, read_text, validate_values
from data.portable import read_portable, write_portable
from data.records.agents.library import (
    EntryKind,
    EntryUse,
    LibraryEntry,
    LibraryVersion,
    NewEntry,
)
from data.records.core.manifest_format import AgentManifest
from data.store.agents import agents, library
from data.store.core import audit, kept_knowledge, learned
from data.store.core.database import Connection
from data.store.core.loaded import read_knowledge
from data.strategy_format import Assembly, Extraction
from flows.agents.lifecycle import BY_POSTERN, CATALOGUE, read_catalogue

_STRATEGIES: dict[EntryKind, type[Assembly] | type[Extraction]] = {
    EntryKind.ASSEMBLY: Assembly,
    EntryKind.EXTRACTION: Extraction,
}
StrategyT = TypeVar("StrategyT", bound=Assembly | Extraction)


class EntryName(NamedTuple):
    """An entry as something names it."""

    kind: EntryKind
    name: str
    version: int
    """0 for the newest."""

    @classmethod
    def parse(cls, kind: EntryKind, ref: str) -> "EntryName":
        """Return what a reference `name` or `name@version` names."""
        name, _, version = ref.partition("@")
        return cls(kind, name, int(version or 0))


@lru_cache(maxsize=1)
def read_built_in() -> dict[tuple[EntryKind, str], str]:
    """Return the content of what came with Postern, by kind and name."""
    there = {
        (EntryKind.AGENT, slug): write_portable(template)
        for slug, template in read_catalogue().items()
    }
    for kind, form in _STRATEGIES.items():
        for path in sorted((CATALOGUE / kind).glob("*.yaml")):
            text = read_text(path)
            there[kind, validate_values(form, parse_yaml(text, str(path)), str(path)).name] = text
    return there


def list_entries(cursor: Connection) -> tuple[LibraryEntry, ...]:
    """Return what the library has, Postern's own entries first."""
    uses = _list_uses(cursor)
    listed = [
        _build_entry(kind, name, LibraryVersion(version=0, content=text, author=BY_POSTERN), uses)
        for (kind, name), text in read_built_in().items()
    ]
    listed += [
        _build_entry(EntryKind(row.kind), row.name, row.wording, uses)
        for row in library.list_newest(cursor)
        if row.content
    ]
    return tuple(sorted(listed, key=lambda entry: (entry.kind, not entry.built_in, entry.name)))


def _build_entry(
    kind: EntryKind, name: str, wording: LibraryVersion, uses: dict[tuple[EntryKind, str], set[str]]
) -> LibraryEntry:
    return LibraryEntry(
        kind=kind,
        name=name,
        version=wording.version,
        hash=content_hash(wording.content),
        description=" ".join(_read_description(kind, wording.content).split()),
        built_in=wording.version == 0,
        used_by=tuple(sorted(uses.get((kind, name), ()))),
    )


def _read_description(kind: EntryKind, content: str) -> str:
    """Return the description of an entry.

    Raises:
        UnfitError: it is none.

    """
    if kind is EntryKind.AGENT:
        return read_portable(content).agent.description
    return _read_strategy_text(_STRATEGIES[kind], content).description


def _read_strategy_text(form: type[StrategyT], content: str) -> StrategyT:
    """Return what the content of an entry says.

    Raises:
        UnfitError: it is no strategy of that kind; names the key.

    """
    try:
        return validate_values(form, parse_yaml(content, "the entry"), "the entry", content)
    except ManifestError as error:
        raise UnfitError(str(error)) from error


def _list_uses(cursor: Connection) -> dict[tuple[EntryKind, str], set[str]]:
    """Return the agents that name each entry now, or were made from it."""
    used: dict[tuple[EntryKind, str], set[str]] = {}
    for agent in agents.list_agents(cursor):
        memory = read_portable(agents.list_versions(cursor, agent.slug)[0].manifest).agent.memory
        for entry_ref in (
            EntryName(EntryKind.AGENT, agent.template, 0),
            EntryName.parse(EntryKind.ASSEMBLY, memory.assembly),
            EntryName.parse(EntryKind.EXTRACTION, memory.extraction),
        ):
            used.setdefault((entry_ref.kind, entry_ref.name), set()).add(agent.slug)
    return used


def list_versions(cursor: Connection, kind: EntryKind, name: str) -> list[LibraryVersion]:
    """Return every wording of an entry, the newest first.

    Raises:
        NotFoundError: the library has no such entry.

    """
    if (text := read_built_in().get((kind, name))) is not None:
        return [LibraryVersion(version=0, content=text, author=BY_POSTERN)]
    wordings = library.list_versions(cursor, kind, name)
    if not wordings:
        raise NotFoundError(_describe_missing(cursor, kind, name))
    return wordings


def _describe_missing(cursor: Connection, kind: EntryKind, name: str) -> str:
    there = ", ".join(entry.name for entry in list_entries(cursor) if entry.kind is kind)
    return f"the library has no {kind} {name!r}; it has {there}"


def read_wording(cursor: Connection, entry_ref: EntryName) -> LibraryVersion:
    """Return an entry in the wording that is named.

    Raises:
        NotFoundError: there is no such entry or wording, or it was taken out.

    """
    wordings = list_versions(cursor, entry_ref.kind, entry_ref.name)
    chosen = wordings[0]
    if entry_ref.version:
        numbered = [each for each in wordings if each.version == entry_ref.version]
        if not numbered:
            raise NotFoundError(
                f"the {entry_ref.kind} {entry_ref.name!r} has no version {entry_ref.version}"
            )
        chosen = numbered[0]
    if not chosen.content:
        raise NotFoundError(f"the {entry_ref.kind} {entry_ref.name!r} was taken out of the library")
    return chosen


def read_strategy(
    cursor: Connection, form: type[StrategyT], ref: str
) -> tuple[StrategyT, EntryUse]:
    """Return a strategy that a manifest names, and which wording that is.

    Raises:
        NotFoundError: the library has it not, or not any more.

    """
    kind = EntryKind.ASSEMBLY if form is Assembly else EntryKind.EXTRACTION
    chosen = read_wording(cursor, EntryName.parse(kind, ref))
    use = EntryUse(ref=ref, version=chosen.version, hash=content_hash(chosen.content))
    return _read_strategy_text(form, chosen.content), use


def check_references(cursor: Connection, manifest: Manifest) -> None:
    """Refuse a manifest that names a strategy or a library of knowledge which is not there.

    Raises:
        UnfitError: it does; names what there is.

    """
    memory = manifest.agent.memory
    try:
        read_strategy(cursor, Assembly, memory.assembly)
        read_strategy(cursor, Extraction, memory.extraction)
    except NotFoundError as error:
        raise UnfitError(f"the manifest: {error}") from error
    assigned = {each.library_ref for each in manifest.agent.knowledge.library_assignments}
    if not assigned:
        return
    there = list_knowledge_libraries(cursor)
    if unknown := sorted(assigned - there):
        raise UnfitError(
            f"the manifest: the knowledge has no library {unknown[0]!r}, a tag or a folder; it has "
            f"{', '.join(sorted(there)) or 'none'}"
        )


def list_knowledge_libraries(cursor: Connection) -> frozenset[str]:
    """Return the names of the libraries that there are: tags and folders of the knowledge."""
    written = kept_knowledge.overlay_entries(cursor, read_knowledge(cursor))
    entries_known = (*written, *learned.list_for_index(cursor, datetime.date))
    return frozenset().union(*map(libraries_of, entries_known))


def group_libraries(agent: AgentManifest) -> tuple[tuple[str, ...], ...]:
    """Return the libraries that an agent draws from, those of one priority together."""
    by_priority: dict[int, list[str]] = {}
    for assigned in agent.knowledge.library_assignments:
        by_priority.setdefault(assigned.priority, []).append(assigned.library_ref)
    return tuple(tuple(by_priority[priority]) for priority in sorted(by_priority))


def write_entry(
    cursor: Connection, kind: EntryKind, name: str, order: NewEntry, actor: str, now: datetime
) -> LibraryVersion:
    """Write an entry, or another wording of it; the same one again is none.

    Raises:
        ConflictError: it has another version by now, or it is one of Postern's own.
        UnfitError: the text is no such entry, or bears another name.

    """
    if (kind, name) in read_built_in():
        raise ConflictError(f"{name!r} came with Postern and stays; call yours otherwise")
    wordings = library.list_versions(cursor, kind, name)
    newest = wordings[0].version if wordings else 0
    if order.version is not None and order.version != newest:
        raise ConflictError(f"{name!r} has version {newest} by now; look at it")
    content = _fit_content(kind, name, order.content)
    if wordings and wordings[0].content == content:
        return wordings[0]
    new = LibraryVersion(version=newest + 1, content=content, author=actor, note=order.reason)
    _append_wording(cursor, kind, name, new, now)
    return new


def _fit_content(kind: EntryKind, name: str, content: str) -> str:
    """Return a text as the library keeps it.

    Raises:
        UnfitError: it is no such entry, or bears another name.

    """
    if kind is EntryKind.AGENT:
        manifest = read_portable(content)
        own, content = manifest.agent.slug, write_portable(manifest)
    else:
        own = _read_strategy_text(_STRATEGIES[kind], content).name
    if own != name:
        raise UnfitError(f"this text is of {own!r}; write it as that, or name it {name!r} in it")
    return content


def take_out_entry(
    cursor: Connection, kind: EntryKind, name: str, actor: str, now: datetime
) -> LibraryVersion:
    """Take an entry out of the library; who names one wording of it by its number keeps that.

    Raises:
        NotFoundError: there is no such entry.
        ConflictError: it came with Postern, or an agent names it.

    """
    if (kind, name) in read_built_in():
        raise ConflictError(f"{name!r} came with Postern and stays")
    newest = read_wording(cursor, EntryName(kind, name, 0))
    users = _list_uses(cursor).get((kind, name), set()) if kind is not EntryKind.AGENT else set()
    if users:
        raise ConflictError(f"{name!r} is named by {', '.join(sorted(users))}; change that first")
    ended = LibraryVersion(version=newest.version + 1, content="", author=actor, note="taken out")
    _append_wording(cursor, kind, name, ended, now)
    return ended


def _append_wording(
    cursor: Connection, kind: EntryKind, name: str, new: LibraryVersion, now: datetime
) -> None:
    library.write_wording(cursor, kind, name, new, now)
    audit.append(
        cursor,
        actor=new.author,
        action="write library entry" if new.content else "take out library entry",
        subject=f"library:{kind}/{name}",
        detail=f"version {new.version}: {new.note}",
        now=now,
    )


def read_template(cursor: Connection, name: str) -> tuple[Manifest, str]:
    """Return a template that agents are made from, and its version as agents keep it.

    Raises:
        NotFoundError: neither the catalogue nor the organization's library has it.

    """
    if (own := read_catalogue().get(name)) is not None:
        return own, own.version_id
    chosen = read_wording(cursor, EntryName(EntryKind.AGENT, name, 0))
    return read_portable(chosen.content), f"{chosen.version}+{content_hash(chosen.content)}"
