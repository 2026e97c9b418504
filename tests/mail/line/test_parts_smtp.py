"""Two questions in one mail, one about money, over real SMTP from end to end."""

from email import message_from_bytes
from email.message import Message
from pathlib import Path

from data.records.mail.orders import Approve
from flows.delivery import delivery_batch
from flows.mail.leaving.preview import preview_text
from flows.mail.people import reviewing
from tests.core.small import CUSTOMER
from tests.mail.gate.sink import Received
from tests.mail.line.parts_of import ANSWER, BOTH, FOLLOWS, cases_of, view
from tests.mail.line.test_loops import Twin, Wire, open_twin
from tests.people import person

ASKED = "<both@heron.example>"


def mail(to: str) -> Received:
    """Return a mail of a customer with a question and a demand for money."""
    head = {
        "From": f"Mara Heron <{CUSTOMER}>",
        "To": to,
        "Subject": "Repair and invoice",
        "Date": "Mon, 02 Mar 2026 09:59:00 +0000",
        "Message-ID": ASKED,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    body = BOTH.replace("\n", "\r\n")
    return Received(CUSTOMER, [to], f"{lines}\r\n{body}".encode())


async def work(twin: Twin) -> None:
    """Take in what came, work on it, and hand what is due to the relay."""
    await twin.line.run()
    twin.line.clock.forward(60)
    await delivery_batch(twin.line.house, twin.line.workspace)


def arrived(twin: Twin) -> list[Message]:
    """Return what the relay has got, as read by anybody."""
    return [message_from_bytes(one.content) for one in twin.sink.messages]


def text(message: Message) -> str:
    """Return the body of a message."""
    payload = message.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


async def test_the_harmless_question_is_answered_at_once_and_the_money_by_a_person(
    tmp_path: Path,
) -> None:
    """Two replies reach the relay, in one conversation, each once; the second after a person."""
    async with open_twin(tmp_path, "teasel") as twin:
        line = twin.line
        given = {"answer_parts": "when_ready", "confidence_threshold": 0.8}
        line.workspace.policy = line.workspace.policy.model_copy(update=given)
        await Wire({twin.address: twin}).deliver(mail(twin.address))
        await work(twin)
        (first,) = arrived(twin)
        assert ANSWER in text(first)
        assert FOLLOWS in text(first)
        assert first["Auto-Submitted"] == "auto-replied"

        answered, rest = await cases_of(line)
        assert (answered["state"], rest["state"]) == ("sent", "in_review")
        seen = await view(line, str(rest["id"]))
        decision = Approve(
            version=seen.version,
            approval_hash=seen.approval_hash,
            body="Hello Mara Heron,\n\nwe look into it and come back to you.\n\nIda Fenn",
            confirmed=True,
        )
        previewed = await reviewed(twin, str(rest["id"]), decision)
        await reviewing.approve(
            line.house, line.workspace, str(rest["id"]), previewed, person("ida")
        )
        await work(twin)
        await work(twin)

        one, other = arrived(twin)
        assert "look into it" in text(other)
        assert ANSWER not in text(other).partition("\nOn ")[0]
        assert other["Auto-Submitted"] is None
        for reply in (one, other):
            assert reply["In-Reply-To"] == ASKED
            assert reply["Subject"] == "Re: Repair and invoice"
        assert one["Message-ID"] != other["Message-ID"]
        assert [one.rcpt_to for one in twin.sink.messages] == [[CUSTOMER], [CUSTOMER]]
        (message,) = await line.rows("SELECT status FROM messages")
        assert message["status"] == "sent"


async def reviewed(twin: Twin, case_id: str, decision: Approve) -> Approve:
    """Return a decision with the hash of the edited text, as its preview shows it."""
    house, workspace = twin.line.house, twin.line.workspace
    subject = "Re: Repair and invoice"
    letter, _ = await preview_text(workspace, case_id, subject, str(decision.body))
    _, signed = letter.preview(workspace, house.clock())
    return decision.model_copy(update={"approval_hash": signed, "subject": subject})
