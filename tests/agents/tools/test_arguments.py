"""Arguments of calls are held to the schema that a model is shown, before anything else."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic_ai.messages import ToolCallPart

from connectors.models.lookups import arguments_of
from data.records.core.organization import HttpService
from flows.agents.services import build_service_tool
from flows.core.tools import Toolbox, ToolCallError
from flows.running.agents import TOOLS
from tests.agents.tools.schemas import (
    ODD,
    fits,
    invented_tools,
    places,
    sample,
    with_other,
    without,
)

SERVICE = HttpService.model_validate(
    {
        "name": "order_status",
        "description": "Tells where an order is.",
        "url": "https://shop.example/api/orders/{order}",
        "parameters": [
            {"name": "order", "description": "The number."},
            {"name": "part", "description": "Which one.", "required": False},
        ],
        "changes": False,
    }
)
BOXES = {
    "invented": invented_tools(),
    "our own": TOOLS,
    "a service's": Toolbox([build_service_tool(SERVICE)]),
}
OWN_RULE = "Value error"
"""By which a tool says what no schema does, such as that one of two things has to be named."""
EACH = 24
"""Changed calls of each tool that are tried."""


def checked(box: Toolbox, name: str, written: str) -> str:
    """Return why a call as a model has written it is refused; empty where it is not."""
    try:
        box.check_arguments(
            name, arguments_of(ToolCallPart(tool_name=name, args=written, tool_call_id="1"))
        )
    except ToolCallError as error:
        return str(error)
    return ""


def _changed(call: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield calls that are changed at one place, each with the name by which that is known."""
    for path in places(call):
        name = next((part for part in path if isinstance(part, str)), "")
        for other in ODD:
            yield name, with_other(call, path, other)
        yield name, without(call, path)
        if isinstance(with_other(call, path, None), dict):
            yield "unheard_of", {**call, "unheard_of": 1}


@pytest.mark.parametrize("which", list(BOXES))
def test_what_fits_is_taken_and_nothing_else_is(which: str) -> None:
    """A refusal is one line that names the tool and the place."""
    box, refused, chosen = BOXES[which], 0, random.Random(7)
    for offer in box.offers:
        schema = offer.takes.model_json_schema()
        fitting = [sample(schema, schema, levels) for levels in (0, 5)]
        for call in fitting:
            assert fits(call, schema, schema), (offer.name, call)
            why = checked(box, offer.name, json.dumps(call))
            assert OWN_RULE in why or why == "", why
        others = list(_changed(fitting[-1]))
        for place, call in chosen.sample(others, min(EACH, len(others))):
            why = checked(box, offer.name, json.dumps(call))
            if OWN_RULE not in why:
                assert (why == "") is fits(call, schema, schema), (offer.name, call, why)
            if why and OWN_RULE not in why:
                refused += 1
                assert place in why, (why, call)
                assert repr(offer.name) in why
                assert len(why.splitlines()) == 1
                assert len(why) < 1_500
    assert refused >= {"invented": 200, "our own": 200, "a service's": 10}[which]


RAW = (
    ('{"numbers": [1], "numbers": [2]}', "'numbers' is there twice"),
    ('{"numbers": [1, {"a": 1, "a": 1}]}', "'a' is there twice"),
    ('{"numbers": [NaN]}', "NaN is no number of JSON"),
    ('{"numbers": [1, -Infinity]}', "-Infinity is no number of JSON"),
    ('{"numbers": [1e999]}', "numbers.0: a number that is not finite"),
    ('{"numbers": [1], "a\\nb": 2}', "a b: Extra inputs are not permitted"),
    ('{"numbers": ["\\ud800"]}', "numbers.0: text that cannot be encoded"),
    ('{"numbers": [1, 2}', "no JSON: Expecting ',' delimiter at character 18"),
    ('{"numbers": [1, 2],}', "no JSON: "),
    ("{'numbers': [1]}", "no JSON: "),
    ('{"numbers": [1]} and more', "no JSON: Extra data at character 18"),
    ('{"numbers": [1', "no JSON: "),
    ("mean of 1 and 2", "no JSON: "),
    ("[1, 2]", "no object"),
    ('"numbers"', "no object"),
    ("null", "no object"),
    ('{"numbers": ' + "[" * 40 + "]" * 40 + "}", "nested deeper than 32 levels"),
    ('{"numbers": ' + "[" * 90_000 + "]" * 90_000 + "}", "nested deeper than 32 levels"),
    ('{"numbers": [' + "9" * 5_000 + "]}", "no JSON: "),
    ("", "numbers: Field required"),
)


@pytest.mark.parametrize(("written", "why"), RAW)
def test_what_is_no_plain_json_is_refused_by_what_is_wrong(written: str, why: str) -> None:
    """As the text of a call, and as what a library has read of it."""
    told = checked(BOXES["invented"], "mean", written)
    assert told.startswith("the arguments of 'mean' are wrong: ")
    assert why in told
    assert len(told.splitlines()) == 1
    assert len(told) < 400


def test_what_a_library_has_read_is_held_to_the_same() -> None:
    """A whole number that is written with a point is one; no text is a number."""
    box = BOXES["invented"]
    deep: Any = 1
    for _ in range(600):
        deep = [deep]
    for numbers in ([float("nan")], ["\ud800"], deep):
        call = ToolCallPart(tool_name="mean", args={"numbers": numbers}, tool_call_id="1")
        assert isinstance(arguments_of(call), str)
        for arguments in (arguments_of(call), {"numbers": numbers}):
            with pytest.raises(ToolCallError):
                box.check_arguments("mean", arguments)
    assert box.check_arguments("factorial", {"number": 3.0}).model_dump() == {"number": 3}
    for number in ("3", 3.5, True, [3], None):
        with pytest.raises(ToolCallError, match="number: "):
            box.check_arguments("factorial", {"number": number})
