"""The record of what people have taught an organization, for `postern try`: never changed.

The engine holds the state while it runs, so it is asked then; else the file is opened for reading.
"""

from pathlib import Path

from data.errors import StoreError
from data.records.core.memory import LearnedFromMail
from data.settings import Settings
from data.store.core.connecting import read_state
from flows.mail.knowing.memories import memory_of
from flows.operating.engine_api import Engine


def memory_for(settings: Settings, slug: str) -> LearnedFromMail:
    """Return what an organization has learned, and where that was read; nothing where nobody knows.

    Raises:
        ForbiddenError: what answers at the engine's address is not the engine of this home.

    """
    engine = Engine.find(settings)
    if engine is not None:
        learned_from_mail = LearnedFromMail.model_validate(engine.get(f"/v1/{slug}/memory"))
        return learned_from_mail.model_copy(update={"read_from": "the running engine"})
    path = settings.organizations / slug / "state.duckdb"
    if not path.exists():
        return LearnedFromMail(read_from="nothing: the organization has no state yet")
    return _read(path)


def _read(path: Path) -> LearnedFromMail:
    """Return what a state file holds, opened for reading; another version's holds nothing."""
    try:
        learned_from_mail = read_state(path, memory_of)
    except StoreError:
        return LearnedFromMail(
            read_from="nothing: the state is in use, or of another version of Postern"
        )
    return learned_from_mail.model_copy(update={"read_from": "the state file, opened for reading"})
