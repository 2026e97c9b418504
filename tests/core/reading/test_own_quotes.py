"""What looks quoted and is the sender's own, and heads that have run together."""

import pytest

from data.records.core.parsed_mail import ParsedMail, Segments
from tasks.core.parse.parsing import parse
from tasks.core.segment.segmenting import segment
from tasks.mail.read import read_mail

HISTORY = "On 5 Jun 2026 at 10:12, Desk <desk@fell.example> wrote:\n> Where do you live?"
OWN = "Please bring it here:\n\n> Mill Lane 4\n> 7712 Fell\n\nIs that possible?"


def cut(text: str, *, subject: str = "Gears") -> Segments:
    """Cut a body."""
    return segment(ParsedMail(text=text, subject=subject))


def from_html(html: str, *, subject: str = "Gears") -> Segments:
    """Cut the body of a page."""
    head = f"From: ada@x.example\nSubject: {subject}\nContent-Type: text/html\n\n"
    return read_mail(head.encode() + html.encode()).segments


@pytest.mark.parametrize(
    "style",
    [
        "",
        'style="margin:0 0 0 40px;border:none;padding:0px"',
        'style="border-left:2px solid gray;padding-left:1ex"',
        'class="note"',
    ],
)
def test_own_blockquote_is_new(style: str) -> None:
    """Where no earlier message is introduced or answered, what is set apart is the sender's."""
    found = from_html(
        f"<p>Please bring it here:</p><blockquote {style}><div>Mill Lane 4</div></blockquote>"
        "<p>Is that possible?</p>"
    )
    assert "Mill Lane 4" in found.new
    assert "Is that possible?" in found.new
    assert not found.quoted


def test_own_marks_in_plain_text_are_new() -> None:
    """Lines with `>` are the sender's where nothing says that somebody else wrote them."""
    assert cut(OWN).new == OWN


def test_own_marks_above_the_history_are_new() -> None:
    """In a reply too, when the history has its attribution and stands below."""
    found = cut(f"{OWN}\n\n{HISTORY}", subject="Re: Gears")
    assert found.new == OWN
    assert found.quoted == HISTORY


@pytest.mark.parametrize("lead", ["The display said:", "The manual writes:", "It reads:"])
def test_a_display_is_no_letter(lead: str) -> None:
    """A line that introduces a display or a manual introduces no earlier message."""
    text = f"{lead}\n> E7 strap torn\n\nWhat can I do?"
    assert cut(text).new == text


@pytest.mark.parametrize(
    ("text", "subject", "new"),
    [
        ("Blue, please.\n> Which colour?", "Re: Gears", "Blue, please."),
        (f"Blue, please.\n\n{HISTORY}", "Gears", "Blue, please."),
        ("Blue, please.\n> > Which?\n> The blue one", "Gears", "Blue, please."),
        (
            "Blue, please.\n> From: desk@fell.example\n> Sent: 5 June 2026\n> Subject: Gears\n"
            "> Which colour?",
            "Gears",
            "Blue, please.",
        ),
    ],
)
def test_history_stays_history(text: str, subject: str, new: str) -> None:
    """A reply, an attribution, a head or a quotation within the quotation makes it history."""
    assert cut(text, subject=subject).new == new


def test_answer_by_its_ids_quotes_its_parent() -> None:
    """Without any word of it in the subject, the ids say that a message is answered."""
    mail = ParsedMail(text="Blue.\n> Which?", subject="Gears", in_reply_to="<a@x.example>")
    assert segment(mail).new == "Blue."


@pytest.mark.parametrize(
    "line",
    [
        "-----Original Message-----From: desk@fell.example Sent: 5 June 2026 10:12 "
        "To: ada@x.example Subject: Gears",
        "-----Original Message-----From: Desk [mailto:desk@fell.example]Sent: 5 June 2026 10:12"
        "To: ada@x.exampleSubject: Gears",
        "-------- Original message --------From: desk@fell.example Date: 6/5/26 10:12 AM (GMT) "
        "To: ada@x.example Subject: Gears",
        "________________________________ From: Desk <desk@fell.example> Sent: Friday, 5 June 2026 "
        "To: ada@x.example Subject: Gears",
        "-----Ursprüngliche Nachricht-----Von: desk@fell.example Gesendet: Freitag, 5. Juni 2026 "
        "An: ada@x.example Betreff: Räder",
        "De : Desk <desk@fell.example> Envoyé : vendredi 5 juin 2026 10:12 À : ada@x.example "
        "Objet : Roues",
        "From: desk@fell.example To: ada@x.example Date: 5 June 2026 Subject: Gears",
    ],
)
@pytest.mark.parametrize("glue", ["\n\n", "\n", " ", ""])
def test_head_on_one_line_is_a_head(line: str, glue: str) -> None:
    """The marker and the labels of an earlier message begin it, behind the reply's words too."""
    found = cut(f"Yes, please.{glue}{line}\n\nWe charge 45 euros.", subject="Re: Gears")
    assert found.new == "Yes, please."
    assert found.quoted.endswith("We charge 45 euros.")


def test_passed_on_head_on_one_line_is_passed_on() -> None:
    """A forward is one, however its head has run together."""
    found = cut(
        "See below. ---------- Forwarded message ---------From: Desk <desk@fell.example>"
        "Date: Fri, 5 Jun 2026 Subject: Gears To: ada@x.example\nWe charge 45.",
        subject="Fwd: Gears",
    )
    assert found.new == "See below."
    assert found.forwarded.endswith("We charge 45.")


@pytest.mark.parametrize(
    "text",
    [
        "The label says From: Ada, To: Bob, Date: 5 May 2026 on the parcel. Is that right?",
        "From: here. To: there. Is that one ticket?",
        "The sign -- an old one -- says: from: 8: to: 9. Are you open then?",
        "It works.Sending it back now would be a pity.",
        "Ratio 1:2:3 -- as agreed?",
    ],
)
def test_sentences_with_such_words_are_new(text: str) -> None:
    """What only tells of labels, dashes and times is the sender's."""
    assert cut(text).new == text


def test_footer_of_a_phone_behind_a_sentence() -> None:
    """A footer that has run into the last sentence is cut off it."""
    found = cut(f"Can you send it?Sent from my Galaxy phone\n\n{HISTORY}", subject="Re: Gears")
    assert (found.new, found.signature) == ("Can you send it?", "Sent from my Galaxy phone")


def flowed(body: str, more: str = "") -> Segments:
    """Cut a body in the format flowed."""
    head = (
        "From: ada@x.example\nIn-Reply-To: <a@b.example>\n"
        f"Content-Type: text/plain; format=flowed{more}\n\n"
    )
    return read_mail((head + body).encode()).segments


def test_stuffed_spaces_are_undone_first() -> None:
    """What begins with a space before `>` or `From ` is the sender's, also below a quotation."""
    found = flowed(
        "On 5 Jun 2026, Desk wrote: \n> Where do you live and \n> when?\n\n"
        " >From Monday on in Fell.\n\n > 40 kg is the weight.\n From then on too.\n"
    )
    assert found.new.split("\n\n")[0] == "From Monday on in Fell."
    assert "> 40 kg is the weight." in found.new
    assert "From then on too." in found.new
    assert "> Where do you live and when?" in found.quoted


def test_lines_are_joined_before_they_are_judged() -> None:
    """Soft line ends are undone with and without their space (RFC 3676 section 4.2)."""
    assert flowed("Please send it to Mill La \nne 4.", "; delsp=yes").new == (
        "Please send it to Mill Lane 4."
    )
    assert flowed("Please send it \nto Mill Lane 4.").new == "Please send it to Mill Lane 4."


def test_from_with_the_mark_of_a_mailbox_is_new() -> None:
    """Programs write `>From ` for `From ` at the beginning of a line."""
    text = "I am away.\n\n>From Tuesday on I am back."
    assert cut(text, subject="Re: Gears").new == text


def test_marks_of_html_stay_in_place_when_lines_are_parted() -> None:
    """A line that is parted above a quotation does not shift what HTML says about lines."""
    raw = (
        b"From: ada@x.example\nSubject: Re: Gears\nContent-Type: text/html\n\n"
        b"<p>Yes.Sent from my iPhone</p><p>ok</p>"
        b"<div class=gmail_quote>On 5 Jun 2026, Desk wrote:<blockquote>Which?</blockquote></div>"
    )
    mail = parse(raw)
    found = segment(mail)
    assert found.quoted == "On 5 Jun 2026, Desk wrote:\n\n> Which?"
