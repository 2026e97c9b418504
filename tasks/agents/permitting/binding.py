"""The binding of a person's yes: exactly this call of exactly this agent."""

import hashlib
import json

from pydantic import JsonValue


def as_canonical_text(arguments: JsonValue) -> str:
    """Return arguments as one text that is the same for the same arguments."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def hash_of_call(
    agent: str, version: int, tool: str, arguments: JsonValue, goes_to: str = ""
) -> str:
    """Return the hash of a call; another agent, version, tool or argument gives another one.

    So does another place outside that the call goes to, where the tool has one.
    """
    parts = ["postern call 1", agent, str(version), tool, as_canonical_text(arguments)]
    parts += [goes_to] if goes_to else []
    framed = "".join(f"{len(part.encode())}:{part}" for part in parts)
    return hashlib.sha256(framed.encode()).hexdigest()
