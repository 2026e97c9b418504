"""Labels of the lines of a body: what HTML and OpenPGP say, and how they are collected."""

from collections.abc import Iterator
from enum import Enum, auto
from itertools import groupby

from data.records.core.parsed_mail import MarkKind, ParsedMail
from tasks.core.segment import markers as markers

OPENING_LINES = 12
"""Filled lines that a program puts between the beginning of its quote and the quoted lines."""


class LabelOwner(Enum):
    """The label of one line."""

    NEW = auto()
    QUOTED = auto()
    REST = auto()
    """The rest of the body after a marker: quoted or passed on, decided by the whole."""
    FORWARDED = auto()
    SIGNATURE = auto()


def apply_marks(
    mail: ParsedMail, lines: list[str], labels: list[LabelOwner], split: list[int]
) -> None:
    """Label what the HTML says about its lines; `split` are lines that have become two."""
    for mark in mail.marks:
        start = mark.start + sum(at < mark.start for at in split)
        end = min(mark.end + sum(at < mark.end for at in split), len(lines))
        if mark.kind is MarkKind.SIGNATURE:
            whose = LabelOwner.SIGNATURE
        elif mark.kind is MarkKind.REST:
            whose, end = LabelOwner.REST, len(lines)
        else:
            whose, end = _quote(mark.kind, lines, start, end)
        for at in range(start, end):
            own = labels[at] is LabelOwner.NEW and not lines[at].startswith(">")
            if own or whose is LabelOwner.REST:
                labels[at] = whose


def _quote(kind: MarkKind, lines: list[str], start: int, end: int) -> tuple[LabelOwner, int]:
    """Return the label and the end of a quote that HTML marks, which answers may interrupt."""
    filled = [at for at in range(start, end) if lines[at].strip()]
    quoted = next((n for n, at in enumerate(filled) if lines[at].startswith(">")), None)
    forward = any(markers.is_forward_marker(lines[at].strip()) for at in filled[:2])
    if forward:
        return LabelOwner.FORWARDED, end
    if kind is MarkKind.QUOTE and quoted is not None and quoted <= OPENING_LINES:
        return LabelOwner.QUOTED, filled[quoted]
    return LabelOwner.REST, end


def label_armor(lines: list[str], labels: list[LabelOwner]) -> None:
    """Label the lines that OpenPGP puts around a signed text, and encrypted ones (RFC 4880)."""
    inside = False
    for at, line in enumerate(lines):
        if line.startswith("-----BEGIN PGP SIGNED"):
            labels[at] = LabelOwner.SIGNATURE
            if at + 1 < len(lines) and lines[at + 1].startswith("Hash:"):
                labels[at + 1] = LabelOwner.SIGNATURE
        elif line.startswith(("-----BEGIN PGP SIGNATURE", "-----BEGIN PGP MESSAGE")):
            inside = True
        if inside:
            labels[at] = LabelOwner.SIGNATURE
        if line.startswith("-----END PGP"):
            inside = False


def has(lines: list[str], labels: list[LabelOwner], whose: LabelOwner) -> bool:
    """Whether any filled line has that label."""
    return any(label is whose and line.strip() for line, label in zip(lines, labels, strict=True))


def runs(labels: list[LabelOwner]) -> Iterator[tuple[LabelOwner, int, int]]:
    """Yield the runs of lines of one label: label, first line, line after the last."""
    start = 0
    for label, run in groupby(labels):
        end = start + len(list(run))
        yield label, start, end
        start = end


def collect(lines: list[str], labels: list[LabelOwner]) -> dict[LabelOwner, str]:
    """Return the lines of each label as text, with one blank line where others were between."""
    lines_by_owner: dict[LabelOwner, list[str]] = {}
    for label, start, end in runs(labels):
        own = lines_by_owner.setdefault(label, [])
        if own and own[-1].strip() and lines[start].strip():
            own.append("")
        own += map(str.rstrip, lines[start:end])
    return {label: "\n".join(own).strip("\n") for label, own in lines_by_owner.items()}
