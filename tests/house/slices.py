"""A rule about the slices of the tests: they stand on each other as those of the product do."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import ROOT, modules, named, nodes_of

ABOVE = {"core": {"mail", "agents"}, "mail": {"agents"}, "agents": set[str](), "house": set[str]()}
"""What the tests of a slice, and what helps them, know nothing of."""
SLICED = ("data.records", "data.store", "tasks", "flows", "ui")


def tests_beyond_their_slice() -> Iterator[str]:
    """Tests of the core import no tests of mail or agents; those of mail nothing of agents.

    What the core's tests look at may be mail: the screen screens mail, and stages work over a line.
    """
    for path in modules("tests"):
        place, *inner = path.relative_to(ROOT / "tests").parts
        if inner and place not in ABOVE:
            yield f"{named(path)}: {place} is no slice; they are {', '.join(ABOVE)}"
            continue
        if not inner and path.name.startswith(("test_", "conftest")):
            continue  # tests of the whole, and what holds for all
        above = ABOVE[place] if inner else set(ABOVE)
        barred = [f"tests.{name}." for name in above]
        barred += [f"{part}.agents." for part in SLICED if inner and "agents" in above]
        for name in sorted(_imported(path)):
            if name.startswith(tuple(barred)):
                yield f"{named(path)}: it imports {name[:-1]}"


def _imported(path: Path) -> set[str]:
    """Return what a file imports, wherever it does, by whole names that end in a dot."""
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names.update(f"{alias.name}." for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}." for alias in node.names)
    return names


RULES = (tests_beyond_their_slice,)
