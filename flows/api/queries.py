"""What queries of several routes have in common: where a page begins, and which days there are."""

from datetime import date
from typing import Annotated

from fastapi import Query
from pydantic import Field

Offset = Annotated[int, Query(ge=0, le=1_000_000_000)]
"""How many entries of a list are left out before a page; DuckDB counts no further than 64 bits."""
Day = Annotated[date, Field(ge=date(1970, 1, 1), le=date(9998, 12, 31))]
"""A day that has a day after it, in every time zone."""
