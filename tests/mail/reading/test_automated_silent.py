"""What a person wrote is a case though it comes from an address at which nobody reads answers."""

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tests.mail.reading.test_automated import OWN, detect, envelope

PERSONS = {
    "en": "Hello,\n\nI would like to know whether you mend looms, and how long that takes.\n\nMara",
    "en-we": "Hello,\n\nwe would like to order ten sets. Do you deliver to Norway?\n\nHeron Mills",
    "de": "Guten Tag,\n\nrepariert ihr auch Tischwebstühle? Mein Rahmen ist gebrochen.\n\nMara",
    "fr": "Bonjour,\n\nréparez-vous les métiers à tisser ? Le mien est cassé.\n\nMara",
    "es": "Hola:\n\n¿Reparan telares de mesa? El mío se ha roto.\n\nMara",
    "it": "Buongiorno,\n\nvorrei sapere se riparate i telai. Il mio è rotto.\n\nMara",
}
NOTICES = [
    "Your parcel is on its way.\nOrder: 12\n",
    "Dear customer,\n\norder 5521 has been shipped. You will not be charged again.\n\nThe team",
    "We received a request to reset your password. Your code is 123456. If you did not ask for it, "
    "ignore this mail.",
    "Your payment failed. Please update your card in your account.",
    "How did you like your loom? Please rate it in your account.",
    "Hi,\n\nI am Ole of the Loom Shop. Do you like it? Rate it now: http://x.example/r",
    "Backup of server 3 failed: disk not found. Error 17.",
    "Ihre Bestellung 5521 wurde versandt. Bitte antworten Sie nicht auf diese E-Mail.",
    "Votre colis est arrivé. Merci de ne pas répondre.",
    "Su pedido ha sido enviado. ¿Quiere verlo? http://x.example/p",
]


@pytest.mark.parametrize("body", PERSONS.values(), ids=PERSONS)
@pytest.mark.parametrize("sender", ["noreply@shop.example", "notifications@crm.example"])
@pytest.mark.parametrize("more", ["", "Auto-Submitted: auto-generated\n", "X-SG-EID: k\n"])
def test_the_writer_in_reply_to_is_who_wrote(body: str, sender: str, more: str) -> None:
    """Without any field of a form: somebody else's address, below a text of somebody's own."""
    found = detect(f"Reply-To: Mara <mara@heron.example>\n{more}", body, sender=sender)
    assert not found.automated
    assert found.form_writer is not None
    assert found.form_writer.email == "mara@heron.example"
    assert found.bars_sending


@pytest.mark.parametrize("body", PERSONS.values(), ids=PERSONS)
@pytest.mark.parametrize("head", ["", "Reply-To: desk@shop.example\n"])
def test_a_persons_text_is_a_case_though_nobody_may_be_there_to_answer(
    body: str, head: str
) -> None:
    """Who wrote is not known; a person decides, and nothing leaves without one."""
    found = detect(head, body, sender="Mara <no-reply@shop.example>")
    assert (found.automated, found.kind) == (False, AutomatedKind.NONE)
    assert any("takes no answers" in bar for bar in found.bars_sending)


@pytest.mark.parametrize("body", PERSONS.values(), ids=PERSONS)
def test_a_null_reverse_path_is_no_proof_either(body: str) -> None:
    """Devices and websites send so; a bounce and a notice that come so stay a machine's."""
    for seen in (detect(body=body, via=envelope("")), detect("Return-Path: <>\n", body)):
        assert not seen.automated
        assert any("takes no answers" in bar for bar in seen.bars_sending)
    assert detect("In-Reply-To: <a@b.example>\n", body, via=envelope("")).automated


@pytest.mark.parametrize("body", PERSONS.values(), ids=PERSONS)
def test_a_sales_tools_letter_is_its_writers(body: str) -> None:
    """Marks of mail to many on what one organization is asked; a newsletter's text stays one."""
    head = "X-Campaign: 7\nList-Unsubscribe: <https://crm.example/u>\n"
    assert detect(head, body).automated is ("?" not in body)
    assert detect(head, "Ten percent off until Sunday.").kind is AutomatedKind.NEWSLETTER


@pytest.mark.parametrize("body", NOTICES)
@pytest.mark.parametrize("head", ["", "Reply-To: desk@shop.example\n"])
def test_a_notice_stays_one(body: str, head: str) -> None:
    """It speaks of nobody's own matter, or has a link; trouble alone makes no person."""
    assert detect(head, body, sender="noreply@shop.example").automated


@pytest.mark.parametrize(
    ("head", "sender"),
    [
        ("Auto-Submitted: auto-generated\n", "noreply@shop.example"),
        ("Auto-Submitted: auto-replied\nReply-To: mara@heron.example\n", "noreply@shop.example"),
        ("List-Id: <news.x.example>\nReply-To: mara@heron.example\n", "noreply@shop.example"),
        ("Reply-To: mara@heron.example, eve@crow.example\nX-Autoreply: yes\n", "noreply@s.example"),
        ("", "mailer-daemon@shop.example"),
        ("", "newsletter@shop.example"),
        ("X-Loop: ours\nReply-To: mara@heron.example\n", OWN[0]),
    ],
)
def test_other_signs_of_a_machine_count_as_before(head: str, sender: str) -> None:
    """Only the address itself is explained by a person's words."""
    assert detect(head, PERSONS["en"], sender=sender).automated
