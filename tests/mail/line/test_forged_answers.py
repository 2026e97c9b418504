"""Mail that authentication calls forged is no answer of whoever it names."""

from pathlib import Path

from data.records.core.envelope import Channel
from data.records.mail.orders import Approve
from flows.delivery import delivery_batch
from flows.mail.people import reviewing
from tests.core.small import ADDRESS, letter, open_line
from tests.mail.line.parts_of import view
from tests.mail.line.sending_by_itself import FRONT, QUESTION, write
from tests.people import person

ENDED = "SELECT ended_because FROM follow_ups"


async def test_a_forged_mail_ends_no_follow_up(tmp_path: Path) -> None:
    """Who waits for an answer still hears that none has come; the contact's own mail is one."""
    async with open_line(tmp_path / "var", trusted_authserv_ids=(FRONT,)) as line:
        write(line, QUESTION, "<one@heron.example>")
        await line.run()
        (row,) = await line.rows("SELECT id FROM cases")
        case = await view(line, str(row["id"]))
        order = Approve(
            version=case.version, approval_hash=case.approval_hash, confirmed=True, follow_up_days=2
        )
        await reviewing.approve(line.house, line.workspace, case.id, order, person("ida"))
        await delivery_batch(line.house, line.workspace)
        failed = f"{FRONT}; dmarc=fail header.from=heron.example"
        raw = letter("All is well.", subject="Thank you", message_id="<x@shrike.test>")
        envelope = line.house.spool.put(
            f"Authentication-Results: {failed}\r\n".encode() + raw,
            channel=Channel.SMTP,
            mail_from="eve@shrike.test",
            rcpt_to=(ADDRESS,),
            peer="127.0.0.1",
        )
        await line.intake()
        assert await line.status(envelope.spool_id) == "threaded"
        assert await line.rows(ENDED) == [{"ended_because": ""}]
        write(line, "Something else: how long does a repair take?", "<two@heron.example>")
        await line.intake()
        assert await line.rows(ENDED) == [{"ended_because": "message"}]
