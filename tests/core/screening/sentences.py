"""What tests disguise, encode, hide and lay out: the sentences of `sentences.yaml` by their use."""

from pathlib import Path
from typing import Any

from data.word_lists import word_list

_FILE = word_list(Path(__file__).with_suffix(".yaml"))
ORDERS: dict[str, Any] = _FILE["orders"]
ORDINARY: dict[str, list[str]] = _FILE["ordinary"]
