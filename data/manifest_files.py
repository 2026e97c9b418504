"""Reading YAML that people write, and saying what is wrong with it in one sentence.

YAML 1.1, which PyYAML reads by itself, has traps: `no` is false, `17:30` is the number 1050, a
second key of the same name wins in silence. Here only the types of the YAML 1.2 core schema are
recognised (null, true and false, numbers; section 10.3.2 of that document) and a double key is
an error. Dates stay text; the record that takes them reads them.
"""

import difflib
import hashlib
import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from data.errors import ManifestError
from data.fault_words import describe_wanted
from data.word_lists import FastSafeLoader

ModelT = TypeVar("ModelT", bound=BaseModel)

BUILT_IN = Path(__file__).resolve().parent.parent / "manifests"
"""Where the built-in files lie, in the source tree and in an installed wheel alike."""


class _CoreLoader(FastSafeLoader):
    """Safe YAML with the types of the 1.2 core schema and without double keys."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Build a mapping; a key that comes twice is an error with its line."""
        keys_seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} is not text; put it in quotes", key_node.start_mark
                )
            if key in keys_seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} comes twice; keep one of them", key_node.start_mark
                )
            keys_seen.add(key)
        return super().construct_mapping(node, deep)


for _tag, _pattern, _first in (
    ("null", r"(?:~|null|Null|NULL|)", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
):
    _CoreLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^{_pattern}$"), _first
    )


def parse_yaml(text: str, name: str) -> dict[str, object]:
    """Read one YAML mapping; an empty text is an empty mapping.

    Raises:
        ManifestError: not YAML, not a mapping, or a key comes twice; names the file and line.

    """
    try:
        value = yaml.load(text, _CoreLoader)  # noqa: S506  # a subclass of SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f" at line {mark.line + 1}" if mark else ""
        raise ManifestError(f"{name!r} is not valid YAML{line}: {error.problem}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ManifestError(f"{name!r} is not valid YAML: {error}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ManifestError(f"{name!r} holds no settings; write `key: value` lines")
    return value


def read_text(path: Path) -> str:
    """Return a file's text.

    Raises:
        ManifestError: the file is missing, unreadable, or not UTF-8.

    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ManifestError(f"{str(path)!r} does not exist; create it or name another") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ManifestError(
            f"{str(path)!r} cannot be read: {error}; save it as UTF-8 text that we may read"
        ) from error


def validate_values(
    model: type[ModelT], values: Mapping[str, object], name: str, text: str = ""
) -> ModelT:
    """Make a record of what a file holds; `text` is the YAML that it was read from.

    Raises:
        ManifestError: names the file, the key, its line in the text, and what to do about it.

    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise ManifestError(explain(error, model, name, text)) from error


def explain(error: ValidationError, model: type[BaseModel], name: str, text: str = "") -> str:
    """Say in one sentence what the first problem of a file is, and how many more there are."""
    problems = error.errors(include_url=False)
    # an unknown key first: it is often why another one is missing
    first = min(problems, key=lambda problem: problem["type"] != "extra_forbidden")
    key = ".".join(str(part) for part in first["loc"]) or "the file"
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(
            str(first["loc"][-1]), sorted(_keys(model)), n=1, cutoff=0.65
        )
        hint = f"write {near[0]!r} or remove it" if near else "remove it"
        problem = f"{name!r}: key {key!r} is not known; {hint}"
    elif first["type"] == "missing":
        problem = f"{name!r}: key {key!r} is missing; add it"
    else:
        problem = f"{name!r}: key {key!r} {describe_wanted(first)}"
    line, more = _line_of(text, first["loc"]), len(problems) - 1
    beside = [f"line {line}"] * (line > 0) + [f"and {more} more"] * (more > 0)
    return f"{problem} ({', '.join(beside)})" if beside else problem


def _line_of(text: str, place: Sequence[str | int]) -> int:
    """Return the line of the nearest key to a place that a YAML text has; 0 for none."""
    node, line = (yaml.compose(text, _CoreLoader) if text else None), 0
    for part in place:
        if isinstance(node, yaml.MappingNode):
            keyed = [pair for pair in node.value if pair[0].value == part]
            if keyed:
                (key, node) = keyed[0]
                line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            node = node.value[part] if part < len(node.value) else None
            line = node.start_mark.line + 1 if node is not None else line
    return line


def _keys(model: type[BaseModel]) -> Iterator[str]:
    """Yield every key that the model or a model inside it knows."""
    schema = model.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        yield from part.get("properties", ())


def content_hash(*values: object) -> str:
    """Return 12 hexadecimal digits that change whenever one of the values does."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
