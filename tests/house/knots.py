"""Folders and files that stand side by side, and which of them import each other in turn."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from tests.house.tree import PACKAGES, ROOT, modules, nodes_of


def _names() -> frozenset[str]:
    """Return the dotted name of every module of ours."""
    return frozenset(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in modules()
    )


def _edges() -> Iterator[tuple[str, str]]:
    """Give each module with each that it imports, for types too."""
    names = _names()
    for path in modules():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for node in nodes_of(path):
            if isinstance(node, ast.Import):
                yield from ((module, alias.name) for alias in node.names if alias.name in names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    target = inner if inner in names else node.module
                    if target.partition(".")[0] in PACKAGES:
                        yield module, target


def knots() -> Iterator[str]:
    """No folder or file imports one beside it that imports it in turn, directly or by others."""
    beside: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, target in _edges():
        own, other = module.split("."), target.split(".")
        same = 0
        while same < min(len(own), len(other)) and own[same] == other[same]:
            same += 1
        if same and same < min(len(own), len(other)):
            beside[".".join(own[:same])][own[same]].add(other[same])
    for folder, graph in sorted(beside.items()):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            yield f"{folder}: {' ← '.join(error.args[1])}"


RULES = (knots,)
