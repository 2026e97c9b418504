"""Query parameters of several routes: where a page begins, and which days there are."""

from datetime import date
from typing import Annotated

from fastapi import Query
from pydantic import AwareDatetime, Field

Offset = Annotated[int, Query(ge=0, le=1_000_000_000)]
"""How many entries of a list are left out before a page; DuckDB counts no further than 64 bits."""
Day = Annotated[date, Field(ge=date(1, 1, 2), le=date(9999, 12, 30))]
"""A day with a day before it and one after it, so that it begins and ends in every time zone."""
StandsSince = Annotated[AwareDatetime | None, Query()]
"""When what is changed here was changed last, or made, as it was looked at: 409 where it has
changed since; without it, it is changed however it stands."""
