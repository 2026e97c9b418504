"""How mail travelled says nothing of who wrote it, unless several marks or its words agree."""

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tests.mail.reading.test_automated import OWN, detect

QUESTION = "Hello,\n\nmy loom is broken since Monday. Can you mend it?\n\nAda"
LEAVE = "List-Unsubscribe: <https://crm.example/u/1>\n"
MARKS = [
    LEAVE,
    LEAVE + "List-Unsubscribe-Post: List-Unsubscribe=One-Click\n",
    "X-Auto-Response-Suppress: All\n",
    "X-Auto-Response-Suppress: DR, OOF, AutoReply\nX-MS-Exchange-Organization-SCL: -1\n",
    "Feedback-ID: 7:crm\nX-SG-EID: k\n",
    LEAVE + "Feedback-ID: 7:crm\n",
    "Precedence: bulk\n",
    "Precedence: JUNK\n",
    "Precedence: list\n",
    "X-Loop: owner@bugs.example\n",
    "X-Loop: ada@x.example\n",
    "List-Id: Partners <partners.x.example>\nList-Post: <mailto:partners@x.example>\n" + LEAVE,
    "Message-ID: <b@www.y.example>\nX-TMDA-Fingerprint: k\nX-Campaign: 1\n",
]
GROUPS = [
    "Precedence: list\nMailing-list: list desk@postern.example; contact desk+owners@x.example\n"
    "List-Id: <desk.postern.example>\nList-Unsubscribe: <mailto:desk+leave@postern.example>\n",
    "List-Id: Help desk <desk.postern.example>\nX-Google-Group-Id: 1\n",
    "List-Post: <mailto:desk@postern.example>\nPrecedence: bulk\n",
]
GROUP_FOOTER = (
    "\n-- \nYou received this message because you are subscribed to the group.\n"
    "To unsubscribe and stop receiving emails visit https://groups.example/d/optout.\n"
)


@pytest.mark.parametrize("head", MARKS)
def test_a_mark_of_travel_bars_sending_and_no_more(head: str) -> None:
    """A sales tool, Exchange, a sending service, a partner's group: a person asks all the same."""
    found = detect(head, QUESTION)
    assert not found.automated
    assert any("mail to many" in bar for bar in found.bars_sending) or "TMDA" in head


@pytest.mark.parametrize("head", GROUPS)
def test_what_our_own_group_adds_says_nothing_at_all(head: str) -> None:
    """The list that a header names is our own address: nothing is barred, footer or not."""
    for body in (QUESTION, QUESTION + GROUP_FOOTER):
        found = detect(head, body)
        assert not found.automated
        assert found.bars_sending == ()
        assert found.own_group is None


def test_a_group_of_our_domain_that_nobody_has_named_is_proposed() -> None:
    """Its mail is people's; sending is barred, until the organization calls the group its own."""
    head = "List-Id: Sales <sales.postern.example>\nPrecedence: list\n"
    found = detect(head, QUESTION, to="sales@postern.example")
    assert not found.automated
    assert found.own_group == "sales@postern.example"
    assert found.bars_sending
    assert detect(head, QUESTION).own_group == "sales@postern.example"


def test_a_list_of_others_that_was_not_written_to_us_is_a_list() -> None:
    """Who posts to a list that we read writes to nobody in particular."""
    head = "List-Id: <looms.x.example>\nList-Post: <mailto:looms@x.example>\n"
    found = detect(head, QUESTION, to="looms@x.example")
    assert found.kind is AutomatedKind.MAILING_LIST


FOOTERS = [
    "You get this mail because you subscribed. Unsubscribe: https://x.example/u",
    "Newsletter abbestellen: https://x.example/ab",
    "Se désabonner : https://x.example/u",
    "Darse de baja: https://x.example/b",
    "Annulla l'iscrizione: https://x.example/c",
    "Cancelar a inscrição: https://x.example/c",
    "Uitschrijven: https://x.example/u",
    "Wypisz się: https://x.example/w",
]


@pytest.mark.parametrize("footer", FOOTERS)
def test_a_mark_and_the_words_of_mail_to_many_are_a_newsletter(footer: str) -> None:
    """Who offers, with a link, to send no more of it writes to many; without a mark he may not."""
    body = f"Seven looms under 400\n\nRead on.\n\n{footer}"
    assert detect(LEAVE, body).kind is AutomatedKind.NEWSLETTER
    assert not detect("", body).automated


def test_a_way_to_leave_behind_a_word_of_html_is_one() -> None:
    """HTML shows no address; a link elsewhere in the letter says nothing of it."""
    page = (
        "Content-Type: text/html\n",
        "<p>Seven looms under 400</p><p>No more of this: <a href=https://x.example/u>Unsubscribe</a>",
    )
    assert detect(LEAVE + page[0], page[1]).kind is AutomatedKind.NEWSLETTER
    other = "<p>Please unsubscribe me.</p><p><a href=https://x.example>Ada's looms</a></p>"
    assert not detect(LEAVE + page[0], other).automated


def test_several_marks_that_agree_are_mail_to_many() -> None:
    """Three families, a numbered campaign or an announcing list beside a way to leave."""
    for head in (
        LEAVE + "Precedence: bulk\nFeedback-ID: 1:c\n",
        LEAVE + "X-Campaign: 12\n",
        LEAVE + "List-Id: <weekly.x.example>\n",
    ):
        assert detect(head, "Seven looms").kind is AutomatedKind.NEWSLETTER


def test_who_asks_to_be_taken_off_is_a_person() -> None:
    """The word in a customer's own wish is no footer, though her mail bears a mark."""
    body = "Please unsubscribe me from your letters, and when is my loom ready?"
    assert not detect(LEAVE, body).automated


def test_an_id_in_the_form_and_of_the_host_of_ours_is_ours() -> None:
    """A program that answers with the Message-ID that it got sends our own mail back to us."""
    from tasks.core.parse.parsing import parse
    from tasks.mail.automated.detecting import detect_automated
    from tests.mail.reading.test_automated import envelope

    def judged(identity: str) -> AutomatedKind:
        raw = f"From: Ada <ada@x.example>\nTo: {OWN[0]}\nMessage-ID: <{identity}>\n\nGot it."
        return detect_automated(
            parse(raw.encode()), envelope(), OWN, frozenset(), lambda _: False,
            own_host="mx.postern.example",
        ).kind  # fmt: skip

    assert judged("01JABCDEFGHJKMNPQRSTVWXYZ0@mx.postern.example") is AutomatedKind.OWN
    assert judged("01JABCDEFGHJKMNPQRSTVWXYZ0@mx.y.example") is AutomatedKind.NONE
    assert judged("form-17@www.postern.example") is AutomatedKind.NONE
