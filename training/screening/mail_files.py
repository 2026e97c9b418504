"""Files of mails that were written as a whole: one JSON object a line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

MailT = TypeVar("MailT")


def mails_in(folder: Path, kind: Callable[..., MailT]) -> tuple[MailT, ...]:
    """Return the mails of a folder, each made of its fields, in the order of the files."""
    return tuple(
        kind(**json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
