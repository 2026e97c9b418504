"""The context of every command: the settings, and a console that draws mail text inert."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from data.errors import OutsidePermanentError

if TYPE_CHECKING:
    from rich.console import Console

    from data.records.core.record import Record
    from data.settings import Settings


@dataclass(frozen=True)
class Given:
    """The options that stand before the command."""

    home: Path | None = None


def settings_of(ctx: typer.Context, **more: object) -> "Settings":
    """Return the settings, with what was given on the command line on top.

    Raises:
        SettingsError: a value cannot be used.

    """
    from data.settings import load_settings

    choices_given = ctx.find_root().obj
    if isinstance(choices_given, Given) and choices_given.home is not None:
        more["home"] = choices_given.home
    return load_settings(**more)


def console(*, err: bool = False) -> "Console":
    """Return a console for tables and reports; not wider than 120 columns."""
    from rich.console import Console

    error_console = Console(stderr=err, highlight=False)
    if error_console.width > 120 or not error_console.is_terminal:
        error_console.width = min(120, int(os.environ.get("COLUMNS", "120")))
    return error_console


def make_inert(text: str, limit: int = 0) -> str:
    """Return text from outside as one line that cannot move a terminal's cursor."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line[: limit - 1] + "…" if limit and len(line) > limit else line


def print_lines(text: str) -> None:
    """Print text from outside line by line, spaces as they are; none can move a cursor."""
    for line in text.splitlines():
        if shown := "".join(c if c.isprintable() else " " for c in line).rstrip():
            print(shown)  # output of the command


def print_table(head: Sequence[str], lines: Iterable[Sequence[str]], longest: int = 0) -> None:
    """Print lines of foreign text under a head; where `longest` is not 0, cells are cut to it."""
    from rich.table import Table
    from rich.text import Text

    table = Table(*head, box=None, pad_edge=False)
    for cells in lines:
        table.add_row(*(Text(make_inert(cell, longest)) for cell in cells))
    console().print(table)


def print_json_lines(records: Iterable["Record"]) -> None:
    """Print records to be read by programs: one JSON object on each line."""
    for record in records:
        print(record.model_dump_json())  # output of the command


def say(sentence: str) -> None:
    """Tell a person something on standard error, so that output can be piped."""
    print(sentence, file=sys.stderr, flush=True)  # the command line speaks


def tell_outcomes(outcomes: Sequence[Mapping[str, object]]) -> None:
    """Say what became of each of several cases, as the API answers it; end with 1 unless of all.

    Raises:
        Exit: something was not done.

    """
    for outcome in outcomes:
        if not outcome["done"]:
            say(f"{make_inert(str(outcome['id']))}: {make_inert(str(outcome['sentence']))}")
    count = sum(bool(outcome["done"]) for outcome in outcomes)
    say(f"{count} of {len(outcomes)} done.")
    if count < len(outcomes):
        raise typer.Exit(1)


def hand_over(content: bytes, output: Path | None) -> bool:
    """Write bytes to the file `output`, or to standard output; return whether it was the file.

    Raises `OutsidePermanentError` when the file cannot be written.
    """
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return False
    try:
        output.write_bytes(content)
    except OSError as error:
        raise OutsidePermanentError(
            f"cannot write {str(output)!r}: {error.strerror}; name another file with -o"
        ) from error
    return True


def first_line(path: Path | None) -> str:
    """Return the secret in the first line of a file; empty where no file is named.

    Raises:
        ManifestError: the file is not text, or cannot be read.

    """
    from data.manifest_files import read_text

    return read_text(path).partition("\n")[0].rstrip("\r") if path is not None else ""
