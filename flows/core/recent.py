"""Results that were just journalled, so that whoever reads them next need not build them again.

The work on a case begins with what intake has found out about its messages, moments before as a
rule. The journal is asked all the same, because it says what counts: only when it gives the very
text that a record was written as is the record taken from here instead of from the text.
"""

from collections.abc import Mapping
from typing import TypeVar

from data.records.core.record import Record

Kept = TypeVar("Kept", bound=Record)
CHARACTERS = 8_000_000
"""Most that is kept, as characters of JSON; the oldest go first."""


class Recent:
    """Records by stage and item, each with the text that the journal has of it."""

    def __init__(self, characters: int = CHARACTERS) -> None:
        self._most, self._held = characters, 0
        self._records: dict[tuple[str, str], tuple[str, Record]] = {}

    def keep(self, stage: str, texts: Mapping[str, str], results: Mapping[str, Record]) -> None:
        """Remember what a stage found out about items, with its JSON."""
        for item, text in texts.items():
            self._forget((stage, item))
            self._records[stage, item] = (text, results[item])
            self._held += len(text)
        while self._held > self._most:
            self._forget(next(iter(self._records)))

    def take(self, stage: str, item: str, text: str, model: type[Kept]) -> Kept:
        """Return the record that `text` is the JSON of; it is not kept any longer."""
        record = self._forget((stage, item))
        if record is not None and record[0] == text and type(record[1]) is model:
            return record[1]
        return model.model_validate_json(text)

    def _forget(self, key: tuple[str, str]) -> tuple[str, Record] | None:
        record = self._records.pop(key, None)
        if record is not None:
            self._held -= len(record[0])
        return record
