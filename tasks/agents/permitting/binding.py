"""What a person's yes to a call is bound to: exactly this call of exactly this agent."""

import hashlib
import json

from pydantic import JsonValue


def canonical(arguments: JsonValue) -> str:
    """Return arguments as one text that is the same for the same arguments."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def call_hash(agent: str, version: int, tool: str, arguments: JsonValue) -> str:
    """Return the hash of a call; another agent, version, tool or argument gives another one."""
    parts = ("postern call 1", agent, str(version), tool, canonical(arguments))
    framed = "".join(f"{len(part.encode())}:{part}" for part in parts)
    return hashlib.sha256(framed.encode()).hexdigest()
