"""The reply as it is written: its text with the marks of the check, and its sources' numbers."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict

import streamlit as st

from data.records.core.citations import Citation
from data.records.mail.drafting import Finding
from data.records.mail.views import CaseView
from ui.core.text.text_runs import locate_findings, numbers
from ui.mail.deciding.decisions import letter_key
from ui.mail.widgets.letter.slash_menu import offers

_PARTS = (Path(__file__).with_name(name) for name in ("slash.js", "letter.js"))
_JS = "\n".join(part.read_text(encoding="utf-8") for part in _PARTS)


class _Span(NamedTuple):
    """A place as a browser counts it, where some characters count twice."""

    start: int
    end: int


class _Mark(TypedDict):
    """What is marked in the text, as the component takes it."""

    start: int
    end: int
    kind: str
    number: NotRequired[int]
    note: NotRequired[str]
    to: NotRequired[str]


def letter(
    case: CaseView,
    text: tuple[str, str],
    citations: Sequence[Citation],
    findings: Sequence[Finding],
    on_typed: Callable[[CaseView], None],
    on_send: Callable[[CaseView], None],
) -> None:
    """Draw subject and body as fields; what a finding is about and what is cited is marked.

    The text that was typed is told to `on_typed` after a pause and when a field is left, and to
    `on_send` with Ctrl+Enter; `ui.mail.deciding.decisions.typed` returns it in both.
    """
    subject, body = text
    data = {
        "case": case.id,
        "stamp": stamp(case),
        "subject": subject,
        "body": body,
        "marks": [*_cited(body, citations), *_mark_findings(body, findings)],
        "focus": _ask_to_write(case.id),
        "offers": offers(case),
    }
    component = st.components.v2.component("postern_letter", js=_JS, isolate_styles=False)
    component(
        data=json.dumps(data),
        key=letter_key(case.id),
        on_typed_change=lambda: on_typed(case),
        on_send_change=lambda: on_send(case),
    )


def stamp(case: CaseView) -> str:
    """Return what is another one once the text in the field is to be replaced."""
    return f"{len(case.revisions)}.{st.session_state.get(f'letter-set-{case.id}', 0)}"


def replace(case_id: str) -> None:
    """Let the next drawing put its text in the place of what stands in the field."""
    key = f"letter-set-{case_id}"
    st.session_state[key] = int(st.session_state.get(key, 0)) + 1


def _ask_to_write(case_id: str) -> str:
    """Return a word that is another one each time a person is asked to write; empty before."""
    if st.session_state.get("panel") == "edit":
        st.session_state["panel"] = ""
        asked = int(st.session_state.get("letter-asked", 0)) + 1
        st.session_state["letter-asked"] = asked
        st.session_state["letter-wanted"] = (case_id, str(asked))
    whose, word = st.session_state.get("letter-wanted", ("", ""))
    return str(word) if whose == case_id else ""


def _cited(body: str, citations: Sequence[Citation]) -> list[_Mark]:
    number = numbers(citations)
    marks: list[_Mark] = []
    for citation in citations:
        start = body.find(citation.sentence) if citation.sentence else -1
        if start >= 0:
            span = _span(body, start, start + len(citation.sentence))
            index = number[citation.ref]
            name = citation.title or citation.ref
            to = f"card-source-{index}"
            mark: _Mark = {"start": span.start, "end": span.end, "kind": "cited"}
            marks.append({**mark, "number": index, "note": name, "to": to})
    return marks


def _mark_findings(body: str, findings: Sequence[Finding]) -> list[_Mark]:
    spans = [
        (_span(body, start, end), finding)
        for start, end, finding in locate_findings(body, findings)
    ]
    return [
        {"start": span.start, "end": span.end, "kind": finding.severity.value}
        for span, finding in spans
    ]


def _span(body: str, start: int, end: int) -> _Span:
    """Return a place of a text, which we count by characters, as a browser counts it."""
    first = len(body[:start].encode("utf-16-le")) // 2
    return _Span(first, first + len(body[start:end].encode("utf-16-le")) // 2)
