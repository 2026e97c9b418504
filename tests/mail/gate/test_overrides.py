"""What the receiver overrides of its library is listed in the design, each with its reason."""

import asyncio
from pathlib import Path

import pytest
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from connectors.receiver.connection import CommandReader, SmtpConnection
from connectors.receiver.lmtp import LmtpSession
from connectors.receiver.session import SmtpSession

DESIGN = Path(__file__).parents[3] / "docs" / "design.md"
UNDERSTOOD = {"__init__", "__module__", "__doc__", "__annotations__", "__qualname__"}
"""Names that every class has."""
OURS = (SmtpConnection, SmtpSession, LmtpSession)
READER = {"readuntil", "readline"}
"""What `CommandReader` is there for."""


def listed() -> set[str]:
    """Return the names in the first column of the table."""
    text = DESIGN.read_text(encoding="utf-8")
    table = text.partition("| override | reason |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.count("|") > 2]
    names = {name for cell in cells for name in cell.split("`")[1::2]}
    return {name.rpartition(".")[2] for name in names if not name.endswith(".py")}


def overridden() -> set[str]:
    """Return what our sessions define and aiosmtpd, or what it stands on, defines as well."""
    own = {name for kind in OURS for name in vars(kind)} - UNDERSTOOD
    return {name for name in own if hasattr(SMTP, name) or hasattr(LMTP, name)}


def test_each_override_has_its_reason() -> None:
    """One more override is one more line of the table."""
    assert overridden() <= listed()


def test_the_table_names_nothing_that_is_gone() -> None:
    """What is not overridden is ours alone, and still there."""
    there = {name for kind in OURS for name in dir(kind)} | {CommandReader.__name__}
    assert listed() <= there


@pytest.mark.parametrize("name", sorted(READER))
def test_the_reader_takes_the_place_of_the_streams(name: str) -> None:
    """It overrides how lines are read, and nothing else of the stream's that is public."""
    assert name in vars(CommandReader)
    public = {one for one in vars(CommandReader) if not one.startswith("_")}
    assert {one for one in public if hasattr(asyncio.StreamReader, one)} == READER
