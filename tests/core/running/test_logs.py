"""Logs: one JSON object per line, whatever is logged, and a line for people."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.core.logs import ReadableFormatter, close_logging, setup_logging

log = logging.getLogger("postern.test")


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    """Log into a file until the test ends."""
    level = logging.getLogger().level
    yield setup_logging("doors", tmp_path / "logs")
    close_logging()
    logging.getLogger().setLevel(level)


def test_each_record_is_one_json_line(log_file: Path) -> None:
    """Fields, line breaks and tracebacks end up in one object on one line."""
    log.info("accepted", extra={"fields": {"spool_id": "s7", "path": Path("/x"), "level": "no"}})
    log.error("bug", exc_info=ValueError("two\nlines"))
    first, second = (json.loads(line) for line in log_file.read_text().splitlines())
    assert (first["event"], first["spool_id"], first["path"]) == ("accepted", "s7", "/x")
    assert (first["level"], first["process"], first["logger"]) == ("info", "doors", "postern.test")
    assert first["time"].endswith("+00:00")
    assert "two\nlines" in second["traceback"]


def test_setting_up_twice_does_not_double_lines(log_file: Path) -> None:
    """A second set-up replaces the first."""
    setup_logging("doors", log_file.parent)
    log.warning("once")
    assert len(log_file.read_text().splitlines()) == 1


def test_loud_libraries_are_quiet(log_file: Path) -> None:
    """What a library says below a warning is not kept."""
    logging.getLogger("mail.log").info("connection")
    assert log_file.read_text() == ""


def test_readable_line_is_harmless() -> None:
    """A person reads time, level, event and fields; escape sequences from outside are inert."""
    record = logging.LogRecord("postern", logging.INFO, "f", 1, "accepted", None, None)
    record.fields = {"mail_from": "a\x1b[2Jb", "n": 3, "name": "two words"}
    line = ReadableFormatter().format(record)
    assert "\x1b" not in line
    assert line[9:].startswith("info    accepted mail_from=a [2Jb ")
    assert line.endswith('n=3 name="two words"')


def test_what_is_no_character_loses_no_line(log_file: Path) -> None:
    """A file's name may hold octets that are no UTF-8; its line is kept with them escaped."""
    log.warning("taken", extra={"fields": {"name": b"caf\xe9".decode("utf-8", "surrogateescape")}})
    (line,) = log_file.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["name"] == "caf\udce9"
