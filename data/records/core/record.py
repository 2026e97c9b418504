"""What every record is: frozen, closed, and strict about time."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Base of all nouns: immutable, refuses unknown keys, field docstrings are descriptions."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        ser_json_inf_nan="strings",
    )
