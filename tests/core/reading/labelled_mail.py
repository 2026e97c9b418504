"""Reads `tests/core/reading/segments/*.txt`: messages whose lines say whose words they are."""

from dataclasses import dataclass, field
from pathlib import Path

from data.records.core.parsed_mail import ParsedMail, Segments
from tasks.core.parse.parsing import parse

FOLDER = Path(__file__).parent / "segments"
HALVES = ("first_half", "second_half")


@dataclass
class Labelled:
    """One message and what its segments should be."""

    name: str
    format: str
    """`plain` or `html`."""
    subject: str
    content: list[str] = field(default_factory=list)
    """Lines of the body as sent."""
    lines: dict[str, list[str]] = field(default_factory=dict)
    """Filled lines by label: n new, c closing, s signature, q quoted, f passed on."""

    def mail(self) -> ParsedMail:
        """Return the message as read."""
        kind = "html" if self.format == "html" else "plain"
        head = (
            f"From: a@writer.example\nSubject: {self.subject}\n"
            f"Content-Type: text/{kind}; charset=utf-8\n\n"
        )
        return parse((head + "\n".join(self.content) + "\n").encode())

    def wanted(self, labels: str) -> str:
        """Return the text of some labels in order, white space aside."""
        return squeezed("\n".join(line for label in labels for line in self.lines.get(label, ())))


def load(half: str) -> list[Labelled]:
    """Return the messages of one file."""
    found: list[Labelled] = []
    for line in (FOLDER / f"{half}.txt").read_text("utf-8").split("\n"):
        label, _, rest = line.partition(" ")
        if line.startswith("#") or (not found and not line):
            continue
        if label == "=":
            name, kind, subject = (part.strip() for part in rest.split("|", 2))
            found.append(Labelled(name=name, format=kind, subject=subject))
            continue
        now = found[-1]
        if now.format == "plain" or label == "h":
            now.content.append(rest)
        if label != "h" and rest.strip():
            now.lines.setdefault(label, []).append(rest)
    return found


def squeezed(text: str) -> str:
    """Return text with white space collapsed."""
    return " ".join(text.split())


def new_is_right(one: Labelled, cut: Segments) -> bool:
    """Whether the new text is exact; closing words and name may stand on either side."""
    return squeezed(cut.new) in (one.wanted("n"), one.wanted("nc"))


def reply_is_right(one: Labelled, cut: Segments) -> bool:
    """Whether history and passed-on content are exactly cut off, whatever becomes of the rest."""
    return squeezed(f"{cut.new}\n{cut.signature}") == one.wanted("ncs")


def all_is_right(one: Labelled, cut: Segments) -> bool:
    """Whether all four segments are exact; of HTML whether new text and signature are."""
    if not new_is_right(one, cut) or not reply_is_right(one, cut):
        return False
    if one.format == "html":
        return bool(cut.forwarded) == ("f" in one.lines)
    return squeezed(cut.quoted) == one.wanted("q") and squeezed(cut.forwarded) == one.wanted("f")
