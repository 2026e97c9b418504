"""A folder that describes an organization: its profile, its policy and its sources."""

import difflib
import shutil
from pathlib import Path

from pydantic import ValidationError

from data.errors import ManifestError, NotFoundError
from data.fault_words import describe_wanted
from data.manifest_files import parse_yaml, read_text
from data.policy_files import load_policy
from data.records.core.organization import Organization, Policy
from data.records.core.policies import PolicyPlace, PolicyState
from data.settings import Settings
from flows.operating.engine_api import Engine

PROFILE, POLICY = "organization.yaml", "policy.yaml"
SOURCES = ("knowledge", "saved_replies", "contacts.csv", "accounts.csv", "history.jsonl")


def read_profile(folder: Path) -> dict[str, object]:
    """Return the fields of `organization.yaml`; empty when the folder has none.

    Raises:
        NotFoundError: there is no such folder.
        ManifestError: the file is not a YAML mapping.

    """
    if not folder.is_dir():
        raise NotFoundError(f"there is no folder {str(folder)!r}; name one that exists")
    path = folder / PROFILE
    return parse_yaml(read_text(path), str(path)) if path.exists() else {}


def make_profile(fields: dict[str, object]) -> Organization:
    """Return the organization of these fields.

    Raises:
        ManifestError: a field is missing or cannot be used; the sentence names it.

    """
    try:
        return Organization.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            near = difflib.get_close_matches(name, Organization.model_fields, 1)
            hint = f"did you mean {near[0]!r}?" if near else "docs/configuration.md lists them"
            raise ManifestError(f"an organization has no field {name!r}; {hint}") from error
        raise ManifestError(
            f"{name!r} of the organization {describe_wanted(first)}; give it another value"
        ) from error


def sources_folder(settings: Settings, slug: str) -> Path:
    """Return where `sync` looks for an organization's files, as `Workspace.sources`."""
    return settings.organizations / slug / "sources"


def own_policy(settings: Settings, slug: str) -> Policy:
    """Return an organization's policy as its file says; the built-in one without a file.

    Raises:
        ManifestError: the file is not valid.

    """
    path = sources_folder(settings, slug) / POLICY
    return load_policy(*([path] if path.exists() else []))


def policy_of(engine: Engine, settings: Settings, slug: str) -> Policy:
    """Return the policy that counts: the one kept in Postern, else what the file says now.

    Raises:
        ManifestError: it is kept in the file, and that is not valid.

    """
    state = PolicyState.model_validate(engine.get(f"/v1/{slug}/policy"))
    if state.version.place is PolicyPlace.WINDOW:
        return state.policy
    return own_policy(settings, slug)


def copy_sources(folder: Path, settings: Settings, slug: str) -> list[str]:
    """Copy policy and sources to where `sync` looks for them; return what was copied.

    Raises:
        ManifestError: the policy is not valid; nothing was copied.

    """
    if (folder / POLICY).exists():
        load_policy(folder / POLICY)
    target = sources_folder(settings, slug)
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    copied = []
    for name in (POLICY, *SOURCES):
        source, goal = folder / name, target / name
        if source.is_dir():
            shutil.copytree(source, goal, dirs_exist_ok=True)
        elif source.exists():
            shutil.copyfile(source, goal)
        else:
            continue
        copied.append(name)
    return copied
