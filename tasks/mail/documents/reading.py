"""One file as text with a summary: what a reading process is asked.

A request is one line of JSON with name and declared type, and the file's bytes below it.
"""

import json
from collections import Counter
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from data.errors import UnreadableMailError
from data.records.mail.documents import DocumentText
from tasks.core.words.cleaning import clean_text
from tasks.core.words.sentences import sentences, terms, words
from tasks.mail.documents.formats import HTML, hidden_in_page, reader_of

_SHARE, _MOST_SENTENCES, _LONGEST = 6, 8, 300
"""A summary keeps a sixth of the sentences, eight at most, none beyond so many characters."""
_TAGS, _LEAST_LETTERS = 6, 4


def request(name: str, content_type: str, content: bytes) -> bytes:
    """Return what a reading process is asked about a file."""
    return json.dumps({"name": name, "content_type": content_type}).encode() + b"\n" + content


def read_document(asked: bytes) -> bytes:
    """Return a `DocumentText` as JSON; what cannot be read is one with a trouble."""
    head, _, content = asked.partition(b"\n")
    header = json.loads(head)
    return _document(header["name"], header["content_type"], content).model_dump_json().encode()


def _document(name: str, content_type: str, content: bytes) -> DocumentText:
    kind = ""
    try:
        reader = reader_of(content, name, content_type)
        if reader is None:
            return DocumentText(trouble="Files of this kind are listed, and not read; open it.")
        kind, read = reader
        text, cut = read(content)
        hidden = hidden_in_page(content) if kind == HTML else ()
    except UnreadableMailError as error:
        return DocumentText(kind=kind, trouble=str(error))
    except MemoryError:
        raise
    except (
        BadZipFile,
        ParseError,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        OSError,
    ) as bad:
        why = type(bad).__name__
        return DocumentText(kind=kind, trouble=f"The file is damaged and cannot be read ({why}).")
    text = clean_text(text)
    return DocumentText(
        kind=kind,
        text=text,
        cut=cut,
        summary=summary_of(text),
        hidden=hidden,
        tags=tags_of(text),
    )


def summary_of(text: str) -> str:
    """Return the sentences that share most of the words that the text repeats, in their order."""
    parts = list(
        dict.fromkeys(
            sentence for sentence in sentences(text[:40_000]) if len(sentence) <= _LONGEST
        )
    )
    often = Counter(term for part in parts for term in set(terms(part)))
    keep = min(_MOST_SENTENCES, max(2, -(-len(parts) // _SHARE)))
    marks = {part: sum(often[term] - 1 for term in set(terms(part))) for part in parts}
    chosen = set(sorted(parts, key=lambda part: -marks[part])[:keep]) | set(parts[:1])
    return " ".join(part for part in parts if part in chosen)


def tags_of(text: str) -> tuple[str, ...]:
    """Return the words that stand in a text most often, as it writes them."""
    shown: dict[str, str] = {}
    often: Counter[str] = Counter()
    for word in words(text[:40_000]):
        if len(word) >= _LEAST_LETTERS and word.isalpha() and (stems := terms(word)):
            shown.setdefault(stems[0], word)
            often[stems[0]] += 1
    return tuple(shown[term] for term, count in often.most_common(_TAGS) if count > 1)
