"""The frame around an order: a report that quotes it, a list of changes, a game or a lesson.

The words of attacks are found first; only then is it asked what stands around them, so that text
without any costs nothing. A word of a report excuses nothing by itself: the order has to stand
within a quotation that is closed, words outside it have to tell of it, and none may ask to follow
it. What a frame takes away, it takes from what stands in it and from nothing beside it.
"""

from collections.abc import Sequence
from functools import cache

from data.lexicons.screen import FRAMES, lexicon_of
from data.quotation_marks import QUOTATION_MARKS
from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.spotting import Sentence, Spotted, mask_of, mask_within
from tasks.core.screen.words.vocabulary import Vocabulary, clean, part_text

TOLD_WEIGHT = 0.15
"""What a quoted order counts that somebody tells of."""
FOLLOWED_WEIGHT = 0.6
"""What it counts where somebody asks to do what is quoted, whatever else is told of it."""
LISTED_WEIGHT = 0.25
"""What a change in a list of changes counts that sounds like an order."""
PEOPLE_WEIGHT = 0.4
"""What is said among people counts, in a game, a lesson or an offer of work."""
QUESTION_WEIGHT = 0.3
"""What counts, before an ordinary question, a greeting to a program or a wish for instructions."""
CORRECTED_WEIGHT = 0.3
"""What counts that somebody takes back what he wrote himself."""
PASSED_ON_WEIGHT = 0.4
"""What it counts where he also asks for something to be sent, said or granted."""
SHOWN_WEIGHT = 0.4
"""What a conversation counts that is shown because something is wrong with it."""
SHOWN_AROUND = 200
"""Characters before and after a conversation that tell why it is shown."""
_TELLING = 14
"""Words before and after a quotation within which it is told of."""
_FOLLOWING = 30
"""Words before and after it among which nobody may ask to follow it."""
_OBEYED = "obey_it|obey_me"
_LONGEST_QUOTATION = 60
_BEYOND = 8
"""Words by which what was found may reach out of the quotation."""
_SHORTEST_QUOTATION = 2
_SHORT_LETTER = 80
"""Words of a letter that is about one thing."""
_NEAR = 25
_ITEMS_WITHIN = 80
_LINE_AROUND = 300
"""Characters before and after a find among which somebody tells of it."""
_QUOTES = compiled(f"[{QUOTATION_MARKS}]")
_FEWEST_ITEMS = 2
_LETTER_BEGINS = 400
"""Characters of a letter that say what it is about."""
_QUOTE, _PARAGRAPH, _STOP = "\x02", "\x03", "\x01"
_ORDERS = "leak|override|shape|exfiltrate|must|conceal|persona|grant|condition|task_switch"
_TAKEN_BACK = "override|override_last|void"
_NOT_AMONG_PEOPLE = (
    "machine|automaton|prompt_object|response|persona|freedom|conceal|verbatim|target|secret|hoard"
    "|every_answer|task_switch|true_task|then_task|tool_call|only_answer|output_only|just_answer"
    "|obey_me|role_end|mode_word"
)
"""What nobody writes who takes back a mail of his."""
_OF_MACHINES = "machine|automaton|assistant|prompt_object|response|instruction|target"


@cache
def frames() -> Vocabulary:
    """Return the words that make a frame; they are looked up only beside what was found."""
    return Vocabulary(lexicon_of(FRAMES))


def frame_of(words: Sequence[str]) -> int:
    """Return the frames' concepts among words as `Spotted.words` holds them."""
    return mask_within(words, frames())


def frame(*names: str) -> int:
    """Return the bits of frames' concepts."""
    bits = frames().bits
    return sum(bits[name] for name in names)


def told_of(spotted: Spotted, span: tuple[int, int], quoted: bool) -> float | None:
    """Return what an order counts that is quoted and told of; more where it is to be followed.

    None where it stands in no quotation, or nobody tells of it.

    Args:
        spotted: the text.
        span: words that were found.
        quoted: whether the first stands within a quotation; else one has to open soon after it,
            and before that nothing may be ordered.

    """
    words, reach = spotted.words, _TELLING * spotted.stretch
    beyond = _BEYOND * spotted.stretch
    if quoted:
        opening = _quote(words, range(span[0] - 1, max(-1, span[0] - _LONGEST_QUOTATION), -1))
    else:
        opening = _quote(words, range(span[0], min(span[1], span[0] + beyond)))
        if opening is None or mask_within(words[span[0] : opening]) & mask_of(_ORDERS):
            return None
    if opening is None:
        return None
    first = max(opening + 1, span[0])
    closing = _quote(words, range(first, min(len(words), first + 2 * _LONGEST_QUOTATION)))
    if closing is None or closing - opening <= _SHORTEST_QUOTATION:
        return None  # a word in quotation marks is no quotation
    if words[max(0, opening - 2) : opening] == (_QUOTE, _QUOTE):
        return None  # neither is a fence of code
    ends_quoted = words[first : span[1]].count(_QUOTE) % 2 == 0
    if span[1] > closing + beyond and not ends_quoted:
        return None
    far = _FOLLOWING * spotted.stretch
    around = [
        *words[max(0, opening - far) : opening],
        _STOP,
        *words[closing + 1 : closing + 1 + far],
    ]
    asked = frame_of(around)
    if _to_be_followed(asked):
        return FOLLOWED_WEIGHT
    telling = _open_words(words[max(0, opening - reach) : opening][::-1])[::-1]
    telling += [_STOP, *_open_words(words[closing + 1 : closing + 1 + reach])]
    if not frame_of(telling) & frame("told", "advice"):
        return None
    obeyed = mask_within(around) & mask_of(_OBEYED) and not asked & frame("never")
    return None if obeyed else TOLD_WEIGHT


def told_in_line(text: str, at: int) -> bool:
    """Whether the character `at` stands in a quotation of its line that somebody tells of.

    For finds of patterns; `told_of` is for finds of words. A fence of code is no quotation.
    """
    begin = max(text.rfind("\n", 0, at) + 1, at - _LINE_AROUND)
    end = text.find("\n", at)
    end = min(len(text) if end < 0 else end, at + _LINE_AROUND)
    before, after = _QUOTES.split(text[begin:at]), _QUOTES.split(text[at:end])
    if len(before) % 2 or len(after) < 2 or "```" in text[begin:end]:
        return False
    around = frame_of(words_of(f"{' '.join(before[:-1:2])} {_STOP} {' '.join(after[1::2])}"))
    return not _to_be_followed(around) and bool(around & frame("told", "advice"))


def _to_be_followed(asked: int) -> bool:
    """Whether somebody asks to do what is quoted, and does not ask not to."""
    return bool(asked & frame("follow_it")) and not asked & frame("never")


def _quote(words: Sequence[str], places: range) -> int | None:
    """Return the first of `places` where a quotation mark stands, in one paragraph."""
    for at in places:
        if words[at] == _QUOTE:
            return at
        if words[at] == _PARAGRAPH:
            return None
    return None


def _open_words(words: Sequence[str]) -> list[str]:
    """Return the words that stand in no quotation, up to the end of the paragraph."""
    open_words, quoted = [], False
    for word in words:
        if word == _PARAGRAPH:
            break
        if word == _QUOTE:
            quoted = not quoted
        elif not quoted:
            open_words.append(word)
    return open_words


def is_change_list(spotted: Spotted, sentence: Sentence, span: tuple[int, int]) -> bool:
    """Whether `span` says what changed, in a list whose items begin with *New*, *Fixed* ...

    An item that is itself an order, or speaks to its reader, is none.
    """
    words = spotted.words
    label = _label(words, sentence.start)
    if not label or span[0] <= sentence.start + label or sentence.mask & mask_of("target|conceal"):
        return False
    if frame_of(words[sentence.start + label : span[1]]) & frame("to_reader"):
        return False
    first = max(0, sentence.start - _ITEMS_WITHIN)
    last = min(len(words), sentence.end + _ITEMS_WITHIN)
    items = sum(
        1
        for at in range(first, last)
        if (at == 0 or words[at - 1] in (_STOP, _PARAGRAPH)) and _label(words, at)
    )
    return items >= _FEWEST_ITEMS


def _label(words: Sequence[str], at: int) -> int:
    """Return how many words at `at` name a kind of change."""
    for length in (4, 3, 2, 1):
        if " ".join(words[at : at + length]) in _labels():
            return length
    return 0


@cache
def _labels() -> frozenset[str]:
    return frozenset(
        " ".join(words_of(entry)) for own in lexicon_of(FRAMES)["item"].values() for entry in own
    )


def among_people(spotted: Spotted, sentence: Sentence, subject: str = "") -> bool:
    """Whether people are told their parts in a game, a lesson or an offer of work.

    Both the occasion and what only people need for it have to be named; a sentence that names
    machines, or what they have, must be about the occasion itself. The letter's subject may name
    the occasion as well.
    """
    words, reach = spotted.words, _NEAR * spotted.stretch
    if len(words) > _SHORT_LETTER * spotted.stretch:
        words = words[max(0, sentence.start - reach) : sentence.end + reach]
    near = frame_of(words)
    if subject and near & frame("for_people"):
        near |= frame_of(words_of(subject)) & frame("occasion")
    if not (near & frame("occasion") and near & frame("for_people")):
        return False
    own = frame_of(spotted.words[sentence.start : sentence.end])
    if sentence.near & mask_of("freedom"):
        return bool(own & frame("occasion") and own & frame("for_people"))
    return not sentence.mask & mask_of(_OF_MACHINES) or bool(own & frame("occasion", "for_people"))


def weigh_correction(spotted: Spotted, sentence: Sentence, span: tuple[int, int]) -> float:
    """Return what an order to disregard something counts from who takes back his own words.

    He owns to a slip, or says which business it is about, and nothing around the order is a
    machine's: *Disregard the above, I attached the wrong file.* Else 1.
    """
    words, reach = spotted.words, _NEAR * spotted.stretch
    if not mask_within(words[span[0] : span[1]]) & mask_of(_TAKEN_BACK):
        return 1.0
    before = words[max(0, sentence.start - reach) : span[0]]
    after = words[span[1] : sentence.end + reach]
    around = [*before, _STOP, *after]
    own = frame_of(around)
    if not own & frame("slip", "own_matter") or own & frame("other_text"):
        return 1.0
    others = mask_within(around)
    if others & mask_of(_NOT_AMONG_PEOPLE):
        return 1.0
    return PASSED_ON_WEIGHT if others & mask_of("leak|shape|grant|exfiltrate") else CORRECTED_WEIGHT


def led_on(spotted: Spotted, span: tuple[int, int], name: str, letter: str) -> bool:
    """Whether what follows `span`, or the beginning of `letter`, has words of a frame.

    *question*: what customers ask, also of a program; *goods*: what instructions are for.
    """
    reach = _TELLING * spotted.stretch
    after = frame_of(spotted.words[max(0, span[0] - 2) : span[1] + reach])
    return bool((after | frame_of(words_of(letter[:_LETTER_BEGINS]))) & frame(name))


def is_shown_conversation(text: str, turns: tuple[int, int]) -> bool:
    """Whether a conversation at `turns` (characters) is shown because something is wrong with it.

    Words within `SHOWN_AROUND` characters before its first turn or after its last say so.
    """
    begin, end = turns
    around = f"{text[max(0, begin - SHOWN_AROUND) : begin]}\n\n{text[end : end + SHOWN_AROUND]}"
    return bool(frame_of(words_of(around)) & frame("transcript"))


def words_of(text: str) -> list[str]:
    """Return `text` as words in the form of `Spotted.words`."""
    return clean(part_text(fold(text)) + " ").split()
