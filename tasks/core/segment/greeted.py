"""The letter that is answered, below the answer and with nothing that introduces it.

Nobody greets himself. Where a line of an answer greets its own sender by name, below words of his,
the letter begins that somebody wrote to him.
"""

from data.records.core.parsed_mail import ParsedMail
from tasks.core.patterns import compiled
from tasks.core.segment.labels import LabelOwner
from tasks.core.segment.lexicon import phrases

CHARACTERS = 60
"""Characters of a line that greets."""
_SHORT = 3
"""Letters of a name, at least; shorter ones are words of many languages."""

_GREETINGS = tuple(f"{greeting} " for greeting in sorted(phrases("signatures", "greetings")))
_WORD = compiled(r"\pL+")


def label_greeted(mail: ParsedMail, lines: list[str], labels: list[LabelOwner]) -> None:
    """Label as quoted what begins with a greeting of the sender, below new words of an answer.

    Only where nothing else is history: a letter is quoted once.
    """
    if mail.sender is None or not (mail.in_reply_to or mail.references):
        return
    if any(label in (LabelOwner.QUOTED, LabelOwner.FORWARDED) for label in labels):
        return
    local = mail.sender.email.partition("@")[0]
    words = _WORD.findall(f"{mail.sender.name} {local}".casefold())
    names = {word for word in words if len(word) >= _SHORT}
    filled = [at for at, line in enumerate(lines) if line.strip()]
    for at in filled[1:-1]:
        bare = lines[at].strip()
        if len(bare) > CHARACTERS or not bare.casefold().startswith(_GREETINGS):
            continue
        if not names.isdisjoint(_WORD.findall(bare.casefold())) and "?" not in bare:
            labels[at:] = [LabelOwner.QUOTED] * (len(lines) - at)
            return
