"""What the HTML of mail programs says about quotes and signatures, and the labelled messages."""

import pytest

from data.records.core.parsed_mail import MarkKind, Segments
from tasks.core.parse.parsing import parse
from tasks.core.segment.segmenting import segment
from tests.core.reading.labelled_mail import HALVES, load, new_is_right, reply_is_right

LEAST = 0.95
"""Share of each half of the labelled messages that must be exact."""


def cut(html: str, subject: str = "Re: x") -> Segments:
    """Cut an HTML body."""
    head = f"From: a@x.example\nSubject: {subject}\nContent-Type: text/html; charset=utf-8\n\n"
    return segment(parse((head + html).encode()))


EARLIER = "Wanneer komt u? (kein bekanntes Wort)"


@pytest.mark.parametrize(
    "quote",
    [
        f"<div class=gmail_quote><div>xx 2024 yy:</div><blockquote>{EARLIER}</blockquote></div>",
        f"<div class='ydpabc_yahoo_quoted yahoo_quoted'><div>zz</div><div>{EARLIER}</div></div>",
        f"<div id=divRplyFwdMsg>Aa: bb</div><div>{EARLIER}</div>",
        f"<div id=appendonsend></div><hr><div>Aa: bb</div><div>{EARLIER}</div>",
        f"<div class=moz-cite-prefix>zz yy:</div><blockquote>{EARLIER}</blockquote>",
        f"<div class=protonmail_quote>zz yy<blockquote>{EARLIER}</blockquote></div>",
        f"<div name=quote><b>Aa:</b> bb<br>{EARLIER}</div>",
        f"<div class=OutlookMessageHeader>Aa: bb</div><div>{EARLIER}</div>",
        f"<div class='ms-outlook-mobile-reference-message skipProofing'>Aa<hr>{EARLIER}</div>",
        f"<div id=mail-editor-reference-message-container>Aa<hr>{EARLIER}</div>",
        f"<hr id=zwchr data-marker=__DIVIDER__><div>Aa: bb</div><div>{EARLIER}</div>",
        f"<div id=_origMsg_>Aa: bb<br>{EARLIER}</div>",
        f"<div class=front-blockquote>{EARLIER}</div>",
        f"<div class=moz-forward-container>Aa: bb<br>{EARLIER}</div>",
        f"<div id=x_divRplyFwdMsg>Aa: bb</div><div>{EARLIER}</div>",
        f"<div class=x_gmail_quote>Aa bb:<br>{EARLIER}</div>",
        f"<div style='border:none;border-top:solid #E1E1E1 1.0pt'>Aa: bb</div><p>{EARLIER}</p>",
    ],
)
def test_quotes_are_known_by_their_names_in_any_language(quote: str) -> None:
    """What a program names a quote is history, whatever words introduce it."""
    found = cut(f"<div>Tomorrow.</div>{quote}")
    assert found.new == "Tomorrow."
    assert EARLIER in found.quoted


def test_answers_inside_a_named_quote_are_new() -> None:
    """Gmail keeps answers between quoted blocks inside the quote's element."""
    found = cut(
        "<div class=gmail_quote><div>xx yy:</div><blockquote>One?</blockquote><div>Yes.</div>"
        "<blockquote>Two?</blockquote><div>No.</div></div>"
    )
    assert found.new.split() == ["Yes.", "No."]


@pytest.mark.parametrize(
    "signature",
    [
        "<div class=gmail_signature>Ada<br>Engines</div>",
        "<div id=Signature>Ada<br>Engines</div>",
        "<div class='moz-signature'>Ada<br>Engines</div>",
        "<div id='ms-outlook-mobile-signature'>Ada<br>Engines</div>",
    ],
)
def test_signatures_are_known_by_their_names(signature: str) -> None:
    """What a program names a signature is one, without a delimiter."""
    found = cut(f"<div>Tomorrow.</div><br>{signature}")
    assert found.new == "Tomorrow."
    assert found.signature == "Ada\nEngines"


def test_a_named_quote_of_a_forward_is_passed_on() -> None:
    """Programs put forwards into the same elements; nothing of them is thrown away."""
    html = (
        "<div>See below.</div><div class=gmail_quote><div>---------- Forwarded message ---------"
        "<br>From: Cy</div><div>It broke.</div></div>"
    )
    found = cut(html, subject="Fwd: x")
    assert found.new == "See below."
    assert found.forwarded.endswith("It broke.")
    assert found.quoted == ""


def test_marks_count_lines_over_all_parts() -> None:
    """Marks of a second HTML part are counted from the beginning of the whole text."""
    mail = parse(
        b"From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\ntwo\n--b\n"
        b"Content-Type: text/html\n\n<div>three</div><div id=Signature>Ada</div>\n--b--\n"
    )
    (mark,) = mail.marks
    assert mark.kind is MarkKind.SIGNATURE
    assert mail.text.split("\n")[mark.start : mark.end] == ["Ada"]


@pytest.mark.parametrize("half", HALVES)
def test_labelled_messages_are_cut_exactly(half: str) -> None:
    """Nearly all of the labelled messages of eight languages are cut as their writer meant."""
    messages = load(half)
    assert len(messages) >= 80
    cuts = [(one, segment(one.mail())) for one in messages]
    assert sum(reply_is_right(one, cut) for one, cut in cuts) >= LEAST * len(cuts)
    assert sum(new_is_right(one, cut) for one, cut in cuts) >= LEAST * len(cuts)
