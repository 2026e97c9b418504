"""A letter of ours that an answer repeats without a mark is history: the conversation has it."""

import pytest

from tasks.core.parse.parsing import parse
from tasks.core.segment.repeated import may_repeat, without_repeated
from tasks.core.segment.segmenting import segment

LETTER = """Hello Mara,

Your loom is repaired. We charge 45 euros for the new shuttle. Do you want it delivered?

Kind regards,
Teasel Looms
Mill Lane 4"""
GERMAN = (
    "Guten Tag,\n\nIhr Webstuhl ist fertig. Wir berechnen 45 Euro. Sollen wir ihn liefern?\n\nGruß"
)


def cut(text: str, *letters: str, head: str = "In-Reply-To: <q@teasel.example>\n") -> str:
    """Return what stays new of an answer in a conversation that holds these letters."""
    mail = parse(f"From: mara@heron.example\nSubject: Loom\n{head}\n{text}".encode())
    segments = segment(mail)
    return (without_repeated(segments, letters) if may_repeat(mail, segments) else segments).new


@pytest.mark.parametrize(
    ("text", "letter", "own"),
    [
        (
            "Yes please. On 3 November 2026 Teasel Looms wrote: Your loom is repaired. We charge "
            "45 euros for the new shuttle. Do you want it delivered?",
            LETTER,
            "Yes please.",
        ),
        (
            "Yes please.\n\nOle Reed wrote:\nHello Mara, Your loom is repaired. We charge 45 euros "
            "for the new shuttle. Do you want it delivered? Kind regards, Teasel Looms",
            LETTER,
            "Yes please.",
        ),
        (
            "Gern. Am 3. November 2026 schrieb Ole Reed: Ihr Webstuhl ist fertig. Wir berechnen 45 "
            "Euro. Sollen wir ihn liefern?",
            GERMAN,
            "Gern.",
        ),
    ],
)
def test_our_letter_behind_an_answer_is_history(text: str, letter: str, own: str) -> None:
    """Without a clock time or a mark, and though it ends with a question."""
    assert cut(text, letter) == own
    assert cut(text, "Something else that we wrote to you about another loom.", letter) == own


@pytest.mark.parametrize(
    ("text", "letters", "head"),
    [
        # another letter, or none
        ("Yes. On 3 November 2026 Ole wrote: Your loom is repaired. Is that all?", [LETTER], None),
        ("Yes. On 3 November 2026 Ole wrote: Your loom is repaired. Is that all?", [], None),
        # the sender's own words behind it, and his own introduction
        (
            "On 3 November 2026 Ole wrote: Your loom is repaired. We charge 45 euros for the new "
            "shuttle. Do you want it delivered? No, I fetch it.",
            [LETTER],
            None,
        ),
        (
            "I do not understand this. You wrote: Your loom is repaired. We charge 45 euros for "
            "the new shuttle. Do you want it delivered?",
            [LETTER],
            None,
        ),
        # a part from its middle
        (
            "How so? On 3 November 2026 Ole wrote: for the new shuttle. Do you want it delivered?",
            [LETTER],
            None,
        ),
        # no answer
        (
            "Yes please. On 3 November 2026 Ole wrote: Your loom is repaired. We charge 45 euros "
            "for the new shuttle. Do you want it delivered?",
            [LETTER],
            "",
        ),
    ],
)
def test_what_is_no_whole_letter_of_ours_stays_new(
    text: str, letters: list[str], head: str | None
) -> None:
    """Nothing of the sender's own is ever cut off."""
    head = "In-Reply-To: <q@teasel.example>\n" if head is None else head
    assert cut(text, *letters, head=head) == text
