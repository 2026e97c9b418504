"""What every record is: frozen, closed, and strict about time."""

from inspect import get_annotations
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from data.records.core.field_docs import field_docs


class Record(BaseModel):
    """Base of all nouns: immutable, refuses unknown keys, field docstrings are descriptions."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

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


def _sentence_below(record: type[BaseModel], field: str) -> str | None:
    """Return the docstring of a field where it was annotated last, None where it has none."""
    for owner in record.__mro__:
        if field in get_annotations(owner):
            return field_docs(owner).get(field)
    return None


Line = Annotated[str, Field(max_length=1000)]
"""What a person sends in one line: an id, a hash, a name, an address."""
