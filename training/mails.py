"""Reading the whole messages under `training/corpora/understanding/mails-*.yaml`.

They are written out literally, by trade; a line is `code subject :: text`, where ` / ` stands for a
line break and the subject may be missing. The code has a letter for each label, such as `Sqn0`:
category (S V B F C X I O: support, sales, billing, feature request, complaint, spam, internal,
other), intent by its first letter, priority by its first letter, sentiment (`+`, `0`, `-`).
"""

import zlib
from functools import cache

import yaml

from data.errors import ManifestError
from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from training.compose import Message
from training.corpus import CORPUS, Labels

FOLDS = 5

_CATEGORY = dict(zip("SVBFCXIO", Category, strict=True))
_INTENT = {kind.value[0]: kind for kind in IntentKind}
_PRIORITY = {priority.value[0]: priority for priority in Priority}
_SENTIMENT = dict(zip("+0-", Sentiment, strict=True))


def _message(line: str, language: str, trade: str) -> Message:
    code, _, rest = line.strip().partition(" ")
    try:
        labels = Labels(
            category=_CATEGORY[code[0]],
            intent=_INTENT[code[1]],
            priority=_PRIORITY[code[2]],
            sentiment=_SENTIMENT[code[3]],
        )
    except (KeyError, IndexError) as error:
        raise ManifestError(
            f"The line {line[:60]!r} of trade {trade!r} has no code of four letters; correct it."
        ) from error
    subject, mark, text = rest.rpartition(" :: ")
    text = (text if mark else rest).strip().replace(" / ", "\n")
    return Message(
        text=text,
        subject=subject.strip(),
        labels=labels,
        language=language,
        family=f"trade/{trade}",
        persona=f"{language}-{trade}",
        half="train",
        core=text,
    )


@cache
def mails() -> tuple[Message, ...]:
    """All whole messages, in the order of file names and lines.

    Raises `ManifestError` when a line has no valid code.
    """
    found = []
    for path in sorted(CORPUS.glob("mails-*.yaml")):
        file = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for trade, lines in file["trades"].items():
            found += [
                _message(line, file["language"], trade)
                for line in str(lines).splitlines()
                if line.strip()
            ]
    return tuple(found)


def fold(message: Message) -> int:
    """Which of the `FOLDS` parts a message is in: that of its trade, in every language."""
    return zlib.crc32(message.family.encode()) % FOLDS
