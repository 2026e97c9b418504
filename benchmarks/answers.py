"""Answers to single questions: how many are right, wrong, or left open; and wrong ones by name.

The set (`sets/answers.yaml`) holds small organizations with what they know, questions that their
knowledge answers in several manners, and questions near it that it does not answer. A question is
*right* when the told sentences hold the piece that answers it, *wrong* when something else is told,
also to a question that should stay open. Half of the organizations chose thresholds and shares.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from benchmarks.retrieval import KINDS as KINDS_OF_RETRIEVAL
from benchmarks.retrieval import read as retrieval_set
from data.records.core.briefing import Snippet, SourceKind
from tasks.core.answering.answer import DraftedAnswer, answer, citable, suggested
from tasks.core.answering.answer_score import SHARES, AnswerSigns
from tasks.core.answering.answer_signs import WeighedQuestion
from tasks.core.language.language_identification import LanguageTeller
from tasks.core.words.questions import AskedQuestion

SET = Path(__file__).parent / "sets" / "answers.yaml"
KINDS = ("words", "meaning", "typing", "near")
Case = tuple[str, str, str | None, str, Sequence[Snippet]]
"""Manner, question, piece of its answer, language, and what the organization knows."""


def read(*, tuned: bool | None = None) -> Iterator[Case]:
    """Yield the questions of all organizations, or of one half of them."""
    for house in yaml.safe_load(SET.read_text(encoding="utf-8"))["houses"]:
        if tuned is not None and bool(house.get("tuned")) is not tuned:
            continue
        snippets = [_snippet(house, row) for row in house["entries"]]
        for row in house["questions"]:
            yield row[0], row[1], row[2], _language(house, row), snippets


def _language(house: Mapping[str, Any], row: Sequence[Any]) -> str:
    return str(row[3]) if len(row) > 3 else str(house["language"])


def _snippet(house: Mapping[str, Any], row: Sequence[Any]) -> Snippet:
    return Snippet(
        source=SourceKind.KNOWLEDGE,
        ref=f"knowledge:{row[0]}",
        title=row[1],
        text=row[2],
        trusted=True,
        language=_language(house, row),
    )


def judge_answer(found: DraftedAnswer | None, piece: str | None) -> str:
    """Return `right`, `wrong` or `open`; for a question without an answer `open` is right."""
    if found is None:
        return "open"
    told = " ".join(citation.sentence for citation in found.citations).casefold()
    return "right" if piece is not None and piece.casefold() in told else "wrong"


def measure(asked: Iterable[Case]) -> dict[str, Counter[str]]:
    """Return how the questions of each manner end, and print those answered wrongly."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    beside = 0
    for kind, text, piece, language, snippets in asked:
        found = answer(AskedQuestion(text=text), citable(snippets, language))
        end = judge_answer(found, piece)
        counts[kind][end] += 1
        if end == "right" and found is not None:
            beside += len({citation.ref for citation in found.citations}) > 1
        if end == "wrong" and found is not None:
            told = " ".join(citation.sentence for citation in found.citations)
            print(f"  wrong ({kind}, {found.score:.2f}): {text} → {told}")
    print(f"  right answers that tell a second entry too: {beside}")
    return counts


def table(name: str, counts: Mapping[str, Counter[str]]) -> None:
    """Print one row per manner and one of all."""
    answerable = sum((counts[kind] for kind in KINDS[:-1]), Counter[str]())
    rows = [*counts.items(), ("answerable", answerable), ("all", answerable + counts["near"])]
    print(f"{name:24}{'questions':>10}{'right':>8}{'wrong':>8}{'open':>8}")
    for kind, found in rows:
        size = max(1, found.total())
        shares = "".join(f"{found[end] / size:>8.3f}" for end in ("right", "wrong", "open"))
        print(f"  {kind:22}{found.total():>10}{shares}")


def elsewhere() -> None:
    """Print how many questions in another language get the right suggestion, of eight entries."""
    entries, queries = retrieval_set()
    known = [_snippet({"language": "en"}, (one.id, one.title, one.body)) for one in entries]
    ends: Counter[str] = Counter()
    asked = queries[KINDS_OF_RETRIEVAL.index("other language")]
    for at, (text, code) in enumerate(zip(asked, LanguageTeller().tell_many(asked), strict=True)):
        found = suggested(AskedQuestion(text=text), known[max(0, at - 4) : at + 4], code)
        right = found is not None and found.ref == known[at].ref
        ends["open" if found is None else "right" if right else "wrong"] += 1
    print(f"suggestions in another language, {len(asked)} questions: {dict(ends)}")


def fit(strength: float = 3.0) -> None:
    """Print shares and base by logistic regression on the half that chooses, signs held.

    `strength` is that of the penalty on each share, measured in spreads of its sign.
    """
    signs, truths = [], []
    for _, text, piece, language, snippets in read(tuned=True):
        known = citable(snippets, language)
        for one in WeighedQuestion(AskedQuestion(text=text), known).candidates():
            signs.append(one.signs)
            truths.append(piece is not None and piece.casefold() in one.sentence.casefold())
    given, truth = np.array(signs), np.array(truths, dtype=float)
    spread = given.std(axis=0) + 1e-9
    direction = np.sign(np.array(SHARES))
    rows = np.column_stack([given / spread * direction, np.ones(len(given))])
    weights = np.array([0.0] * len(SHARES) + [-3.0])
    for _ in range(6000):
        error = 1 / (1 + np.exp(-rows @ weights)) - truth
        weights -= 0.4 / len(rows) * (rows.T @ error + strength * np.append(weights[:-1], 0))
        weights[:-1] = np.maximum(weights[:-1], 0)
    shares = weights[:-1] * direction / spread
    print({name: round(float(s), 2) for name, s in zip(AnswerSigns._fields, shares, strict=True)})
    print(f"base {weights[-1]:.2f}")


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--fit", action="store_true", help="print shares chosen anew")
    if options.parse_args().fit:
        fit()
        return
    for name, tuned in (("chose the thresholds", True), ("only judge", False)):
        table(name, measure(read(tuned=tuned)))
    everything = list(read())
    began = time.process_time()
    for _, text, _, language, snippets in everything:
        answer(AskedQuestion(text=text), citable(snippets, language))
    spent = time.process_time() - began
    elsewhere()
    print(f"{len(everything) / spent:,.0f} questions a second of processor time, asked again")


if __name__ == "__main__":
    main()
