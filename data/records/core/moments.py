"""A moment that a person chooses: in words, as a day, or exactly."""

from datetime import date
from typing import Literal

from pydantic import AwareDatetime

MorningChoice = Literal["tomorrow", "monday"]
"""The beginning of a working day, in words."""
Moment = MorningChoice | date | AwareDatetime
"""A day begins with the working hours of the organization."""
