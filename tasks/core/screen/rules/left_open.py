"""Rows of examples whose last answer is left to the reader, as one leaves it to a language model.

A model continues what it reads: after three questions with their answers and a fourth with none it
writes the fourth answer as the others were. People who show examples finish them. So the rule knows
no words: whatever stands before the answers, `A:`, `bot >>`, `->` or `<reply>`, it stands at the
end of a paragraph with nothing behind it, and before that several times with something.
"""

from collections.abc import Iterator
from itertools import islice

from data.records.core.screening import FilterLayer
from tasks.core.patterns import compiled
from tasks.core.screen.combinations import excusable, weighed
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.framing import SHOWN_AROUND, SHOWN_WEIGHT, is_shown_conversation
from tasks.core.screen.words.pattern_gate import GATE

_SIGN = r"(::?|：|→|⇒|[\-=]{0,3}>{1,4}|<[|]?\pL[^<>\n]{0,30}>)"
"""What an answer is announced by, a word before it or none."""
_END = r"[ \t]{0,4}\*{0,2}_{0,2}[\"“«‘「(\[]?[ \t]{0,4}(?:\z|\n[ \t>|]{0,9}\n)"
"""The end of a paragraph, perhaps behind a quotation mark; a form has a longer line to fill in."""
_OPEN = compiled(_SIGN + _END)
_GIVEN = compiled(_SIGN + r"[ \t*_]{0,4}\n?[ \t]{0,8}[^\s{<]")
_SLOT = compiled(r"\{\{|\{[\pL\pN_ .…-]*\}|\$\{|%s")
"""Where a program puts in what is asked: those who write such lines are working on a prompt."""
_PAGE = frozenset({
    "a", "b", "body", "br", "center", "div", "em", "font", "h1", "h2", "h3", "hr", "html", "i",
    "img", "li", "p", "span", "strong", "table", "tbody", "td", "th", "tr", "u", "ul",
})  # fmt: skip
"""Tags of pages, which end paragraphs everywhere."""
_ARROWS = frozenset({"→", "⇒", "->", "-->", "--->", "=>", "==>", "===>"})
"""Signs that announce an answer without a word."""
_EDGES = " \t>|-*_"
"""What a line may begin and end with beside its words."""
_CLOSING = ' \t*_.)]>|"”»'
"""What may stand between a word and its sign."""
_COMMENT = "<!"
_FEW, _ENOUGH = 2, 3
_SCORES = {_FEW: 0.25, _ENOUGH: 0.6}
_LONGEST_WORD = 30
_NEAR, _LINES_NEAR = 2_500, 400
"""Characters before an open answer in which the others stand, and its question."""
_MOST = 20
_ENDS_SO = GATE.watch(compiled(rf"[:：→⇒>]{_END}"), kind="turns")


def look(views: Views) -> Iterator[Find]:
    """Find paragraphs that end where an answer would begin, like those given before it."""
    for source in views.texts:
        if not source.signs & _ENDS_SO:
            continue
        text = source.text.rstrip()
        for match in islice(_OPEN.finditer(text), _MOST):
            begin, end = match.span()
            answer_given = _count_announced(text, begin, match.group(1))
            if answer_given < _FEW or _quotes(match.group()):
                continue
            score = _SCORES[min(answer_given, _ENOUGH)]
            if excusable(source) and is_shown_conversation(
                text, (max(0, begin - SHOWN_AROUND), end)
            ):
                score *= SHOWN_WEIGHT
            what = f"{answer_given} answers, the next one open"
            yield Find(source.place, what, weighed(source, score))


def _count_announced(text: str, begin: int, sign: str) -> int:
    """Return how many answers are announced like the open one at `begin`, if one asks for it."""
    announced = _announced(text, begin, sign)
    first = max(0, begin - _NEAR)
    if not announced or not _asked(text[max(first, begin - _LINES_NEAR) : begin], announced):
        return 0
    before = text[first:begin]
    if before.lower().count(_word(announced)) < _FEW:
        return 0  # most paragraphs that end so announce what no other does
    return sum(
        _announced(before, match.start(), match.group(1)) == announced
        for match in _GIVEN.finditer(before)
    )


def _announced(text: str, begin: int, sign: str) -> str:
    """Return how the answer at `begin` is announced, without numbers; empty where none is."""
    if sign.startswith("<"):
        name = sign.strip("<|/ >").partition(" ")[0].lower()
        return "" if name in _PAGE else sign.lower()
    head = text[max(0, begin - _LONGEST_WORD) : begin].rstrip(_CLOSING)
    at = len(head)
    while at and head[at - 1].isalnum():
        at -= 1
    word = "".join(letter for letter in head[at:].lower() if not letter.isdecimal())
    if sign == ">" and head[:at].rpartition("\n")[2].strip(_EDGES):
        return ""  # the end of a tag, or a comparison
    return f"{word}{sign}" if word or sign in _ARROWS else ""


def _word(announced: str) -> str:
    return announced.rstrip(":：→⇒>-=")


def _quotes(opened: str) -> bool:
    """Whether it is an older mail that is announced: `Maud wrote:`, and lines with marks."""
    return ":" in opened and opened.rstrip().endswith(">")


def _asked(before: str, announced: str) -> bool:
    """Whether a question stands in front of an open answer, as somebody has written it.

    None does where all lines begin alike, as in a report of a program. In a comment of a page, and
    where a program puts the question in, nobody has written it.
    """
    above, _, own = before.rpartition("\n")
    if _COMMENT in own:
        return False
    question, word = own.strip(_EDGES).lower(), _word(announced)
    if question in ("", word):
        question = next((line for line in reversed(above.splitlines()) if line.strip(_EDGES)), "")
        if word and question.lower().lstrip(_EDGES).startswith(word):
            return False
    return _SLOT.search(question) is None


RULE = ScreenRule(
    name="left_open",
    sentence="Gives examples of answers and leaves the last one for the reader to write.",
    technique="many_shot",
    layer=FilterLayer.INJECTION,
    severity=0.8,
    look=look,
)
