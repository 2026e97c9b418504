"""Private marks, tone, places, and the last look at the bytes."""

import base64
import codecs
import random
import string

import pytest

from data.lexicons.drafting import phrases
from data.records.mail.drafting import Severity
from tasks.core.leaks.canary import LENGTH, echoes, make_canary, mark_briefing
from tasks.mail.check.finding import CANARY
from tasks.mail.check.finding_spans import Places
from tasks.mail.check.outgoing import holds_canary, unlisted_links
from tasks.mail.check.tone import tone_of
from tests.mail.mind.examples import POLICY, briefing
from tests.mail.mind.test_check import PRICE, SENTENCES, checked, letter, names

MARK = make_canary("a secret of one organization")
_ALPHABET = f"{string.ascii_lowercase}234567"


def _packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SPOKEN = {"2": "2nd", "3": "3rd", "4": "4th", "5": "5th", "6": "6th", "7": "7th"}
DISGUISES = {
    "whole": MARK,
    "capitals": f"see {MARK.upper()}.",
    "dashes": "-".join(MARK),
    "spaces": " ".join(MARK),
    "lines": "\n".join(MARK),
    "in a link": f"https://x.test/?q={MARK[4:20]}",
    "in a host": f"{MARK}.x.test",
    "turned": MARK[::-1],
    "turned and spaced": " ".join(MARK[::-1]),
    "invisible letters": "\u200b".join(MARK),
    "two pieces": f"{MARK[:12]} and then of course {MARK[12:]}",
    "four pieces": f"First {MARK[:6]}. Then {MARK[6:12]}. Then {MARK[12:18]}. Last {MARK[18:]}.",
    "other order": f"{MARK[16:]} {MARK[8:16]} {MARK[:8]}",
    "base64": _packed(f"the mark is {MARK}"),
    "base64 of capitals": _packed(MARK.upper()),
    "base64 turned": _packed(MARK[::-1]),
    "base64 twice": _packed(f"see {_packed(f'mark {MARK}')}"),
    "base64 spaced": " ".join(_packed(MARK)),
    "base64 for links": base64.urlsafe_b64encode(f"?{MARK}".encode()).decode(),
    "base32": base64.b32encode(MARK.encode()).decode(),
    "hex": MARK.encode().hex(),
    "hex, spaced": MARK.encode().hex(" ").upper(),
    "hex, marked": " ".join(hex(ord(letter)) for letter in MARK),
    "hex, escaped": "".join(f"\\x{ord(letter):02x}" for letter in MARK),
    "decimal": " ".join(str(ord(letter)) for letter in MARK),
    "binary": " ".join(f"{ord(letter):08b}" for letter in MARK),
    "percent": "".join(f"%{ord(letter):02x}" for letter in MARK),
    "entities": "".join(f"&#{ord(letter)};" for letter in MARK),
    "entities in hex": "".join(f"&#x{ord(letter):x};" for letter in MARK),
    "alphabet turned": codecs.encode(MARK, "rot13"),
    "look-alikes": MARK.translate(
        str.maketrans("aeopcxyi", "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456")
    ),
    "wide": "".join(chr(ord(letter) + 0xFEE0) for letter in MARK),
    "beginnings of words": " ".join(SPOKEN.get(one, f"{one}oat") for one in MARK),
    "beginnings of lines": "\n".join(f"{one} is the next letter" for one in MARK),
}


@pytest.mark.parametrize("text", DISGUISES.values(), ids=DISGUISES)
def test_a_canary_is_known_in_disguise(text: str) -> None:
    """Whole, cut up, turned round, spaced, spelled or encoded, the mark is found in a letter."""
    assert echoes(f"Hello Mara,\n\n{text}\n\nKind regards", MARK)


def test_random_words_are_no_echo() -> None:
    """Twenty thousand letters drawn from the mark's own alphabet repeat no mark of forty."""
    rng = random.Random(3)
    for number in range(40):
        drawn = ("".join(rng.choices(_ALPHABET, k=rng.randint(3, 24))) for _ in range(1_500))
        assert not echoes(" ".join(drawn), make_canary(str(number)))


def test_ordinary_text_holds_no_canary() -> None:
    """Other text, another organization's mark and a short piece are no echo; nor is no canary."""
    assert len(MARK) == LENGTH
    other = make_canary("another secret")
    assert other != MARK
    for text in ("Kind regards, " * 40, other, MARK[:11]):
        assert not echoes(text, MARK)
    assert not echoes("anything", "")


def test_internal_knowledge_bears_the_mark() -> None:
    """Only what no draft may tell is marked."""
    bearing = [one.ref for one in mark_briefing(briefing(), MARK).snippets if MARK in one.text]
    assert bearing == ["internal:margin"]


def test_a_draft_with_the_mark_is_worth_nothing() -> None:
    """An echo blocks the draft and leaves it without quality."""
    result = checked(letter(f"{PRICE} {MARK}"), canary=MARK)
    assert [(f.check, f.severity) for f in result.findings] == [(CANARY, Severity.BLOCK)]
    assert result.quality == 0


def test_links_are_read_from_the_final_bytes() -> None:
    """An encoded link in body or subject is found; allowed ones and our own lines' are not."""
    raw = (
        b"Subject: =?utf-8?b?ZXZpbC50ZXN0L2E=?=\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.b64encode(b"See https://bad.test/x, lantern.example/a and our.example.\n")
        + b"\r\n"
    )
    found = unlisted_links(raw, POLICY.allowed_links, "Visit our.example")
    assert found == [["evil.test", "a"][0], "https://bad.test/x,"] or (
        any("evil.test" in link for link in found)
        and any("bad.test" in link for link in found)
        and not any("lantern" in link or "our.example" in link for link in found)
    )


def test_a_mark_in_the_final_bytes_is_found() -> None:
    """In a header or an encoded body, the mark is seen."""
    head = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n"
    body = base64.b64encode(f"Hello {MARK}".encode())
    assert holds_canary(head + b"\r\n" + body, MARK)
    assert holds_canary(b"X-Note: " + MARK.encode() + b"\r\n\r\nHello", MARK)
    assert not holds_canary(head + b"\r\n" + base64.b64encode(b"Hello"), MARK)


@pytest.mark.parametrize(("language", "formality", "sentence", "finding"), SENTENCES["tone"])
def test_the_tone_of_a_sentence(
    language: str, formality: str, sentence: str, finding: str | None
) -> None:
    """Insults, shouting and the address that the policy does not want are heard, and no more."""
    found = [one.check for one in tone_of([sentence], language, formality)]
    assert found == ([finding] if finding else [])


def test_bad_tone_lowers_the_quality() -> None:
    """An insult leaves nothing of the quality, shouting half; both are held."""
    loud = checked(letter("A single kayak COSTS EXACTLY 31.50 EUROS PER DAY."))
    assert "shouting" in names(loud)
    assert loud.parts["tone"] == 0.5
    assert checked(letter(f"{PRICE} You moron.")).parts["tone"] == 0


def test_findings_point_at_their_words() -> None:
    """A claim in other case or spacing is underlined where it stands, in its own sentence."""
    draft = letter("A single kayak costs 31.50 euros per day on\nFriday.")
    found = next(f for f in checked(draft).findings if f.check == "unsupported_date_or_time")
    assert draft.body[found.start : found.end] == "Friday"
    places = Places("Friday is a word. We come FRIDAY, and\n  Łódź too.")
    assert places.find("friday", "We come FRIDAY, and Łódź too.") == (26, 32)
    assert places.find("and lodz") == (34, 44)
    assert places.find("nothing of it") == (-1, -1)


def test_the_handing_over_line_is_ours() -> None:
    """A line that asks back needs no source: it is the operator's own in every language."""
    assert phrases("en").ask_back in phrases("en").lines
