"""Bringing an organization's database up to what its files say."""

import shutil
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import Field

from connectors.causes import causes_of
from connectors.sources.account_files import read_account_files
from connectors.sources.changes import Changes, changes
from connectors.sources.markdown_files import read_knowledge_files, read_saved_reply_files
from connectors.sources.people_files import read_contact_file, read_history_file
from connectors.sources.policy_file import read_policy_file
from connectors.sources.reading import TableReading
from data.errors import StoreError
from data.records.core.record import Record
from data.store.core.database import Connection
from data.store.core.loaded import DATASET, read_fingerprints

READERS: dict[str, Callable[[Path], TableReading]] = {
    "knowledge": read_knowledge_files,
    "saved_replies": read_saved_reply_files,
    "contacts": read_contact_file,
    "accounts": read_account_files,
    "history": read_history_file,
    "policies": read_policy_file,
}

PIPELINE = "organization_files"

# dlt keeps the active pipeline and its configuration in globals of the process
_one_load_at_a_time = threading.Lock()


class LoadReport(Record):
    """What one load did."""

    tables: dict[str, int] = Field(default_factory=dict)
    """Rows added or changed, by table; every table is named."""
    removed: dict[str, int] = Field(default_factory=dict)
    """Rows removed because no file holds them any more, by table; every table is named."""
    errors: tuple[str, ...] = ()
    """One sentence for each file or line that could not be read; the rest was loaded."""

    @property
    def changed(self) -> bool:
        """Whether the database says something else than before."""
        return any(self.tables.values()) or any(self.removed.values())


def load_sources(connection: Connection, folder: Path, pipelines_dir: Path) -> LoadReport:
    """Load the files of `folder` into the schema `sync` of the connection's database.

    What is loaded already is the state: a row is written only when its hash differs, so a second
    load writes nothing and does not even import dlt. `pipelines_dir` holds dlt's working files.
    The connection stays open, and its transaction and settings are left alone. Blocking: call it
    from an executor.

    Raises:
        StoreError: the database did not take the rows; what was loaded before stands.

    """
    with _one_load_at_a_time:
        readings = {table: read(folder) for table, read in READERS.items()}
        work = {
            table: changes(reading, read_fingerprints(connection, table))
            for table, reading in readings.items()
        }
        if any(part.changed or part.removed for part in work.values()):
            _write(connection, work, pipelines_dir)
    return LoadReport(
        tables={table: len(part.changed) for table, part in work.items()},
        removed={table: len(part.removed) for table, part in work.items()},
        errors=tuple(error for reading in readings.values() for error in reading.errors),
    )


def _write(connection: Connection, work: Mapping[str, Changes], pipelines_dir: Path) -> None:
    """Write rows through dlt, by INSERT statements: the database need not read files itself."""
    import dlt
    from dlt.pipeline.exceptions import PipelineStepFailed

    from connectors.sources.destination import GivenDatabase
    from connectors.sources.organization_files import organization_files
    from connectors.sources.run_context import seal_context

    seal_context()
    working = pipelines_dir / PIPELINE
    shutil.rmtree(working, ignore_errors=True)  # of a load that was killed; computed anew
    own = connection.plain.cursor()  # dlt sets the search path of the connection it is given
    try:
        pipeline = dlt.pipeline(
            PIPELINE,
            pipelines_dir=str(pipelines_dir),
            destination=GivenDatabase(credentials=own),
            dataset_name=DATASET,
        )
        pipeline.run(organization_files(work), loader_file_format="insert_values")
    except PipelineStepFailed as error:
        raise StoreError(
            f"the files' rows could not be written at the step {error.step!r}: {_root_of(error)}; "
            "what was loaded before stands, and the next load tries again"
        ) from error
    finally:
        own.close()
        shutil.rmtree(working, ignore_errors=True)  # it holds copies of the rows


def _root_of(error: BaseException) -> str:
    """Return the first line of what an error goes back to."""
    *_, root = causes_of(error)
    return str(root).partition("\n")[0].rstrip(".!")
