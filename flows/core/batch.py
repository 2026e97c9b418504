"""A batch: the messages or cases that one flow run takes through the stages."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from data.records.core.record import Record
from data.store.core import journal
from flows.core.house import House
from flows.core.workspace import Workspace

ResultT = TypeVar("ResultT", bound=Record)
"""What a stage journals of one item."""


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
    """By id, the items' rows as a stage has read them last; which kind of row, it knows."""
    ready: dict[str, Any] = field(default_factory=dict)
    """By id, what a stage made before its transaction and writes in it; it alone knows the kind."""
    _results: dict[str, dict[str, Record]] = field(default_factory=dict)
    """By stage and id, the results that need not be read again."""
    _digests: dict[str, str] = field(default_factory=dict)
    """By id, a hash over all results so far, each with its stage."""
    _computed: dict[tuple[str, str], tuple[object, Any]] = field(default_factory=dict)
    """By kind and id, something computed and the inputs that it was computed of."""

    async def note_new(self) -> None:
        """Read once which items are new, so that no stage looks for earlier results of those."""
        begun = await self.workspace.db.read(journal.list_begun, self.ids)
        self.new = frozenset(self.ids) - begun

    def keep_results(
        self, stage: str, texts: Mapping[str, str], results: Mapping[str, Record]
    ) -> None:
        """Keep results of a stage for later ones; their JSON goes into the items' input hashes."""
        self._results.setdefault(stage, {}).update(results)
        for item, text in texts.items():
            chained = f"{self._digests.get(item, item)} {stage} {text}"
            self._digests[item] = hashlib.sha256(chained.encode()).hexdigest()

    def find_result_json(self, stage: str, item: str) -> str:
        """Return as JSON the result of a stage for an item that is kept; empty where none is."""
        result = self._results.get(stage, {}).get(item)
        return result.model_dump_json() if result is not None else ""

    def hash_inputs(self, item: str) -> str:
        """Return a hash over everything that earlier stages found out about the item."""
        return self._digests.get(item, item)[:32]

    def keep_computed(self, kind: str, item: str, inputs: object, result: object) -> None:
        """Keep what was computed of an item for a later stage, with all that it was computed of."""
        self._computed[kind, item] = inputs, result

    def find_computed(self, kind: str, item: str, inputs: object) -> Any:  # noqa: ANN401  # of any kind
        """Return what an earlier stage has computed of the same inputs; None where it has not."""
        inputs_then, result = self._computed.get((kind, item), (None, None))
        return result if inputs_then == inputs else None

    def take_off(self, ids: Sequence[str], word: str) -> None:
        """Have items go no further with this batch; `word` is the last one on each."""
        ids_gone = set(ids)
        self.ids = [item for item in self.ids if item not in ids_gone]
        self.outcomes.update(dict.fromkeys(ids, word))

    async def read_results(
        self, stage: str, model: type[ResultT], ids: Sequence[str] | None = None
    ) -> dict[str, ResultT]:
        """Return by id what `stage` has for the items (or for `ids`), kept here or journalled."""
        ids_wanted = list(self.ids if ids is None else ids)
        results_kept = self._results.setdefault(stage, {})
        missing = [item for item in ids_wanted if item not in results_kept and item not in self.new]
        if missing:
            stored = await self.workspace.db.read(journal.read_results, stage, missing)
            self.keep_results(
                stage, stored, {i: model.model_validate_json(text) for i, text in stored.items()}
            )
        return {item: results_kept[item] for item in ids_wanted if item in results_kept}  # type: ignore[misc]

    def now(self) -> datetime:
        """Return the current time, UTC."""
        return self.house.clock()
