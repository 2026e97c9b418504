"""The prices of models as fields: a row for each model, and one more where somebody wants it."""

from collections.abc import Sequence

import streamlit as st

from data.records.core.prices import ModelPrice, price_from, price_line
from ui.core.session import say

MOST_ROWS = 50
FIELDS = {
    "in": "Tokens in",
    "out": "Tokens out",
    "read": "From the cache",
    "write": "Into the cache",
}


def price_fields(lines: Sequence[str], mark: str) -> None:
    """Draw the prices that are kept, each to be changed; `mark` is the form's."""
    st.markdown("**Prices**, US$ for a million tokens")
    st.caption(
        "The model * is every other one. A model without a price is not asked while money is "
        "capped. A row without a name counts for nothing; the two prices of the cache may be "
        "left empty."
    )
    prices = [price_from(line) for line in lines]
    count = max(len(prices), 1) + int(st.session_state.get(f"models-price-more-{mark}") or 0)
    for row in range(min(count, MOST_ROWS)):
        _row(row, prices[row] if row < len(prices) else None, mark)
    if count < MOST_ROWS:
        st.button("Another price", key=f"models-price-add-{mark}", type="tertiary",
                  icon=":material/add:", on_click=_add, args=(mark,))  # fmt: skip


def _row(row: int, price: ModelPrice | None, mark: str) -> None:
    numbers = {} if price is None else {"in": price.tokens_in, "out": price.tokens_out}
    if price is not None and not price.usual_cache:
        numbers |= {"read": price.cache_read, "write": price.cache_write}
    with st.container(horizontal=True, key=f"models-price-{row}-{mark}"):
        st.text_input("Model", price.model if price else "", max_chars=200, width=140,
                      key=f"models-price-name-{row}-{mark}")  # fmt: skip
        for field, label in FIELDS.items():
            st.number_input(label, 0.0, None, numbers.get(field), step=None, format="%g", width=110,
                            key=f"models-price-{field}-{row}-{mark}")  # fmt: skip


def _add(mark: str) -> None:
    key = f"models-price-more-{mark}"
    st.session_state[key] = int(st.session_state.get(key) or 0) + 1


def typed_prices(mark: str) -> tuple[str, ...] | None:
    """Return the prices as they are kept; None, with a sentence, where one cannot be meant."""
    lines = []
    for row in range(MOST_ROWS):
        name = str(st.session_state.get(f"models-price-name-{row}-{mark}") or "").strip()
        if not name:
            continue
        numbers = {field: _number(field, row, mark) for field in FIELDS}
        tokens_in, tokens_out = numbers["in"], numbers["out"]
        cache = (numbers["read"], numbers["write"])
        if " " in name or tokens_in is None or tokens_out is None or cache.count(None) == 1:
            say(
                "warning",
                f"The price of {name[:100]!r} is not whole: write the model's name without spaces, "
                "tokens in and out, and of the cache both prices or none.",
            )
            return None
        lines.append(price_line(name, tokens_in, tokens_out, *cache))
    return tuple(lines)


def _number(field: str, row: int, mark: str) -> float | None:
    value = st.session_state.get(f"models-price-{field}-{row}-{mark}")
    return None if value is None else float(value)
