"""Schemas of functions as models are asked to call them, calls that fit, and a check of our own.

Each is built as the tools of HTTP services are, from names and types. What fits is decided here by
the schema that a model is shown, and not by what checks a call in Postern.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from data.records.core.record import Record
from data.records.core.tools import ToolResult
from flows.core.tools import Calling, Tool, Toolbox
from tests.agents.tools.declared import declared

Short = Annotated[str, Field(min_length=1, max_length=40)]
Code = Annotated[str, Field(pattern="^[A-Z]{3}$", examples=["EUR"])]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2026-03-02"])]
Moment = Annotated[
    str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$", examples=["2026-03-02T09:00"])
]
Percent = Annotated[float, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=1, le=99)]
Latitude, Longitude = (
    Annotated[float, Field(ge=-90, le=90)],
    Annotated[float, Field(ge=-180, le=180)],
)


class Place(Record):
    """Where something is."""

    latitude: Latitude
    longitude: Longitude
    name: Short | None = None


class Address(Record):
    """Where something goes."""

    street: Short
    town: Short
    country: Code
    place: Place | None = None


class Line(Record):
    """A line of an order."""

    article: Short
    count: Count
    price: Percent | None = None
    marks: tuple[Literal["gift", "fragile"], ...] = ()


class Filter(Record):
    """A condition."""

    field: Literal["name", "price", "made"]
    operator: Literal["=", "<", ">"] = "="
    value: str | float | bool | None


class Step(Record):
    """A step, with others in it."""

    title: Short
    steps: Annotated[tuple["Step", ...], Field(max_length=3)] = ()


FIELDS: dict[str, dict[str, Any]] = {
    "get_weather": {"town": Short, "unit": (Literal["celsius", "fahrenheit"], "celsius")},
    "convert_money": {
        "amount": float,
        "from_code": Code,
        "to_code": Code,
        "on": (Day | None, None),
    },
    "find_route": {
        "start": Place,
        "end": Place,
        "avoid": (tuple[Literal["tolls", "ferries"], ...], ()),
    },
    "send_parcel": {"to": Address, "weight": Percent, "insured": (bool, False)},
    "order_goods": {
        "lines": Annotated[tuple[Line, ...], Field(min_length=1, max_length=5)],
        "note": (str, ""),
    },
    "search_goods": {"filters": tuple[Filter, ...], "first": (Count, 10)},
    "make_plan": {"root": Step, "begins_at": Moment},
    "triangle_area": {"base": float, "height": float, "unit": (str, "m")},
    "factorial": {"number": Annotated[int, Field(ge=0, le=20)]},
    "roots": {"a": float, "b": float, "c": float},
    "mean": {"numbers": Annotated[tuple[float, ...], Field(min_length=1, max_length=9)]},
    "multiply": {"left": tuple[tuple[float, ...], ...], "right": tuple[tuple[float, ...], ...]},
    "book_table": {"at": Moment, "people": Count, "outside": (bool | None, None)},
    "book_flight": {
        "leaves": Code,
        "lands": Code,
        "on": Day,
        "class_of": (Literal["economy", "business"], "economy"),
        "bags": (Count | None, None),
    },
    "add_contact": {"name": Short, "mail": (Short | None, None), "phones": (tuple[Short, ...], ())},
    "set_lamp": {"room": Short, "level": Percent, "colour": (tuple[int, int, int] | None, None)},
    "set_alarm": {
        "hour": Annotated[int, Field(ge=0, le=23)],
        "minute": Annotated[int, Field(ge=0, le=59)],
        "days": (tuple[Literal["mo", "tu", "we"], ...], ()),
    },
    "translate": {
        "text": Annotated[str, Field(max_length=200)],
        "to_language": Literal["de", "fr", "es"],
    },
    "count_words": {"text": str, "by": (Literal["word", "line"], "word")},
    "tag_things": {"ids": tuple[int, ...], "tags": dict[str, str]},
    "set_prices": {"prices": dict[str, float]},
    "store_value": {"key": Short, "value": str | int | bool | None},
    "update_case": {"id": Short, "fields": dict[str, str | int]},
    "loan_rate": {"sum": float, "years": Count, "percent": Percent},
    "stock_price": {"code": Code, "since": (Day | None, None), "until": (Day | None, None)},
    "move_robot": {"to": Place, "speed": (Percent, 10.0)},
    "play_song": {"title": Short, "artist": (Short | None, None), "loud": (Percent | None, None)},
    "write_note": {"title": Short, "lines": Annotated[tuple[Short, ...], Field(max_length=4)]},
    "plot": {"points": tuple[tuple[float, float], ...], "log": (bool, False)},
    "rename": {"names": dict[str, Short]},
    "nothing": {},
    "vote": {"choice": Annotated[int, Field(ge=1, le=3)]},
    "schedule": {
        "first": Moment,
        "every": (Literal["day", "week"], "week"),
        "times": (Count | None, None),
    },
    "send_invoice": {
        "to": Address,
        "lines": Annotated[tuple[Line, ...], Field(min_length=1)],
        "due": Day,
    },
}
"""By name of the function, each parameter with its type, and what it is where it is left out."""


async def _done(calling: Calling, record: Record) -> ToolResult:
    del calling, record
    return ToolResult()


@cache
def invented_tools() -> Toolbox:
    """Return the functions as tools."""
    tools = []
    for name, fields in FIELDS.items():
        typed = {
            field: kind if isinstance(kind, tuple) else (kind, ...)
            for field, kind in fields.items()
        }
        takes: type[Record] = create_model(f"Of_{name}", __base__=Record, **typed)  # type: ignore[call-overload]
        tools.append(Tool(declared(name), takes, _done))
    return Toolbox(tools)


def resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in the place of a reference to it."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return whole["$defs"][name] if name else schema


def sample(schema: dict[str, Any], whole: dict[str, Any], levels: int) -> Any:  # noqa: ANN401
    """Return a value that fits a schema, so many levels of it with what may be left out."""
    schema = resolved(schema, whole)
    if "anyOf" in schema:
        return sample(schema["anyOf"][0 if levels else -1], whole, levels)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [""])[-1])
    kind, within = schema["type"], max(levels - 1, 0)
    if kind == "object":
        more, required = schema.get("additionalProperties"), schema.get("required", ())
        free = {"some name": sample(more, whole, within)} if isinstance(more, dict) else {}
        return free | {
            name: sample(part, whole, within)
            for name, part in schema.get("properties", {}).items()
            if levels or name in required
        }
    if kind == "array":
        if "prefixItems" in schema:
            return [sample(part, whole, within) for part in schema["prefixItems"]]
        count = max(schema.get("minItems", 0), int(levels > 0))
        return [sample(schema["items"], whole, within) for _ in range(count)]
    if kind == "string":
        return schema.get("examples", ["looms"])[0]
    return {"integer": 2, "number": 2.5, "boolean": True, "null": None}[kind]


def fits(value: Any, schema: dict[str, Any], whole: dict[str, Any]) -> bool:  # noqa: ANN401
    """Return whether a value is what a schema says."""
    schema = resolved(schema, whole)
    if "anyOf" in schema:
        return any(fits(value, part, whole) for part in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        choices = schema.get("enum", [schema.get("const")])
        return any(type(value) is type(choice) and value == choice for choice in choices)
    kind = schema.get("type")
    if kind == "object":
        return isinstance(value, dict) and _object_fits(value, schema, whole)
    if kind == "array":
        return isinstance(value, list) and _list_fits(value, schema, whole)
    if kind == "string":
        return isinstance(value, str) and _text_fits(value, schema)
    if kind in ("integer", "number"):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return (
            is_number
            and (kind == "number" or float(value).is_integer())
            and schema.get("minimum", value) <= value <= schema.get("maximum", value)
        )
    return isinstance(value, bool) if kind == "boolean" else value is None


def _object_fits(value: dict[str, Any], schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    named = schema.get("properties", {})
    more = schema.get("additionalProperties", False)
    return (
        set(schema.get("required", ())) <= set(value)
        and len(value) <= schema.get("maxProperties", len(value))
        and all(
            isinstance(of_part := named.get(name, more), dict) and fits(part, of_part, whole)
            for name, part in value.items()
        )
    )


def _list_fits(value: list[Any], schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    parts = schema.get("prefixItems") or [schema["items"]] * len(value)
    size = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
    return size and all(fits(one, part, whole) for one, part in zip(value, parts, strict=True))


def _text_fits(value: str, schema: dict[str, Any]) -> bool:
    assert "format" not in schema, "texts are held to patterns here"
    return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)) and (
        re.search(schema.get("pattern", ""), value) is not None
    )


ODD: tuple[Any, ...] = (
    "3", "3.5", "true", "null", "no such choice", "x" * 25_000, "", 7, -1, 10**12, 2.5, True, None,
    [], ["x"], [[1]], {}, {"unknown": 1}, "31.12.2026",
)  # fmt: skip
"""What is put in the place of each value of a call that fits."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Yield the path of each value within one, by names and numbers."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in parts:
        yield (*path, name)
        if isinstance(part, dict | list):
            yield from places(part, (*path, name))


def with_other(value: Any, path: tuple[Any, ...], other: Any) -> Any:  # noqa: ANN401
    """Return a value with another one at a path."""
    if not path:
        return other
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = with_other(changed[path[0]], path[1:], other)
    return changed


def without(value: Any, path: tuple[Any, ...]) -> Any:  # noqa: ANN401
    """Return a value without what is at a path."""
    changed = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        del changed[path[0]]
    else:
        changed[path[0]] = without(changed[path[0]], path[1:])
    return changed
