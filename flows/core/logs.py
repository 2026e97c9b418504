"""Logs: one JSON object per line in `var/logs`, and a line for people on the console.

A message of our own loggers is a short event name; what belongs to it comes in
``extra={"fields": {…}}``. Nothing of a mail's text and no secret is ever logged.
"""

import contextlib
import json
import logging
import sys
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

MAX_BYTES = 20_000_000
KEPT_FILES = 5
#: Libraries that say much: their warnings only.
LOUD = ("mail.log", "asyncio", "httpx", "httpcore", "uvicorn.access", "watchfiles")
#: One line per stage and message, or per stage and run: on the console only what went wrong.
FILE_ONLY = ("postern.stage", "prefect.flow_runs")
MARK = "_postern"


class JsonFormatter(logging.Formatter):
    """One JSON object: time (UTC, ISO 8601), level, process, logger, event, and the fields."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "time": _time_of(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": self._process,
            "logger": record.name,
            "event": record.getMessage(),
        }
        line.update({key: value for key, value in _fields_of(record).items() if key not in line})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class ReadableFormatter(logging.Formatter):
    """`12:03:44 info  accepted spool_id=… size_bytes=…` on one line, then a traceback if any."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; what could move the cursor of a terminal is made visible."""
        fields = " ".join(
            f"{key}={_quote_value(value)}" for key, value in _fields_of(record).items()
        )
        clock = _time_of(record).astimezone().strftime("%H:%M:%S")
        text = f"{clock} {record.levelname.lower():<7} {record.getMessage()} {fields}".rstrip()
        line = "".join(letter if letter.isprintable() else " " for letter in text)
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


def setup_logging(name: str, folder: Path, level: str = "info") -> Path:
    """Log to `<folder>/<name>.jsonl`, rotated by size, and to standard error; return the file.

    `name` is that of the process. May be called again: handlers of an earlier call are replaced.
    Raises OSError when the folder cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    file = RotatingFileHandler(
        path,
        maxBytes=MAX_BYTES,
        backupCount=KEPT_FILES,
        encoding="utf-8",
        errors="backslashreplace",  # a name from outside may hold what is no character
    )
    file.setFormatter(JsonFormatter(name))
    console = logging.StreamHandler(sys.stderr)
    console.setFormatter(ReadableFormatter())
    console.addFilter(_is_for_people)
    root = logging.getLogger()
    close_logging()
    for handler in (file, console):
        setattr(handler, MARK, True)
        root.addHandler(handler)
    root.setLevel(level.upper())
    for loud in LOUD:
        logging.getLogger(loud).setLevel(logging.WARNING)
    return path


def _is_for_people(record: logging.LogRecord) -> bool:
    return record.name not in FILE_ONLY or record.levelno >= logging.WARNING


def close_logging() -> None:
    """Take back and close the handlers of `setup_logging`."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if hasattr(handler, MARK)]:
        root.removeHandler(handler)
        with contextlib.suppress(ValueError):
            handler.close()


def _time_of(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _fields_of(record: logging.LogRecord) -> dict[str, object]:
    fields = getattr(record, "fields", None)
    return fields if isinstance(fields, dict) else {}


def _quote_value(value: object) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if " " in text or not text else text
