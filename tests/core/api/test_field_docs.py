"""The descriptions that schemas give of fields, beside those that pydantic reads itself."""

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from data.records.core.record import Record

ItemT = TypeVar("ItemT", bound=Record)


class Hull(Record):
    """A hull."""

    length: float
    """From stem to stern, in
    metres."""
    beam: float = Field(default=2.0, description="At the widest place.")
    """Not this sentence, because the field has one."""
    name: str = ""


class Ferry(Hull):
    """A hull with people in it."""

    name: str = "Teasel"
    """What is painted on the stern."""
    beam: float = 9.0
    dinghy: Hull | None = None
    """What is towed."""
    berth: str = Field(default="", alias="berthAt")
    """Where it lies."""


class Fleet(Record, Generic[ItemT]):
    """Several of one kind."""

    ships: tuple[ItemT, ...] = ()
    """Those afloat."""


class _Read(BaseModel):
    """The same fields as a ferry, with the sentences read by pydantic."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    length: float
    """From stem to stern, in
    metres."""
    name: str = "Teasel"
    """What is painted on the stern."""
    beam: float = 9.0
    dinghy: Hull | None = None
    """What is towed."""
    berth: str = Field(default="", alias="berthAt")
    """Where it lies."""


def test_fields_are_described_as_pydantic_would() -> None:
    """Sentences of a base count, those of a field that is declared anew are its own."""
    for alias in (True, False):
        ours, peer = (
            {
                name: field.get("description")
                for name, field in model.model_json_schema(by_alias=alias)["properties"].items()
            }
            for model in (Ferry, _Read)
        )
        assert ours == peer
    assert Hull.model_json_schema()["properties"]["beam"]["description"] == "At the widest place."


def test_fields_of_a_generic_record_are_described() -> None:
    """What is made of a kind of list tells of it as the kind does."""
    ships = Fleet[Ferry].model_json_schema()["properties"]["ships"]
    assert ships["description"] == "Those afloat."


def test_fields_of_a_record_within_a_function_are_described() -> None:
    """Wherever the class stands in its module."""

    class Raft(Record):
        logs: int
        """How many are tied together."""

    assert Raft.model_json_schema()["properties"]["logs"]["description"].startswith("How many")
