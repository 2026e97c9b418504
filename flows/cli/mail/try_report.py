"""The answer of `postern try` for a person: each stage with what it decided and why."""

from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from flows.operating.command_context import make_inert

STYLE_BY_VERDICT = {"clean": "green", "flagged": "yellow", "quarantine": "bold red"}
EXCERPT_CHARACTERS = 160
LINE_CHARACTERS = 4_000
"""A paragraph of a draft is one line, and is shown whole."""
Lines = Iterator[tuple[str, str] | str]
"""Texts, each alone or with the style of `rich` in which it is printed."""
TrialReport = dict[str, Any]
"""JSON: a message's line, or what one stage says in it; `flows/tryout/stages.py` makes it."""


def report(answer: TrialReport) -> RenderableType:
    """Return what to print for one message; everything from the mail is drawn inert."""
    title = Text(make_inert(str(answer["id"]), EXCERPT_CHARACTERS), style="bold")
    if "error" in answer:
        return Panel(
            Text(make_inert(answer["error"]), style="red"), title=title, title_align="left"
        )
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column()
    for key, lines in LINES_BY_STAGE.items():
        if key in answer:
            table.add_row(key, Group(*(_text(line) for line in lines(answer[key]))))
    if _value_at(answer, "classification", "parts"):
        table.add_row("parts", Group(*(_text(line) for line in _parts(answer))))
    return Panel(table, title=title, title_align="left")


def _text(line: tuple[str, str] | str) -> Text:
    words, style = line if isinstance(line, tuple) else (line, "")
    return Text(make_inert(words, LINE_CHARACTERS), style=style)


def _parse(answer: TrialReport) -> Lines:
    sender = answer["from"]
    yield f"{sender['name']} <{sender['email']}>" if sender else "no readable sender", "bold"
    yield answer["subject"] or "(no subject)"
    for attachment in answer["attachments"]:
        kind, size = attachment["content_type"], attachment["size_bytes"]
        yield f"attached: {attachment['filename']} ({kind}, {size} bytes)"
    for defect in answer["defects"]:
        yield f"odd: {defect}", "yellow"


def _segments(texts_by_owner: dict[str, str]) -> Lines:
    for name, text in texts_by_owner.items():
        if text:
            yield f"{name}: {make_inert(text, EXCERPT_CHARACTERS)}"


def _automated(answer: TrialReport) -> Lines:
    yield f"yes: {answer['kind']}" if answer["automated"] else "no, a person wrote it"
    yield from (f"because {make_inert(reason, EXCERPT_CHARACTERS)}" for reason in answer["reasons"])
    yield from (
        f"bars sending: {make_inert(gate, EXCERPT_CHARACTERS)}"
        for gate in answer.get("bars_sending", ())
    )


def _screen(answer: TrialReport) -> Lines:
    yield (
        f"{answer['verdict']}, score {answer['score']:.2f}",
        STYLE_BY_VERDICT.get(answer["verdict"], ""),
    )
    if answer["verdict"] == "quarantine":
        yield "stops here in the pipeline; what follows would come after a release", "dim"
    for hit in answer["hits"]:
        excerpt = make_inert(hit["excerpt"], 100)
        yield f"{hit['rule']} ({hit['technique']}, {hit['place']}): {excerpt}"
    yield f"{len(answer['misses'])} rules found nothing", "dim"
    yield from ((f"could not run: {error}", "red") for error in answer["errors"])


def _authentication(answer: TrialReport) -> Lines:
    yield f"spf {answer['spf']}, dkim {answer['dkim']}, dmarc {answer['dmarc']}"
    yield from (f"because {reason}" for reason in answer["reasons"])


def _classification(answer: TrialReport) -> Lines:
    yield (
        f"{answer['category']}, {answer['priority']}, {answer['sentiment']}, {answer['language']}, "
        f"confidence {answer['confidence']:.2f}"
    )
    for intent in answer["intents"]:
        words = make_inert(intent["text"], 90)
        yield f"{intent['intent']} about {intent['category']} ({intent['confidence']:.2f}): {words}"
    yield from (f"because {reason}" for reason in answer["reasons"])


def _context(answer: TrialReport) -> Lines:
    yield f"{answer['tier']}, {answer['tokens']} of {answer['budget']} tokens"
    yield from (
        f"{snippet['source']} {snippet['ref']}: {snippet['title']}"
        for snippet in answer["snippets"]
    )


def _plan(answers: list[TrialReport]) -> Lines:
    for branch in answers:
        yield f"{branch['intent']} about {branch['category']}", "bold"
        for action in branch["actions"]:
            yield f"{action['type']} (floor {action['floor']}): {action['reason']}"


def _parts(answer: TrialReport) -> Lines:
    """Yield each part of an answer that has several: what it is, its plan, draft, and decision."""
    classification = answer["classification"]
    for place, (intent, part) in enumerate(
        zip(classification["intents"], classification["parts"], strict=True)
    ):
        yield (
            f"{place + 1}. {intent['intent']} about {part['category']}, {part['priority']}, "
            f"{part['sentiment']}, confidence {part['confidence']:.2f}",
            "bold",
        )
        yield make_inert(intent["text"], EXCERPT_CHARACTERS), "dim"
        for action in _value_at(answer, "plan", place, "actions"):
            yield f"plan: {action['type']} (floor {action['floor']})"
        draft = _value_at(answer, "draft", "parts", place)
        if draft:
            body = make_inert(" ".join(draft["body"].split()), 300)
            yield f"draft: {body or 'nothing is said to it'}"
        checked = _value_at(answer, "check", "branches", place)
        if checked:
            yield f"quality {checked['quality']:.2f}"
        decision = _value_at(answer, "route", "parts", place)
        if decision:
            yield f"by itself: {decision['outcome']}: {decision['reason']}", "cyan"


def _value_at(answer: Any, *path: str | int) -> Any:  # noqa: ANN401  # JSON
    """Return what stands at a path; an empty dictionary where a stage was not run."""
    for step in path:
        if isinstance(step, int):
            answer = answer[step] if len(answer) > step else {}
        else:
            answer = answer.get(step) or {}
    return answer


def _settings_used(answer: TrialReport) -> Lines:
    yield f"of {answer['organization']}, from {answer['read_from']}"
    yield (
        f"{answer['allowances']} allowances, {answer['blocks']} blocks, {answer['spam_examples']} "
        f"examples of spam and {answer['wanted_examples']} of wanted mail, "
        f"{answer['saved_replies']} kept saved replies"
    )
    layer = answer["corrections"]
    yield f"people's corrections: training {layer}" if layer else "no training on corrections"


def _draft(answer: TrialReport) -> Lines:
    if not answer["body"].strip():
        yield "no reply is planned", "dim"
        return
    yield answer["subject"], "bold"
    yield from answer["body"].splitlines()
    yield from (
        (f"rests on {citation['ref']}: {citation['sentence']}", "dim")
        for citation in answer["citations"]
    )


def _check(answer: TrialReport) -> Lines:
    parts = ", ".join(f"{name} {value:.2f}" for name, value in answer["parts"].items())
    yield f"quality {answer['quality']:.2f}" + (f" ({parts})" if parts else "")
    for finding in answer["findings"]:
        yield f"{finding['severity']}: {finding['sentence']} {make_inert(finding['excerpt'], 80)}"


def _route(answer: TrialReport) -> Lines:
    yield f"{answer['outcome']}: {answer['reason']}", "bold"
    recipients = answer["recipients"]
    yield f"to {', '.join(recipients['to']) or 'nobody'}: {recipients['reason']}"
    for gate in answer["gates"]:
        mark, style = ("passed", "green") if gate["passed"] else ("held", "yellow")
        yield f"{mark:<7} {gate['name']}: {gate['reason']}", style


LINES_BY_STAGE: dict[str, Callable[[Any], Lines]] = {
    "parse": _parse,
    "segments": _segments,
    "automated": _automated,
    "screen": _screen,
    "authentication": _authentication,
    "classification": _classification,
    "context": _context,
    "plan": _plan,
    "draft": _draft,
    "check": _check,
    "route": _route,
    "used": _settings_used,
}
