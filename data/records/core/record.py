"""The base of every record: frozen, closed, and strict about time."""

from functools import cache
from inspect import get_annotations
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, StringConstraints
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from data.records.core.field_docs import field_docs


class Record(BaseModel):
    """Base of all nouns: immutable, refuses unknown keys, field docstrings are descriptions."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a pickle holds: the values, and which of them were given.

        Work processes get and give records in their thousands, and a record has no other state.
        """
        return _unpickle, (type(self), vars(self), _shared(frozenset(self.model_fields_set)))

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        """Return the schema with the docstrings of the fields as their descriptions."""
        schema = handler(core_schema)
        properties: dict[str, Any] = handler.resolve_ref_schema(schema).get("properties", {})
        for name, field in cls.model_fields.items():
            if field.description is None and (sentence := _sentence_below(cls, name)):
                for key in {name, field.validation_alias, field.serialization_alias}:
                    if isinstance(key, str) and key in properties:
                        properties[key]["description"] = sentence
        return schema


@cache
def _shared(names: frozenset[str]) -> set[str]:
    """Return one set for each combination of names, which a pickle of many records has once."""
    return set(names)


def _unpickle(kind: type[Record], values: dict[str, Any], fields_set: set[str]) -> Record:
    """Return the record that was pickled, `values` by field; it was valid when it was made."""
    record = kind.__new__(kind)
    keep = object.__setattr__
    keep(record, "__dict__", values)
    keep(record, "__pydantic_fields_set__", fields_set)
    keep(record, "__pydantic_extra__", None)
    keep(record, "__pydantic_private__", None)
    return record


def _sentence_below(record: type[BaseModel], field: str) -> str | None:
    """Return the docstring of a field where it was annotated last, None where it has none."""
    for owner in record.__mro__:
        if field in get_annotations(owner):
            return field_docs(owner).get(field)
    return None


Line = Annotated[str, Field(max_length=1000)]
"""What a person sends in one line: an id, a hash, a name, an address."""
ReasonText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
"""Why a person changes something; kept with the change."""
