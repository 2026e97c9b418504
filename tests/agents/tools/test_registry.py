"""The registry of tools: what does not declare itself does not load; what is asked is checked."""

import math
from typing import cast

import pytest
from pydantic import JsonValue, ValidationError

from data.errors import ManifestError
from data.records.core.record import Record
from data.records.core.tools import ToolDeclaration, ToolResult
from flows.core.tools import Calling, Tool, Toolbox, ToolCallError, UnknownToolError
from flows.running.agents import TOOLS
from tests.agents.tools.declared import declared


class Measured(Record):
    """A length."""

    yards: float = 1.0


async def _nothing(calling: Calling, given: Measured) -> ToolResult:
    del calling, given
    return ToolResult()


def _box(*names: str) -> Toolbox:
    return Toolbox(Tool(declared(name), Measured, _nothing) for name in names)


@pytest.mark.parametrize("missing", ["effect", "labels", "trust", "permission", "approval"])
def test_a_tool_without_a_declaration_does_not_load(missing: str) -> None:
    """Nothing of it has a default: what is forgotten is not harmless."""
    whole = declared("measure_cloth").model_dump()
    del whole[missing]
    with pytest.raises(ValidationError, match=missing):
        ToolDeclaration.model_validate(whole)
    with pytest.raises(ManifestError, match="declares nothing"):
        Toolbox([Tool(cast(ToolDeclaration, None), Measured, _nothing)])


def test_two_tools_of_one_name_do_not_load() -> None:
    """Which of them would be called is not left to their order."""
    with pytest.raises(ManifestError, match="measure_cloth"):
        _box("measure_cloth", "measure_cloth")


def test_an_unknown_tool_is_answered_with_three_names_at_most() -> None:
    """The nearest of those that are there, never the whole list."""
    box = _box("count_a", "count_b", "count_c", "count_d", "weave")
    with pytest.raises(UnknownToolError) as near:
        box.check_arguments("count_e", {})
    assert str(near.value).count("count_") == 4
    assert "weave" not in str(near.value)
    with pytest.raises(UnknownToolError) as far:
        box.check_arguments("zzz" * 40, {})
    assert "like it" not in str(far.value)
    assert len(str(far.value)) < 100


@pytest.mark.parametrize(
    "arguments",
    [None, [], "yards", 3, {"yards": math.nan}, {"yards": math.inf}, {"yards": [1]}, {"ells": 1},
     {"yards": {"a": math.nan}}, {"yards": 1, "": 2}],
)  # fmt: skip
def test_arguments_that_are_not_the_tools_are_refused(arguments: JsonValue) -> None:
    """Neither another shape nor an unknown key nor a number that is none gets in."""
    with pytest.raises(ToolCallError):
        _box("measure_cloth").check_arguments("measure_cloth", arguments)


def test_tools_are_sorted() -> None:
    """By name, so that requests begin with the same bytes."""
    own = TOOLS.pick(["queue", "knowledge"])
    assert [*own] == sorted(own)
    assert [offer.name for offer in own.offers] == [*own]
    assert len(own) > 0


_NONSENSE: tuple[JsonValue, ...] = (math.nan, math.inf, [math.nan], {"a": [-math.inf]})


@pytest.mark.parametrize("name", [*TOOLS])
def test_no_tool_of_ours_takes_what_it_does_not_declare(name: str) -> None:
    """Each with every argument made nonsense, with one too many, and with none of its own shape."""
    fields = list(TOOLS.offers[[*TOOLS].index(name)].takes.model_fields)
    wrong: list[JsonValue] = [{field: value} for field in fields for value in _NONSENSE]
    wrong += [{"no_such_key": 1}, [fields[:1]], "words", 7]
    for arguments in wrong:
        with pytest.raises(ToolCallError) as refused:
            TOOLS.check_arguments(name, arguments)
        assert "\n" not in str(refused.value)
    assert sum(len(offer.takes.model_fields) * len(_NONSENSE) + 4 for offer in TOOLS.offers) > 200


def test_the_baseline_of_an_agent_writes_nothing() -> None:
    """Who names no tool has none; a group is what its files declare, no more."""
    assert len(TOOLS.pick([])) == 0
    for group in {declaration.group for declaration in TOOLS.declarations}:
        assert {one.group for one in TOOLS.pick([group]).declarations} == {group}
