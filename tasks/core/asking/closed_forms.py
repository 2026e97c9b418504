"""The base of the closed forms that models fill in: unknown keys are refused."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Form(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, str_strip_whitespace=True
    )

    SPOKEN: ClassVar[str] = "body"
    """The field that whoever listens hears while it is written."""
