"""The writer's own sentences of a new text, by which his language is told.

Not all that is new is the writer's: gateways put banners above it, programs put notices and cards
below it, and who tells of a display repeats what stands there. For what a text *says* all of it
counts; for the language in which its writer is to be answered only his own sentences do.
"""

from tasks.core.patterns import compiled
from tasks.core.segment.banners import BANNERS, TAGS
from tasks.core.segment.cards import is_contact, is_notice
from tasks.core.segment.lexicon import phrases

CHARACTERS = 1_500
"""Characters of a text that are looked at."""
ENOUGH = 18
"""Letters that must be left for something to be left out."""
NAMED = 8
"""Letters of a sentence that must be left above a name under it."""
GREETING_WORDS = 5
NAME_WORDS = 3

_SIGN_OFFS = phrases("signatures", "sign_offs")
_REMARKS = tuple(phrases("signatures", "remarks"))
_FOOTERS = tuple(phrases("signatures", "footers"))
_SENTENCE = compiled(r"[^.!?]+[.!?]*\s*")
_PARTS = compiled(r"[,|/]")
"""What parts a closing from what stands beside it, the same in another language too."""
_RULE = compiled(r"^[-–—_=*]{2,}$")
_TOLD = compiled(
    r"\"[^\"\n]{2,}\"|“[^”“\n]{2,}”|„[^“”„\n]{2,}[“”]|«[^»\n]{2,}»|»[^«\n]{2,}«|"
    r":[ \t]+\p{Lu}[^.!?:\n]{12,}(?:[.!?]|$)"
)
_PUNCTUATION = " \t,.;!*_-–—\xa0"


def writers_words(text: str) -> str:
    """Return the writer's own sentences of a new text; all of it where little would be left.

    Left out, one after the other and each only while enough remains: banners and notices, the
    closing with all below it, what is set apart or follows a colon, what stands in quotation marks,
    a greeting. Last a name below it all, which would outweigh a short question.
    """
    text = text[:CHARACTERS]
    for left_out in (_without_notices, _without_closing, _without_told, _without_greeting):
        rest = left_out(text)
        if sum(map(str.isalpha, rest)) >= ENOUGH:
            text = rest
    rest = _without_name(text)
    return rest if sum(map(str.isalpha, rest)) >= NAMED else text


def _without_notices(text: str) -> str:
    """Leave out what gateways say of where a message came from, and legal notices."""
    paragraphs = []
    for paragraph in text.split("\n\n"):
        whole = " ".join(paragraph.split())
        if is_notice(whole) or TAGS.search(whole) is not None:
            continue
        banners = BANNERS.Match(whole) or ()
        paragraphs.append(
            _without_banner(paragraph) if 0 in banners and len(banners) > 1 else paragraph
        )
    return "\n\n".join(paragraphs)


def _without_banner(paragraph: str) -> str:
    """Leave out the sentences of a banner; the writer's may follow on the next line.

    Its sentences follow each other: one says that the mail came from outside, those beside it warn.
    """
    lines = paragraph.split("\n")
    joined = [BANNERS.Match(line) or () for line in lines]
    if len(lines) > 1 and not all(joined):
        return "\n".join(line for line, said in zip(lines, joined, strict=True) if not said)
    return " ".join(
        sentence for sentence in _SENTENCE.findall(paragraph) if not BANNERS.Match(sentence)
    )


def _without_closing(text: str) -> str:
    """Leave out a closing formula or a rule with all below it, lines of cards, remarks, footers."""
    kept_lines: list[str] = []
    for line in text.split("\n"):
        folded = line.strip().casefold()
        first = _PARTS.split(folded)[0].strip(_PUNCTUATION)
        ends = first in _SIGN_OFFS or _RULE.search(folded) is not None
        if ends and any(map(str.isalpha, "".join(kept_lines))):
            break
        if not folded.startswith((*_REMARKS, *_FOOTERS)) and not is_contact(line.strip()):
            kept_lines.append(line)
    return "\n".join(kept_lines)


def _without_told(text: str) -> str:
    """Leave out quotations: lines with `>`, what follows a colon, and what quotation marks hold.

    A sentence behind a colon on its own line is one as well: *it says: Your session has expired*.
    """
    kept_lines: list[str] = []
    is_told = blank = False
    for line in text.split("\n"):
        bare = line.strip()
        if not bare:
            is_told = (
                is_told and blank
            )  # the blank line right below a colon belongs to what follows
            blank = False
        elif is_told:
            blank = False
            continue
        elif bare.startswith(">"):
            continue
        else:
            is_told = blank = bare.endswith(":")
        kept_lines.append(line)
    return str(_TOLD.sub(" ", "\n".join(kept_lines)))


def _without_greeting(text: str) -> str:
    """Leave out a first line of few words that ends with a comma or an exclamation mark."""
    first, line_end, rest = text.strip().partition("\n")
    greets = (
        line_end and len(first.split()) <= GREETING_WORDS and first.rstrip().endswith((",", "!"))
    )
    return rest if greets else text


def _without_name(text: str) -> str:
    """Leave out a last line of nothing but a few words with capitals, below what ends as one."""
    above, _, last = text.rstrip().rpartition("\n")
    last_words = last.split()
    is_name_line = 0 < len(last_words) <= NAME_WORDS and all(
        word.strip(".-").isalpha() and word[0].isupper() for word in last_words
    )
    ends = above.rstrip(_PUNCTUATION + "\n").endswith(("?", "!", "…")) or above.rstrip().endswith(
        "."
    )
    return above if is_name_line and ends else text
