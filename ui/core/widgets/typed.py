"""Orders made of what was typed into the fields of a form; what is missing is said."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st
from pydantic import ValidationError

from data.records.core.record import Record
from ui.core.session import say
from ui.core.text.words import as_sentence

OrderT = TypeVar("OrderT", bound=Record)


def read_order(
    kind: type[OrderT], form: str, fields: Mapping[str, str], needed: Mapping[str, str]
) -> OrderT | None:
    """Return what was typed as an order of `kind`; None where a notice says what is wrong.

    Args:
        kind: the order; of its fields only an address can be written wrongly.
        form: what the keys of the form's fields begin with.
        fields: the rest of the key for each field of the order.
        needed: what has to be written, in the words of a notice, by field.

    """
    fields_typed = {
        field: str(st.session_state.get(f"{form}-{key}") or "").strip()
        for field, key in fields.items()
    }
    missing = next((words for field, words in needed.items() if not fields_typed[field]), "")
    if missing:
        say("warning", f"{missing} is missing.")
        return None
    try:
        return kind.model_validate(fields_typed)
    except ValidationError:
        say("warning", "An address is written as name@domain.")
        return None


def make_order(
    kind: type[OrderT], fields: Mapping[str, object], labels: Mapping[str, str]
) -> OrderT | None:
    """Return fields as an order of `kind`; None where a notice says which of them cannot be.

    `labels` are what the page calls the fields, by their names in the order.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        say("warning", describe_unfit(error, labels))
        return None


def describe_unfit(error: ValidationError, labels: Mapping[str, str]) -> str:
    """Return in a sentence which field of an order cannot be, and why."""
    first = error.errors()[0]
    names = [labels[part] for part in map(str, first["loc"]) if part in labels]
    reason = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] in _MOST:
        reason = _MOST[first["type"]].format(most=first["ctx"]["max_length"])
    return as_sentence(f"{names[-1]}: {reason}" if names else reason)


_MOST = {"too_long": "{most} at most", "string_too_long": "{most} letters at most"}
"""What is said of what has too many of something, by the library's name of the fault."""
