"""An agent as one text: its manifest with the prompt in it, as it is kept, exported and compared.

Secrets are never in it: a manifest names them, and holds none.
"""

import difflib

from data.agent_settings import fields_asked_of, fit_settings
from data.errors import ManifestError, UnfitError
from data.manifest import Manifest
from data.manifest_files import parse_yaml, validate_values
from data.records.core.manifest_format import (
    AgentManifest,
    AgentMemory,
    ListeningModes,
    PlatformExecution,
)
from data.yaml_text import yaml_text

LONGEST = 200_000
"""Characters of a manifest with its prompt."""

_UNSAID: dict[str, object] = {
    "configuration": {},
    "suggestions_in": {},
    "memory": AgentMemory(),
    "listening": ListeningModes(),
}
"""Keys that are not written where they say nothing, so that a text of old stays the same."""


def write_portable(manifest: Manifest) -> str:
    """Return an agent as one text; the same agent gives the same bytes."""
    content = manifest.agent.model_dump(mode="json", exclude_none=True)
    for key, nothing in _UNSAID.items():
        if getattr(manifest.agent, key) == nothing:
            del content[key]
    for asked in content["configuration_schema"]:
        if asked["asked_of"] == "organization":
            del asked["asked_of"]
    if isinstance(manifest.agent.execution, PlatformExecution):
        content["execution"] = {"type": "platform", "system_prompt": manifest.prompt}
    return yaml_text(content)


def read_portable(text: str) -> Manifest:
    """Return the agent that a text holds.

    Raises:
        UnfitError: it is no manifest with its prompt in it; names the key and what to do.

    """
    if len(text) > LONGEST:
        raise UnfitError(f"a manifest has at most {LONGEST} characters")
    try:
        agent = validate_values(
            AgentManifest, parse_yaml(text, "the manifest"), "the manifest", text
        )
        fit_settings(fields_asked_of(agent, "organization"), agent.configuration)
    except ManifestError as error:
        raise UnfitError(str(error)) from error
    execution = agent.execution
    prompt = execution.system_prompt if isinstance(execution, PlatformExecution) else ""
    if isinstance(execution, PlatformExecution) and not (prompt or "").strip():
        raise UnfitError("the manifest: write the prompt itself as execution.system_prompt")
    return Manifest(agent=agent, prompt=(prompt or "").strip() + "\n", file="")


def difference(before: str, after: str, names: tuple[str, str]) -> str:
    """Return what two texts have different, line by line; empty where they are the same."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="", n=2)
    return "\n".join(lines)
