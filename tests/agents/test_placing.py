"""Statements are placed in the layer that a person would choose, in four languages."""

from pathlib import Path

import pytest
import yaml

from tasks.agents.remembering.placing import StatementPlace, place


def _share(file: str) -> float:
    """Return which share of a file's statements is placed as it says."""
    table = yaml.safe_load(Path(__file__).with_name(file).read_text("utf-8"))
    placed = [
        place(statement).place is StatementPlace(where)
        for layers in table.values()
        for where, statements in layers.items()
        for statement in statements
    ]
    return sum(placed) / len(placed)


@pytest.mark.parametrize(
    ("file", "least"),
    [("statements.yaml", 0.95), ("statements_second.yaml", 0.9), ("statements_third.yaml", 0.9)],
)
def test_statements_are_placed(file: str, least: float) -> None:
    """The sets that the lists were made with; what new statements make of it is in the docs."""
    assert _share(file) >= least


def test_nothing_of_one_person_is_placed_wider() -> None:
    """Of the three sets no statement about who says it would be known by more than that person."""
    for name in ("statements.yaml", "statements_second.yaml", "statements_third.yaml"):
        table = yaml.safe_load(Path(__file__).with_name(name).read_text("utf-8"))
        for layers in table.values():
            for statement in layers["user"]:
                assert place(statement).place in (StatementPlace.USER, StatementPlace.DISCARD), (
                    statement
                )
