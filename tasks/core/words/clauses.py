"""A letter cut into what is accounted for: sentences, and clauses that want something themselves.

*When are you open, and please cancel my order* is two. Cutting is generous: a clause too many is
looked at by itself, a clause too few could hide behind the answer to another.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from data.records.core.record import Record
from tasks.core.patterns import compiled
from tasks.core.words.questions import AskedQuestion, asks, questions, split_compound
from tasks.core.words.sentence_rows import words
from tasks.core.words.sentence_signs import (
    begins_clause,
    is_circumstance,
    is_courtesy,
    is_courtesy_with_names,
    is_good_news,
    is_order,
    is_request_opening,
    looks_like_names,
    names_no_matter,
    only_announces,
)
from tasks.core.words.sentences import sentences, without_mark

MOST = 300
"""Clauses of a letter that are looked at singly; what follows is one more."""
_LONGEST = 400
"""Characters of a sentence of which clauses are looked for; what follows is one more."""
_SHORT_LINE = 60
_ENDS = (".", "?", "!", "…")
"""What the line above a name ends with."""
_HEAD = 2
"""Words that a clause has at least, unless it is a courtesy."""
_JOINT = compiled(
    r"(?i)([,;:]\s+|\s+[-–—]+\s+|\)\s+|\s+\(|\s+(?:and|but|also|und|aber|außerdem|et|mais|y|pero|"
    r"además|e|ma|inoltre|en|maar|mas|ale|oraz)\s+)"
)
"""What may stand between two clauses; the Polish *i* is the English *I*, and is left out."""


class Clause(Record):
    """One thing that is accounted for."""

    text: str
    """As written, without the mark of a list."""
    question: AskedQuestion | None = None
    """What it asks, where it asks something that an answer could be found for."""
    asking: bool = False
    """Whether it asks anything at all."""
    polite: bool = False
    """Whether it stands where names stand: a greeting, or below the sign-off."""
    paragraph: int
    """Which paragraph or item it stands in, from 0."""
    sentence: str = ""
    """The sentence that it is a part of."""
    continues: bool = False
    """Whether it stands in the same sentence as the clause before it."""


def clauses(text: str, names: Collection[str] = ()) -> list[Clause]:
    """Return the clauses of a letter in order; `names` are folded words of names."""
    return list(_clauses(text, frozenset(names)))


@lru_cache(maxsize=512)
def _clauses(text: str, names: frozenset[str]) -> list[Clause]:
    """Return the clauses of a letter; kept, because each draft of a case is held against them.

    A batch of cases is drafted as a whole before its drafts are checked.
    """
    asked = {question.text: question for question in questions(text)}
    clauses_made: list[Clause] = []
    signed = False
    blocks = list(_blocks(text, names))
    for number, block in enumerate(blocks):
        last = number == len(blocks) - 1 and number > 0
        if looks_like_names(block) and (signed or (last and names_no_matter(block))):
            clauses_made.append(Clause(text=block, polite=True, paragraph=number))
            continue
        # A line of courtesy above it makes a question of the letter begin with a greeting.
        here = {question.text: question for question in questions(block)} | asked
        for sentence in sentences(block):
            if len(clauses_made) >= MOST:
                return [*clauses_made, Clause(text=sentence, paragraph=number)]
            clauses_made += _of_sentence(sentence, here, names, number)
        signed = is_courtesy(block, names) and (signed or bool(clauses_made[1:]))
    return clauses_made


def wants_something(text: str, names: Collection[str] = ()) -> bool:
    """Return whether a letter says anything that is not recognized as wanting nothing."""
    return any(
        not (
            clause.polite
            or is_good_news(clause.text)
            or only_announces(clause.text)
            or is_circumstance(clause.text)
        )
        for clause in clauses(text, names)
    )


def orders(text: str) -> bool:
    """Return whether a clause of a letter wants something done."""
    return any(is_order(clause.text) for clause in clauses(text))


def _blocks(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield paragraphs, with short lines of courtesy and names apart from what stands around."""
    held_lines: list[str] = []
    lines = text.rstrip().splitlines()
    for at, line in enumerate([*lines, ""]):
        bare = line.strip() if words(line) else ""
        apart = not bare or (
            len(bare) <= _SHORT_LINE and (is_courtesy(bare, names) or is_courtesy_with_names(bare))
        )
        if at == len(lines) - 1 and held_lines and held_lines[-1].rstrip().endswith(_ENDS):
            apart = apart or (looks_like_names(bare) and names_no_matter(bare))
        if apart and held_lines:
            yield "\n".join(held_lines)
            held_lines = []
        if bare and apart:
            yield bare
        elif bare:
            held_lines.append(line)


def _of_sentence(
    sentence: str, asked: Mapping[str, AskedQuestion], names: Collection[str], number: int
) -> list[Clause]:
    """Return the clauses of a sentence; one beyond 400 characters leaves a rest of its own."""
    clauses_made: list[Clause] = []
    for part in split_compound(without_mark(sentence)[:_LONGEST]):
        question = asked.get(part)
        pieces = _pieces(part, names)
        place = _asking_place(pieces) if question is not None else -1
        for at, piece in enumerate(pieces):
            if not words(piece):
                continue
            polite = is_courtesy(piece, names) or is_courtesy_with_names(piece)
            clauses_made.append(
                Clause(
                    text=piece,
                    question=question if at == place else None,
                    asking=at == place or asks(piece),
                    polite=polite,
                    paragraph=number,
                    sentence=sentence,
                    continues=bool(clauses_made),
                )
            )
    rest = without_mark(sentence)[_LONGEST:].strip()
    return [*clauses_made, Clause(text=rest, paragraph=number)] if words(rest) else clauses_made


def _asking_place(pieces: list[str]) -> int:
    """Return which piece of a question asks: the last with its mark, else the first that asks."""
    marked = [n for n, piece in enumerate(pieces) if "?" in piece or "？" in piece]
    if marked:
        return marked[-1]
    return next((n for n, piece in enumerate(pieces) if asks(piece)), 0)


def _pieces(sentence: str, names: Collection[str]) -> list[str]:
    """Return a sentence cut at joints behind which a clause begins."""
    joints = [(match.start(), match.end()) for match in _JOINT.finditer(sentence)]
    if not joints or is_courtesy(sentence, names):
        return [sentence.strip()] if sentence.strip() else []
    pieces_cut: list[str] = []
    start = 0
    ends = [*joints, (len(sentence),) * 2]
    for (end, behind), following in zip(ends, [*ends[1:], ends[-1]], strict=True):
        head, rest = sentence[start:end], sentence[behind : following[0]]
        if end == len(sentence) or _parts(head, rest, names):
            pieces_cut.append(head.strip())
            start = behind
    return [piece for piece in pieces_cut if piece.strip()]


def _parts(head: str, rest: str, names: Collection[str]) -> bool:
    """Return whether two pieces of a sentence are two clauses."""
    if is_courtesy(head, names) or is_courtesy_with_names(head) or only_announces(head):
        return True
    if len(words(head)) < _HEAD or is_request_opening(words(head)):
        return False  # *I also need*, *it, however, hums*, *can you also send*
    if not asks(head) and asks(rest):
        return True
    return begins_clause(rest)
