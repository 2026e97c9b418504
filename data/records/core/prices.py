"""Prices of models, as the setting `llm_prices` has them; one that is not there is unknown."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from data.records.core.asking import TokenUsage
from data.records.core.record import Record

MILLION = 1_000_000
CACHE_READ, CACHE_WRITE = 0.1, 1.25
"""Shares of the price of input, where a line does not say what the cache costs."""


class ModelPrice(Record):
    """US dollars for a million tokens of one model."""

    model: str
    """Name of the model; `*` for every other one."""
    tokens_in: float = Field(ge=0, allow_inf_nan=False)
    tokens_out: float = Field(ge=0, allow_inf_nan=False)
    cache_read: float = Field(ge=0, allow_inf_nan=False)
    cache_write: float = Field(ge=0, allow_inf_nan=False)

    @property
    def usual_cache(self) -> bool:
        """Whether the cache costs what it does where nobody has said it."""
        usual = (self.tokens_in * CACHE_READ, self.tokens_in * CACHE_WRITE)
        return (self.cache_read, self.cache_write) == usual

    def cost(self, usage: TokenUsage) -> float:
        """Return what a call has cost, US dollars."""
        plain = max(usage.tokens_in - usage.cache_read - usage.cache_write, 0)
        return (
            plain * self.tokens_in
            + usage.cache_read * self.cache_read
            + usage.cache_write * self.cache_write
            + usage.tokens_out * self.tokens_out
        ) / MILLION

    def at_most(self, tokens_in: int, tokens_out: int) -> float:
        """Return what a call can cost at most, US dollars: everything written to the cache."""
        dearest = max(self.tokens_in, self.cache_write)
        return (tokens_in * dearest + tokens_out * self.tokens_out) / MILLION


def price_from(line: str) -> ModelPrice:
    """Read `model input output [cache_read cache_write]`, US dollars for a million tokens.

    Raises:
        ValueError: the line has another shape.

    """
    parts = line.split()
    if len(parts) not in (3, 5):
        raise ValueError(f"write 'model input output' or with cache prices, not {line!r}")
    price_parts = [float(part) for part in parts[1:]]
    if len(price_parts) == 2:
        price_parts += [price_parts[0] * CACHE_READ, price_parts[0] * CACHE_WRITE]
    return ModelPrice(
        model=parts[0],
        tokens_in=price_parts[0],
        tokens_out=price_parts[1],
        cache_read=price_parts[2],
        cache_write=price_parts[3],
    )


def price_line(
    model: str,
    tokens_in: float,
    tokens_out: float,
    cache_read: float | None = None,
    cache_write: float | None = None,
) -> str:
    """Return the line that `price_from` reads as this price."""
    cache = () if cache_read is None or cache_write is None else (cache_read, cache_write)
    return " ".join([model, *(f"{number:.12g}" for number in (tokens_in, tokens_out, *cache))])


def _check_readable(line: str) -> str:
    price_from(line)
    return line


PriceLine = Annotated[str, AfterValidator(_check_readable)]
"""A line that `price_from` can read."""


def price_of(model: str, lines: Sequence[str]) -> ModelPrice | None:
    """Return the price of a model, or None when nobody has said it."""
    prices = {price.model: price for price in map(price_from, lines)}
    return prices.get(model) or prices.get("*")
