"""What was typed into the fields of a form, as an order; what is missing is said."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st
from pydantic import ValidationError

from data.records.core.record import Record
from ui.session import say

Order = TypeVar("Order", bound=Record)


def read_order(
    kind: type[Order], form: str, fields: Mapping[str, str], needed: Mapping[str, str]
) -> Order | None:
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
