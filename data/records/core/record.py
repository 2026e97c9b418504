"""What every record is: frozen, closed, and strict about time."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Record(BaseModel):
    """Base of all nouns: immutable, refuses unknown keys, field docstrings are descriptions."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        ser_json_inf_nan="strings",
    )


Line = Annotated[str, Field(max_length=1000)]
"""What a person sends in one line: an id, a hash, a name, an address."""
