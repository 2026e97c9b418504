"""Text made to slow a screen down, and every pattern that must not mind."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import re2

import tasks.authenticate.authenticating
import tasks.screen
from data.lexicons.screen import read
from tasks.patterns import compiled

MEGABYTE = 1 << 20
UNITS = {
    "letters": "a",
    "numbers": "41 ",
    "tokens": "<|im_",
    "brackets": "[]((",
    "quotes": '"a=',
    "percent": "%4",
    "fences": "### ",
    "links": "http://a.b/?x=",
    "spaced": "a ",
    "order": "ignore all previous ",
    "roles": "system: ",
    "money": "you have won 1 million us dollars ",
    "look-alikes": "ignоrе ",
    "dots": "a.",
    "lines": " \n>",
}
INPUTS = {
    name: (unit * (MEGABYTE // len(unit.encode()) + 1))[:MEGABYTE] for name, unit in UNITS.items()
}


def patterns() -> Iterator[tuple[str, Any]]:
    """Yield every pattern of the package and of its lexicons."""
    modules: list[ModuleType] = [tasks.authenticate.authenticating]
    for found in pkgutil.walk_packages(tasks.screen.__path__, "tasks.screen."):
        modules.append(importlib.import_module(found.name))
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, re2._Regexp):
                yield f"{module.__name__}.{name}", value
    for lexicon in ("role_tokens", "spam"):
        for row in read(lexicon)["patterns"]:
            yield f"{lexicon}.{row['name']}", compiled(row["pattern"])
