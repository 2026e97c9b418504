"""Some messages or cases of one organization on their way through the stages."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from data.records.core.record import Record
from data.store.core import journal
from flows.core.house import House
from flows.core.workspace import Workspace

Kept = TypeVar("Kept", bound=Record)


@dataclass
class Batch:
    """Some messages or cases of one organization on their way through the stages."""

    house: House
    workspace: Workspace
    ids: list[str]
    """Those still on the way, in order."""
    outcomes: dict[str, str] = field(default_factory=dict)
    """The last word on each item, for the table on the run's page."""
    run: str = ""
    """The id of the flow run that takes them through; empty outside of one."""
    new: frozenset[str] = frozenset()
    """Those of which nothing was journalled when the batch began, nor is by anybody else now."""
    rows: dict[str, object] = field(default_factory=dict)
    """Rows of the items as a stage has read them last; which kind of row, its slice knows."""
    ready: dict[str, Any] = field(default_factory=dict)
    """What a stage has made of items for its own transaction, by id; it alone knows the kind."""
    _kept: dict[str, dict[str, Record]] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)
    _worked_out: dict[tuple[str, str], tuple[object, Any]] = field(default_factory=dict)

    async def look_back(self) -> None:
        """Ask once for which items something was done before, so that no stage asks for others."""
        begun = await self.workspace.db.read(journal.list_begun, self.ids)
        self.new = frozenset(self.ids) - begun

    def keep(self, stage: str, texts: Mapping[str, str], results: Mapping[str, Record]) -> None:
        """Remember results and their JSON, so that later stages need not read them again."""
        self._kept.setdefault(stage, {}).update(results)
        for item, text in texts.items():
            chained = f"{self._digests.get(item, item)} {stage} {text}"
            self._digests[item] = hashlib.sha256(chained.encode()).hexdigest()

    def kept(self, stage: str, item: str) -> str:
        """Return as JSON what is remembered of a stage for an item; empty when nothing is."""
        result = self._kept.get(stage, {}).get(item)
        return result.model_dump_json() if result is not None else ""

    def input_hash(self, item: str) -> str:
        """Return a hash over everything that earlier stages found out about the item."""
        return self._digests.get(item, item)[:32]

    def remember(self, what: str, item: str, inputs: object, result: object) -> None:
        """Keep what was worked out of an item for a later stage, with everything it hangs on."""
        self._worked_out[what, item] = inputs, result

    def worked_out(self, what: str, item: str, inputs: object) -> Any:  # noqa: ANN401  # of any kind
        """Return what an earlier stage has worked out of the same inputs; None where it has not."""
        inputs_then, result = self._worked_out.get((what, item), (None, None))
        return result if inputs_then == inputs else None

    def leave(self, ids: Sequence[str], word: str) -> None:
        """Take items off the way, with a last word on each."""
        ids_gone = set(ids)
        self.ids = [item for item in self.ids if item not in ids_gone]
        self.outcomes.update(dict.fromkeys(ids, word))

    async def results(
        self, stage: str, model: type[Kept], ids: Sequence[str] | None = None
    ) -> dict[str, Kept]:
        """Return what `stage` journalled for the items (or for `ids`), by id."""
        ids_wanted = list(self.ids if ids is None else ids)
        results_kept = self._kept.setdefault(stage, {})
        missing = [item for item in ids_wanted if item not in results_kept and item not in self.new]
        if missing:
            stored = await self.workspace.db.read(journal.results, stage, missing)
            self.keep(
                stage, stored, {i: model.model_validate_json(text) for i, text in stored.items()}
            )
        return {item: results_kept[item] for item in ids_wanted if item in results_kept}  # type: ignore[misc]

    def now(self) -> datetime:
        """Return the current time, UTC."""
        return self.house.clock()
