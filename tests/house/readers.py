"""Rules about switches: whatever can be set is read somewhere, or setting it would do nothing."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache

from tests.house.doors import named_last
from tests.house.tree import ROOT, modules, named, nodes_of

ORGANIZATION = "data/records/core/organization.py"
SWITCHES = (
    ("data/settings.py", "Settings", ("settings",)),
    ("data/model_settings.py", "ModelSettings", ("settings",)),
    (ORGANIZATION, "Policy", ("policy",)),
    (ORGANIZATION, "AgentTools", ("agent_tools", "policy")),
    (ORGANIZATION, "HttpService", ("service",)),
    (ORGANIZATION, "ServiceParameter", ("parameter",)),
    (ORGANIZATION, "AutonomyRule", ("rule",)),
    (ORGANIZATION, "Caps", ("caps",)),
)
"""Whose fields are switches, and by which names such a record is read."""


def switches_without_a_reader() -> Iterator[str]:
    """Each setting and each key of the policy has a reader outside of its definition."""
    for file, name, owners in SWITCHES:
        of_class = next(
            node
            for node in nodes_of(ROOT / file)
            if isinstance(node, ast.ClassDef) and node.name == name
        )
        readers = {
            attribute
            for path, owner, attribute in _reads()
            if path != file and owner.endswith(owners)
        }
        for part in of_class.body:  # what a property makes of a field is read where the property is
            if isinstance(part, ast.FunctionDef) and part.name in readers:
                readers |= {
                    attribute for owner, attribute in _reads_in(ast.walk(part)) if owner == "self"
                }
        for part in of_class.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                switch = part.target.id
                if switch not in readers:
                    yield f"{file}: nobody reads {name}.{switch}"


@cache
def _reads() -> frozenset[tuple[str, str, str]]:
    """Return the file of each attribute that is read, the last name of its owner, and its own."""
    return frozenset(
        (named(path), owner, attribute)
        for path in modules("data", "tasks", "connectors", "flows", "ui")
        for owner, attribute in _reads_in(nodes_of(path))
    )


def _reads_in(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield named_last(node.value), node.attr


RULES = (switches_without_a_reader,)
