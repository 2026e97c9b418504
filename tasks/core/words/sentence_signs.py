"""Signs of the kind of a sentence: courtesy, circumstance, announcement, order to act.

Nothing here decides that something was dealt with. Each answer is *yes* only where the words are
recognized; whatever is not, is none of these (docs/pipeline.md#what-becomes-of-each-sentence).
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from data.concepts import concepts_named_in
from data.lexicons.drafting import shared_words
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import (
    all_of,
    asking_words,
    denials,
    read_companions,
    rows,
    words,
)
from tasks.core.words.sentences import is_stop_word, terms

_LONGEST_CIRCUMSTANCE = 30
"""Words of a sentence beyond which it is no plain circumstance."""
_LONGEST_NEWS = 14
_ABOUT = 7
"""Words behind *I have a question* that may say about what."""
_GOOD_WISHES = (("wishing", "wished"), ("thanking", "thanked"))
"""How a good wish and thanks begin, and what may follow."""
_NAME_WORDS = 4
_BETWEEN_NAMES = frozenset(shared_words("particles"))
_COUNTED = 3
"""Words of a thing that is counted, its number among them."""
_EARLY = 4
"""Words at the start of a sentence among which its subject stands."""
_BARRING = frozenset(
    {"not", "broken", "error", "down", "problem", "missing", "late", "wait", "refund", "twice"}
    | {"cancel", "complain", "angry", "threat", "danger", "change", "want", "wish", "delete"}
    | {"urgent", "help", "call"}
)
"""Concepts that no plain circumstance names: who names one may well want something."""
TROUBLE = frozenset({"not", "broken", "error", "down", "problem", "missing", "late", "twice"})
"""Concepts of which a clause names one that tells of something wrong."""
_PAPERWORK = frozenset({"invoice", "pay", "refund", "charge", "fee", "receipt", "quote", "bank"})
"""Concepts of money and papers, which no repair mends."""
_BUSINESS = frozenset({"order", "hire", "plan", "deliver", "event", "meet", "travel"}) | _PAPERWORK
"""Concepts of what was agreed on: where such a thing is *done with*, somebody may have left it."""
_DEEDS = (_PAPERWORK - {"charge", "fee"}) | frozenset(
    {"call", "deliver", "cancel", "discount", "late", "wait"}
)
"""Concepts of what people do for one customer, once."""
_PRODUCT = frozenset({"feature", "app", "api", "settings", "login", "password", "computer"})
"""Concepts of what is made once for everybody, and may be about any of the others."""
_SUPPOSING = frozenset({"would", "could", "might"})
"""Words before an act that nobody orders: *I would pay for it*."""
_SUGGESTING = frozenset({"wish", "feature", "add", "want"})
_PIECES = compiled(r"[,;:]\s+|\s+[-–—]+\s+|\s+\(")
"""What parts the pieces of a sentence that tells good news."""
_CLAUSE_WORDS = 2
"""Words of which a clause may consist, at least."""
_KEPT = 2048
"""Sentences whose signs are remembered: each draft of a case is held against the same letter."""


def is_courtesy(sentence: str, names: Collection[str] = ()) -> bool:
    """Return whether a sentence only greets, thanks, takes leave or makes small talk.

    All of its words must be such words; `names` are folded words of names that may stand among
    them. A sentence of names alone is one, too.
    """
    sentence_words = words(sentence)
    polite, place = False, 0
    while place < len(sentence_words):
        courteous = rows("courtesy").at(sentence_words, place)
        if size := max(courteous, _count_wish_words(sentence_words, place)):
            polite, place = True, place + size
        elif sentence_words[place] in read_companions() or sentence_words[place] in names:
            place += 1
        else:
            return False
    if polite:
        return True
    return 0 < len(sentence_words) <= _NAME_WORDS and all(word in names for word in sentence_words)


def _count_wish_words(sentence_words: Sequence[str], place: int) -> int:
    """Return how many words from `place` on wish well or thank: *hope you had a lovely week*.

    What is wished, or thanked for, is one of few things; 0 where nothing of them follows.
    """
    for opening, things in _GOOD_WISHES:
        size = rows(opening).at(sentence_words, place)
        end = place + size
        while size and end < len(sentence_words):
            if not (more := rows(things).at(sentence_words, end)):
                break
            end += more
        if end > place + size:
            return end - place
    return 0


@lru_cache(maxsize=_KEPT)
def is_courtesy_with_names(sentence: str) -> bool:
    """Return whether a sentence is polite, and what is left of it is names: *Good day Nora Wilde,*.

    It greets, thanks or takes leave in its first words.
    """
    sentence_words = sentence.replace(",", " ").split()
    shortest = max(1, len(sentence_words) - _NAME_WORDS)
    return any(
        all(_is_name(word) for word in sentence_words[size:])
        and is_courtesy(" ".join(sentence_words[:size]))
        for size in range(shortest, len(sentence_words))
    )


def looks_like_names(line: str) -> bool:
    """Return whether a line is a few words with capitals and nothing else, as under a letter.

    What stands between names may be small: *Jan van der Wilde*.
    """
    line_words = line.replace(",", " ").split()
    return (
        0 < len(line_words) <= _NAME_WORDS + 2
        and any(_is_name(word) for word in line_words)
        and all(_is_name(word) or word in _BETWEEN_NAMES for word in line_words)
    )


@lru_cache(maxsize=_KEPT)
def names_no_matter(line: str) -> bool:
    """Return whether a line names no matter that we know, and so may be anybody's name.

    *Mia* is *my* in Italian, *Bill* an invoice, and *Brand* behind *Herr* is no fire.
    """
    line_words = words(line)
    if len(line_words) > 1 and line_words[0] in _read_name_words("titles"):
        return True
    line_words = tuple(word for word in line_words if word not in _read_name_words("given_names"))
    line = " ".join(line_words)
    matters = any(
        rows(name).first(line_words) >= 0 for name in ("acts", "bars", "asked", "remedies")
    )
    return (
        not matters
        and not concepts_named_in(line)
        and not any(term[0] == "#" for term in terms(line))
    )


@lru_cache(maxsize=4)
def _read_name_words(name: str) -> frozenset[str]:
    return frozenset(word for shared_word in shared_words(name) for word in words(shared_word))


def _is_name(word: str) -> bool:
    bare = word.strip(".,!:;")
    return bare[:1].isupper() and all(letter.isalpha() or letter in "'’-." for letter in bare)


@lru_cache(maxsize=_KEPT)
def only_announces(sentence: str) -> bool:
    """Return whether a sentence only says that something follows, or asks for any answer."""
    sentence_words = _cut_opening(words(sentence))
    size = rows("announces").at(sentence_words, 0) if sentence_words else 0
    rest = sentence_words[size:]
    if not size or len(rest) > _ABOUT or any(word[:1].isdigit() for word in rest):
        return False
    return not is_order(" ".join(rest)) and rows("bars").first(rest) < 0


@lru_cache(maxsize=_KEPT)
def is_good_news(sentence: str) -> bool:
    """Return whether a sentence says that all is well, and nothing besides."""
    sentence_words = words(sentence)
    if (
        not sentence_words
        or "?" in sentence
        or len(sentence_words) > _LONGEST_NEWS
        or is_order(sentence)
    ):
        return False
    if not all_of("exceptions").isdisjoint(sentence_words):
        return False
    if not denials().isdisjoint(sentence_words) and rows("announces").at(sentence_words, 0) == 0:
        return rows("good_news").at(sentence_words, 0) == len(sentence_words)
    if rows("good_news").first(sentence_words) < 0 or rows("bars").first(sentence_words) >= 0:
        return False
    finished = not all_of("done_with").isdisjoint(sentence_words)
    if finished and concepts_named_in(sentence) & _BUSINESS:
        return False
    return all(_adds_nothing(piece) for piece in _list_pieces_behind_news(sentence))


def _list_pieces_behind_news(sentence: str) -> list[str]:
    """Return what follows, behind a comma, the piece of a sentence that tells good news."""
    pieces = [piece.strip() for piece in _PIECES.split(sentence) if piece.strip()]
    place = next((n for n, piece in enumerate(pieces) if _tells_good_news(piece)), len(pieces))
    return pieces[place + 1 :]


def _adds_nothing(piece: str) -> bool:
    """Return whether words behind good news are thanks, more of it, a circumstance or a name."""
    return (
        len(words(piece)) < _CLAUSE_WORDS
        or _tells_good_news(piece)
        or is_courtesy(piece)
        or is_circumstance(piece)
        or (looks_like_names(piece) and names_no_matter(piece))
    )


def _tells_good_news(piece: str) -> bool:
    return rows("good_news").first(words(piece)) >= 0


@lru_cache(maxsize=_KEPT)
def is_circumstance(sentence: str) -> bool:
    """Return whether a sentence begins as one in which somebody tells of himself or what he did.

    It must be short, and name nothing that a person may want to have dealt with.
    """
    sentence_words = _cut_opening(words(sentence))
    if not sentence_words or len(sentence_words) > _LONGEST_CIRCUMSTANCE or "?" in sentence:
        return False
    size = rows("circumstance").at(sentence_words, 0)
    if not size or rows("bars").first(sentence_words) >= 0:
        return False
    if rows("turns").first(sentence_words) >= 0:
        return False  # *we have a set whose aerial snapped*, *we ordered 20 but got 17*
    return not concepts_named_in(sentence) & _BARRING and not is_order(sentence)


@lru_cache(maxsize=_KEPT)
def continues_circumstance(sentence: str) -> bool:
    """Return whether words behind a circumstance tell what else was done: *and got the report*."""
    sentence_words = _cut_opening(words(sentence))
    if not sentence_words or not (
        sentence_words[0] in all_of("past") or sentence_words[0].endswith("ed")
    ):
        return False
    barred = concepts_named_in(sentence) & _BARRING or rows("bars").first(sentence_words) >= 0
    return not barred and not is_order(sentence) and "?" not in sentence


def begins_circumstance_or_news(sentence_words: Sequence[str]) -> bool:
    """Return whether words begin as a circumstance or an announcement does."""
    return bool(
        rows("circumstance").at(sentence_words, 0) or rows("announces").at(sentence_words, 0)
    )


@lru_cache(maxsize=_KEPT)
def tells_trouble(sentence: str) -> bool:
    """Return whether a sentence names something that is wrong."""
    sentence_words = words(sentence)
    return bool(concepts_named_in(sentence) & TROUBLE) or rows("bars").first(sentence_words) >= 0


@lru_cache(maxsize=_KEPT)
def tells_fault(sentence: str) -> bool:
    """Return whether a sentence tells of a thing that does not work, and not of papers or money."""
    return tells_trouble(sentence) and not concepts_named_in(sentence) & _PAPERWORK


def looks_like_figures(sentence: str) -> bool:
    """Return whether a sentence only counts or measures: *90 square metres, 40 people*."""
    parts = [words(part) for part in sentence.split(",")]
    return all(
        0 < len(part) <= _COUNTED and any(word[:1].isdigit() for word in part) for part in parts
    )


def mentions_repair(sentence: str) -> bool:
    """Return whether a sentence speaks of what is done about something broken: a repair."""
    return rows("remedies").first(words(sentence)) >= 0


def begins_request(sentence_words: Sequence[str], end: int = 2) -> bool:
    """Return whether words begin by asking for something to be done."""
    return rows("asked").first(sentence_words, end) >= 0


def is_request_opening(sentence_words: Sequence[str]) -> bool:
    """Return whether words do nothing but begin a request, as *can you* before an *also*."""
    return bool(sentence_words) and rows("asked").at(sentence_words, 0) == len(sentence_words)


def begins_with_act(sentence_words: Sequence[str]) -> bool:
    """Return whether words begin with what is to be done."""
    return bool(sentence_words) and rows("acts").at(sentence_words, 0) > 0


@lru_cache(maxsize=_KEPT)
def asks_open_question(sentence: str) -> bool:
    """Return whether a sentence opens with a word such as *when*, and not as one asks *whether*."""
    sentence_words = _cut_opening(words(sentence))
    return (
        bool(sentence_words)
        and sentence_words[0] in asking_words()
        and rows("knowing").at(sentence_words, 0) > 0
    )


@lru_cache(maxsize=_KEPT)
def asks_status(sentence: str) -> bool:
    """Return whether a sentence asks how a matter of the sender stands: *has it left, where is it*.

    What the organization knows in general never answers that; the sender's own account may.
    """
    sentence_words = _cut_opening(words(sentence))
    if not sentence_words or all_of("status_bars") & set(sentence_words):
        return False
    own = rows("own").first(sentence_words) >= 0
    if sentence_words[0] in all_of("status_where"):
        return own and bool(all_of("status_present") & set(sentence_words[1:3]))
    whether = next(
        (n for n, word in enumerate(sentence_words) if word in all_of("status_whether")),
        len(sentence_words),
    )
    events = tuple(all_of("status_events"))
    happened = any(word.startswith(events) for word in sentence_words[1:])
    opened = {
        sentence_words[0],
        *sentence_words[whether + 1 :],
    }  # behind *whether* the verb follows the subject
    return happened and bool(
        opened & all_of("status_perfect")
        or set(sentence_words) & all_of("status_passive")
        or (own and opened & all_of("status_present"))
    )


def contains_wish(text: str) -> bool:
    """Return whether somewhere in a text something is wished for or asked, as suggestions are."""
    return (
        bool(concepts_named_in(text) & _SUGGESTING)
        or "?" in text
        or rows("asked").first(words(text)) >= 0
    )


def is_wish_for_once(text: str) -> bool:
    """Return whether what is wished for is done for its writer, once: *an invoice by Friday*.

    A wish about an app or a setting is none, whatever else it names.
    """
    matters = concepts_named_in(text)
    if matters & _PRODUCT:
        return False
    wish_words = words(text)
    timed = not all_of("this_once").isdisjoint(wish_words)
    counted = any(word.isdigit() for word in wish_words)
    supposed = not all_of("suppositions").isdisjoint(wish_words)  # *if it lasted 20 hours*
    return bool(matters & _DEEDS) or timed or (counted and not supposed)


def names_own_matter(sentence: str) -> bool:
    """Return whether a sentence speaks of something of the sender's own, or of a number of it."""
    sentence_words = words(sentence)
    return rows("own").first(sentence_words) >= 0 or any(
        word.isdigit() and len(word) > 2 for word in sentence_words
    )


def speaks_of_self(sentence: str) -> bool:
    """Return whether somebody speaks of himself at the start of a sentence: *we need it back*."""
    sentence_words = _cut_opening(words(sentence))
    return not all_of("speakers").isdisjoint(sentence_words[:_EARLY])


def is_own_word(word: str) -> bool:
    """Return whether a folded word says that something is the sender's own."""
    return rows("own").at((word,), 0) > 0


@lru_cache(maxsize=_KEPT)
def is_order(sentence: str) -> bool:
    """Return whether a sentence wants something done, which no knowledge can answer.

    *Please cancel my order*, *I need a copy of invoice 17*; not *please tell me how to cancel* or
    *can I cancel?*, which are answered by words.
    """
    sentence_words = _cut_opening(words(sentence))
    if not sentence_words:
        return False
    asked = rows("asked").first(sentence_words)
    if sentence_words[0] in asking_words() and not begins_request(sentence_words, 1):
        return False
    act, knowing = rows("acts").first(sentence_words), rows("knowing").first(sentence_words)
    if knowing >= 0 and (act < 0 or knowing < act):
        return False
    if asked >= 0:
        if rows("sending").first(sentence_words) >= 0 and rows("papers").first(sentence_words) >= 0:
            return True
        counted = any(word.isdigit() for word in sentence_words)
        return act >= 0 or counted or rows("own").first(sentence_words[asked:]) >= 0
    if act < 0 or "?" in sentence:
        return False
    if act == 0:
        return True
    return (
        not all_of("speakers").isdisjoint(sentence_words[:_EARLY])
        and sentence_words[act - 1] not in _SUPPOSING
    )


@lru_cache(maxsize=_KEPT)
def begins_clause(piece: str) -> bool:
    """Return whether words behind a comma or an *and* are a clause of their own."""
    piece_words = _cut_opening(words(piece))
    if not piece_words:
        return bool(words(piece))
    if (
        is_courtesy(piece)
        or begins_request(piece_words)
        or begins_circumstance_or_news(piece_words)
    ):
        return True
    if piece_words[0] in all_of("speakers") | all_of("subjects") and len(piece_words) > 1:
        return True
    behind = piece_words[1] if len(piece_words) > 1 else ""
    plain = piece_words[0] not in read_companions() and not _bears_no_topic(piece_words[0])
    if plain and (is_own_word(behind) or behind in all_of("articles") or behind.isdigit()):
        return begins_with_act(piece_words) or not behind.isdigit()
    if begins_with_act(piece_words):
        return True
    return len(piece_words) > 2 and tells_trouble(piece)


@lru_cache(maxsize=4096)
def _bears_no_topic(word: str) -> bool:
    """Return whether a word is one of those that bear no topic, such as prepositions."""
    return is_stop_word(word) or word in all_of("joining")


def _cut_opening(sentence_words: Sequence[str]) -> Sequence[str]:
    """Return words without those that only lead on, and without numbers of a list."""
    place = 0
    while place < len(sentence_words) - 1 and sentence_words[place] in all_of("leading"):
        place += 1
    return sentence_words[place:]
