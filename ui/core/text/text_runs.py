"""Text cut into marked pieces: what the component `marked` draws. Pure, no Streamlit."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal

from data.records.core.citations import Citation
from data.records.core.record import Record
from data.records.mail.drafting import Finding, Severity
from ui.core.text.inert import show_controls

RunMark = Literal[
    "plain",
    "strong",
    "quiet",
    "cite",
    "block",
    "hold",
    "info",
    "added",
    "removed",
    "hidden",
    "code",
]
_HINT = 300
"""Characters of a source that are shown where the pointer rests on its number."""
_MOST_COMPARED = 4_000_000
"""Pairs of pieces that are compared while somebody waits: 2,000 of one text and of another."""
Icon = Literal["none", "yes", "no", "warn", "info", "dot"]


class Run(Record):
    """A piece of text drawn in one way."""

    text: str
    mark: RunMark = "plain"
    note: str = ""
    """Shown when the pointer rests on it."""
    to: str = ""
    """The key of the container that a press on it brings into view; our own."""


class TextLine(Record):
    """A paragraph of pieces, with a sign before it."""

    runs: tuple[Run, ...]
    icon: Icon = "none"


def run(text: str, mark: RunMark = "plain", note: str = "") -> Run:
    """Return a piece whose control characters are written out."""
    return Run(text=show_controls(text), mark=mark, note=show_controls(note))


def line(*runs: Run, icon: Icon = "none") -> TextLine:
    """Return a paragraph."""
    return TextLine(runs=runs, icon=icon)


def numbers(citations: Iterable[Citation]) -> dict[str, int]:
    """Return the number of each cited source, 1 for the first one cited."""
    refs = dict.fromkeys(citation.ref for citation in citations)
    return {ref: number for number, ref in enumerate(refs, start=1)}


def annotate_body(
    body: str,
    citations: Sequence[Citation],
    findings: Sequence[Finding],
    texts: Mapping[str, str] | None = None,
    place: str = "card-source",
) -> tuple[Run, ...]:
    """Return `body` with `[n]` after each cited sentence and each finding's words marked.

    A sentence or excerpt that does not stand in the body marks nothing. `texts` are the sources'
    words by their `ref`, the beginning of which is shown where the pointer rests on a number; the
    number leads to the source, in the container of the key `place` and the number.
    """
    number = numbers(citations)
    inserts: dict[int, list[Citation]] = {}
    for citation in citations:
        start = body.find(citation.sentence) if citation.sentence else -1
        if start >= 0:
            inserts.setdefault(start + len(citation.sentence), []).append(citation)
    marks = locate_findings(body, findings)
    cuts = sorted({0, len(body), *inserts, *(edge for span in marks for edge in span[:2])})
    pieces: list[Run] = []
    for start, end in zip(cuts, [*cuts[1:], len(body)], strict=True):
        for citation in inserts.get(start, ()):
            pieces.append(_reference(number[citation.ref], citation, texts or {}, place))
        if end > start:
            pieces.append(_piece(body, start, end, marks))
    return tuple(pieces)


def _reference(number: int, citation: Citation, texts: Mapping[str, str], place: str) -> Run:
    text = " ".join(texts.get(citation.ref, "").split())
    begins = text if len(text) <= _HINT else text[: _HINT - 1] + "…"
    note = "\n".join(part for part in (citation.title or citation.ref, begins) if part)
    return run(f"[{number}]", "cite", note).model_copy(update={"to": f"{place}-{number}"})


def difference(before: str, after: str) -> tuple[Run, ...]:
    """Return `after` with what was added to and removed from `before` marked.

    That is word by word; of very long texts line by line.
    """
    old, new = _compared(before, after)
    pieces: list[Run] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(run("".join(new[c:d])))
            continue
        if b > a:
            pieces.append(run("".join(old[a:b]), "removed"))
        if d > c:
            pieces.append(run("".join(new[c:d]), "added"))
    return tuple(pieces)


def changed_share(before: str, after: str) -> float:
    """Return how much of the text was changed, 0 to 1, by words."""
    return 1 - SequenceMatcher(None, *_compared(before, after), autojunk=False).ratio()


def _compared(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return both texts in pieces: words, or lines where there are many; else each in one."""
    for cut in (_words, lambda text: text.splitlines(keepends=True)):
        old, new = cut(before), cut(after)
        if len(old) * len(new) <= _MOST_COMPARED:
            return old, new
    return [before], [after]


def _words(text: str) -> list[str]:
    """Cut into words and the blanks between them, so that joining gives the text back."""
    pieces: list[str] = []
    for character in text:
        blank = character.isspace()
        if pieces and not blank and not pieces[-1][-1].isspace():
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def locate_findings(body: str, findings: Sequence[Finding]) -> list[tuple[int, int, Finding]]:
    """Return where in `body` the words of each finding stand; without a place it is left out."""
    cards = []
    for finding in findings:
        if 0 <= finding.start < finding.end <= len(body):
            cards.append((finding.start, finding.end, finding))
            continue
        start = body.find(finding.excerpt) if finding.excerpt else -1
        if start >= 0:
            cards.append((start, start + len(finding.excerpt), finding))
    return cards


def _piece(body: str, start: int, end: int, marks: list[tuple[int, int, Finding]]) -> Run:
    over = [finding for a, b, finding in marks if a <= start and end <= b]
    if not over:
        return run(body[start:end])
    order = (Severity.BLOCK, Severity.HOLD, Severity.INFO)
    worst = min(over, key=lambda finding: order.index(finding.severity))
    mark: RunMark = worst.severity.value
    return run(body[start:end], mark, " ".join(finding.sentence for finding in over))
