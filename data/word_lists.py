"""Reading the YAML files of our own that hold words."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    FastSafeLoader = yaml.SafeLoader
else:
    FastSafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, ten times as fast


def word_list(path: Path) -> Any:  # noqa: ANN401  # whatever the file holds
    """Return the content of a file; who asks keeps it."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=FastSafeLoader)  # noqa: S506  # a safe one
