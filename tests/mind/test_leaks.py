"""Private marks, tone, places, and the last look at the bytes."""

import base64

import pytest

from data.lexicons.drafting import phrases
from data.records.drafting import Severity
from tasks.check.canary import LENGTH, echoes, make_canary, marked
from tasks.check.checking import CANARY
from tasks.check.outgoing import holds_canary, unlisted_links
from tasks.check.places import Places
from tasks.check.tone import tone_of
from tests.mind.examples import POLICY, briefing
from tests.mind.test_check import PRICE, checked, letter, names

MARK = make_canary("a secret of one organization")


@pytest.mark.parametrize(
    "text",
    [
        MARK,
        f"see {MARK.upper()}.",
        "-".join(MARK),
        f"https://x.test/?q={MARK[4:20]}",
        MARK[::-1],
        "\u200b".join(MARK),
        base64.b64encode(f"the mark is {MARK}".encode()).decode(),
        MARK.encode().hex(),
    ],
)
def test_a_canary_is_known_in_disguise(text: str) -> None:
    """Whole, cut up, turned round, spaced or encoded, the mark is found."""
    assert echoes(text, MARK)


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
    bearing = [one.ref for one in marked(briefing(), MARK).snippets if MARK in one.text]
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


@pytest.mark.parametrize(
    ("sentence", "language", "formality", "finding"),
    [
        ("You are an idiot.", "en", "", "insult"),
        ("PLEASE READ THE MANUAL first.", "en", "", "shouting"),
        ("We are open!!", "en", "", "shouting"),
        ("Wir rufen dich an.", "de", "formal", "wrong_address"),
        ("Wir rufen Sie an.", "de", "informal", "wrong_address"),
        ("Vous recevrez un colis.", "fr", "informal", "wrong_address"),
        ("Wir rufen Sie an.", "de", "formal", None),
        ("Hier kommen sie an.", "de", "informal", None),
        ("The USB and VAT fields are free.", "en", "", None),
        ("Wir rufen dich an.", "de", "", None),
    ],
)
def test_the_tone_of_a_sentence(
    sentence: str, language: str, formality: str, finding: str | None
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
