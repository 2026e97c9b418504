"""The roster: which agents there are, what they are told, and what the policy allows.

Built-in manifests, prompts and the default policy lie in `manifests/`. An organization has its
own files in its folder, laid out alike (`agents/*.yaml`, `prompts/*.md`); the same slug wins,
file for file. `python -m data.manifest write` renews the JSON schemas that editors use.
"""

import json
import sys
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from data.errors import ManifestError, NotFoundError
from data.manifest_files import BUILT_IN, content_hash, parse_yaml, read_text, validate_values
from data.records.core.manifest_format import AgentManifest, ModelTier, PlatformExecution
from data.records.core.organization import Policy
from data.records.core.record import Record

__all__ = [
    "BUILT_IN",
    "Manifest",
    "Roster",
    "load_roster",
    "read_manifest",
    "schema_text",
]

SCHEMAS: dict[str, type[BaseModel]] = {"agent": AgentManifest, "policy": Policy}


class Manifest(Record):
    """One agent, ready for use."""

    agent: AgentManifest
    """What its file says."""
    prompt: str
    """The system prompt; empty for an external agent."""
    file: str
    """Path of the file it was read from."""

    @property
    def version_id(self) -> str:
        """Version and content hash, e.g. `1.0.0+9f2c11e07a3b`; what the journal keeps."""
        content = content_hash(self.agent.model_dump(mode="json"), self.prompt)
        return f"{self.agent.metadata.version}+{content}"


class Roster(Record):
    """All agents of one organization, by slug."""

    manifests: tuple[Manifest, ...]

    @property
    def version(self) -> str:
        """Content hash over all agents and prompts, 12 hexadecimal digits."""
        return content_hash([(m.agent.slug, m.version_id) for m in self.manifests])

    def of(self, slug: str) -> Manifest:
        """Return one agent.

        Raises:
            NotFoundError: there is no agent of that slug.

        """
        for manifest in self.manifests:
            if manifest.agent.slug == slug:
                return manifest
        slugs = ", ".join(manifest.agent.slug for manifest in self.manifests)
        raise NotFoundError(f"no agent has the slug {slug!r}; there are {slugs}")

    def tier(self, slug: str) -> ModelTier:
        """Return the class of model of an agent; fast when the manifest does not say."""
        return self.of(slug).agent.model_preference.tier or ModelTier.FAST


def load_roster(built_in: Path = BUILT_IN, override: Path | None = None) -> Roster:
    """Read all manifests; those of the folder `override`, if it exists, win by slug.

    Raises:
        ManifestError: a file is not usable, or a slug comes twice in one folder; names the file,
            the key and what to do.

    """
    manifests = _built_in_manifests() if built_in == BUILT_IN else read_folder(built_in)
    chosen = {manifest.agent.slug: manifest for manifest in manifests}
    if override is not None and (override / "agents").is_dir():
        chosen |= {manifest.agent.slug: manifest for manifest in read_folder(override)}
    roster = Roster(manifests=tuple(chosen[slug] for slug in sorted(chosen)))
    _check_delegates(roster)
    return roster


@cache
def _built_in_manifests() -> tuple[Manifest, ...]:
    """Return what the program brings with it, which stays as it is while it runs."""
    return tuple(read_folder(BUILT_IN))


def read_folder(root: Path) -> list[Manifest]:
    """Return the agents of the folder `agents` below `root`, in the order of their files.

    Raises:
        ManifestError: a file is not usable, or a slug comes twice.

    """
    by_slug: dict[str, Manifest] = {}
    for path in sorted((root / "agents").glob("*.yaml")):
        manifest = read_manifest(path, root)
        slug = manifest.agent.slug
        if slug in by_slug:
            raise ManifestError(
                f"{str(path)!r}: slug {slug!r} is taken by {by_slug[slug].file!r}; rename one"
            )
        by_slug[slug] = manifest
    return list(by_slug.values())


def read_manifest(path: Path, root: Path) -> Manifest:
    """Read one manifest with its prompt, which must lie inside the folder `root`.

    Raises:
        ManifestError: the file or its prompt is not usable; names file, key and what to do.

    """
    text = read_text(path)
    agent = validate_values(AgentManifest, parse_yaml(text, str(path)), str(path), text)
    return Manifest(agent=agent, prompt=_prompt(agent, path, root), file=str(path))


def _prompt(agent: AgentManifest, path: Path, root: Path) -> str:
    execution = agent.execution
    if not isinstance(execution, PlatformExecution):
        return ""
    text = execution.system_prompt or ""
    if execution.system_prompt_ref is not None:
        prompt_path = (path.parent / execution.system_prompt_ref).resolve()
        if not prompt_path.is_relative_to(root.resolve()):
            raise ManifestError(
                f"{str(path)!r}: key 'execution.system_prompt_ref' leaves {str(root)!r}; "
                "put the prompt into its folder prompts"
            )
        text = read_text(prompt_path)
    if not text.strip():
        raise ManifestError(f"{str(path)!r}: the system prompt is empty; write one")
    return text.strip() + "\n"


def _check_delegates(roster: Roster) -> None:
    slugs = {manifest.agent.slug for manifest in roster.manifests}
    for manifest in roster.manifests:
        for delegate in manifest.agent.delegates:
            if delegate.agent_ref not in slugs:
                raise ManifestError(
                    f"{manifest.file!r}: key 'delegates' names {delegate.agent_ref!r}, "
                    f"which is no agent here; choose from {', '.join(sorted(slugs))}"
                )


def schema_text(name: str) -> str:
    """Return the JSON schema of `agent` or `policy` files, as it is committed."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **SCHEMAS[name].model_json_schema(),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _main(arguments: list[str]) -> int:
    if arguments == ["write"]:
        for name in SCHEMAS:
            (BUILT_IN / "schema" / f"{name}.schema.json").write_text(
                schema_text(name), encoding="utf-8"
            )
        return 0
    if len(arguments) == 1 and arguments[0] in SCHEMAS:
        sys.stdout.write(schema_text(arguments[0]))
        return 0
    sys.stderr.write("usage: python -m data.manifest agent|policy|write\n")
    return 2


if __name__ == "__main__":
    raise SystemExit(_main(sys.argv[1:]))
