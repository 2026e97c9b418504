"""Words for what a value has to be: of people who write settings and files, not of a library."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "finite_number": "a number",
    "bool": "true or false",
    "tuple": 'a list, like ["one", "two"]',
    "list": 'a list, like ["one", "two"]',
    "dict": "a mapping of keys and values",
    "model_type": "a mapping of keys and values",
    "string_type": "text in quotes",
    "string_too_short": "filled in",
    "path_type": "the path of a file or folder, in quotes",
}
"""What a value has to be, by the beginning of the kind of error."""
BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


def describe_wanted(first: "ErrorDetails") -> str:
    """Return what a value has to be, from pydantic's description of what is wrong with it."""
    context = first.get("ctx", {})
    if first["type"] == "value_error":
        return f"cannot be used: {first['msg'].removeprefix('Value error, ')}"
    if first["type"] in ("literal_error", "enum"):
        return f"has to be {context['expected']}"
    for name, words in BOUNDS.items():
        if name in context:
            return f"has to be {words} {context[name]:g}"
    starts: Callable[[str], bool] = first["type"].startswith
    kind = next((words for beginning, words in KINDS.items() if starts(beginning)), "")
    return f"has to be {kind}" if kind else f"cannot be used: {first['msg']}"
