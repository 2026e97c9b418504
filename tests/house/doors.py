"""Rules about doors: who asks a model, and what has no handle on anything that writes."""

import ast
from collections.abc import Iterator

from tests.house.tree import modules, named, nodes_of

DOORS = {
    "flows/core/thinker.py": "provider",
    "flows/agents/thinking.py": "thinker",
}
"""Who asks a model's provider, and who of the agents has a model asked."""


def models_asked_elsewhere() -> Iterator[str]:
    """One place asks a provider, within the caps; agents have one door to that place."""
    doors = set()
    for path in modules("data", "tasks", "connectors", "flows", "ui"):
        of_agents = named(path).startswith("flows/agents/")
        for node in nodes_of(path):
            if not isinstance(node, ast.Attribute) or node.attr != "ask":
                continue
            receiver = named_last(node.value)
            if receiver != "provider" and not (of_agents and receiver == "thinker"):
                continue
            doors.add(named(path))
            if DOORS.get(named(path)) != receiver:
                yield f"{named(path)}:{node.lineno}: it asks a {receiver}"
    for path in sorted(DOORS.keys() - doors):
        yield f"{path}: it asks no model any more; who does?"


def named_last(node: ast.expr) -> str:
    """Return the last name of an expression: `policy` of `a.policy`, of `policy` and of `policy()`.

    Empty where it ends in none.
    """
    if isinstance(node, ast.Call):
        return named_last(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


RULES = (models_asked_elsewhere,)
