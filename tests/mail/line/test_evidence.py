"""The evidence of a case: what nobody has changed since planning is not put together again."""

from pathlib import Path

from flows.core.batch import Batch
from flows.mail.line.case_texts import read_case_rows
from flows.mail.line.evidence import gather_evidence
from tests.core.small import open_line

FIRST = "<heron-first@heron.example>"


async def test_evidence_is_put_together_again_where_something_it_hangs_on_has_changed(
    tmp_path: Path,
) -> None:
    """A person's word on copies, and another policy, count at the next look; nothing else does."""
    async with open_line(tmp_path / "var") as line:
        in_a_minute = {"coalesce_seconds": 60}
        line.workspace.policy = line.workspace.policy.model_copy(update=in_a_minute)
        line.send("When is the workshop open?", message_id=FIRST)
        line.send(
            "And is it open on Sundays?",
            subject="Re: Opening hours",
            headers={"In-Reply-To": FIRST, "Cc": "finch@heron.example"},
        )
        await line.intake()
        line.clock.forward(601)
        await line.work()
        (case,) = [str(row["id"]) for row in await line.rows("SELECT id FROM cases")]
        batch = Batch(house=line.house, workspace=line.workspace, ids=[case])
        rows = await read_case_rows(batch, [case])
        assert len(rows[case].message_ids) == 2

        planned = await gather_evidence(batch, rows)
        _, together = batch._computed["together", case]
        assert (await gather_evidence(batch, rows))[case] is planned[case]
        assert batch._computed["together", case][1] is together

        chosen = {case: rows[case]._replace(cc=["finch@heron.example"])}
        copied = (await gather_evidence(batch, chosen))[case]
        assert (planned[case].recipients.cc, copied.recipients.cc) == ((), ("finch@heron.example",))
        assert batch._computed["together", case][1] is together

        to_all = {"reply_to_all": True}
        line.workspace.policy = line.workspace.policy.model_copy(update=to_all)
        assert (await gather_evidence(batch, rows))[case].recipients.cc == ("finch@heron.example",)
        assert batch._computed["together", case][1] is not together
