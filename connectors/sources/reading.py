"""The result of reading a folder: rows, and a sentence for each thing that cannot be read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from connectors.sources.tables import SourceRow, add_fingerprint
from data.errors import ManifestError


@dataclass(kw_only=True)
class TableReading:
    """The rows of one table as its files say, and what is wrong with them."""

    rows: dict[str, SourceRow] = field(default_factory=dict)
    """By id."""
    broken: set[str] = field(default_factory=set)
    """Files of which something could not be read; what they gave before is kept."""
    errors: list[str] = field(default_factory=list)
    """One sentence for each problem."""

    def add(self, values: SourceRow, file: str, place: str = "") -> None:
        """Take one row; an id that is taken or a text that cannot be stored is an error."""
        row_id = values["id"]
        where = f"{file}{place}"
        if row_id in self.rows:
            first_file = self.rows[row_id]["file"]
            self.fail(
                file, f"{where!r}: id {row_id!r} is taken by {first_file!r}; give another one"
            )
        elif any("\x00" in value for value in values.values() if isinstance(value, str)):
            self.fail(file, f"{where!r}: a zero byte cannot be stored; save the file as plain text")
        else:
            self.rows[row_id] = add_fingerprint(values, file)

    def fail(self, file: str, sentence: str) -> None:
        """Note that something in a file could not be read."""
        self.broken.add(file)
        self.errors.append(sentence)


def read_files(
    folder: Path, paths: Iterable[Path], read: Callable[[Path, str, TableReading], None]
) -> TableReading:
    """Read files one by one; what is wrong with one does not stop the others.

    `read` gets the path, the name relative to `folder`, and the reading to add to.
    """
    reading = TableReading()
    for path in sorted(paths):
        name = path.relative_to(folder).as_posix()
        try:
            read(path, name, reading)
        except ManifestError as error:
            reading.fail(name, str(error))
    return reading
