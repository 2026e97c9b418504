"""Filters of others in the line: one witness of the screen, and their absence stops no mail."""

from asyncio import to_thread
from pathlib import Path

import pytest

from data.records.core.kept_settings import SettingsChange
from flows.core.kept_settings import keep_settings
from flows.doctor.findings import examine
from flows.mail.knowing.filter_lessons import teach_filters
from flows.mail.line.mailroom import mailroom_of
from flows.mail.people.guarding import correct
from tests.core.small import Line, open_line
from tests.mail.filters.daemons import PASSWORD, RspamdDaemon, SpamdDaemon
from tests.people import person
from tests.ports import free_port

WATCHES = "We have replica watches in stock, only today. Are you interested in our catalogue?"


async def hits(line: Line, message: str) -> dict[str, str]:
    """Return what each rule of the screen found in a message."""
    (row,) = await line.rows(
        "SELECT output FROM steps WHERE stage = 'screen' AND item_id = ? AND output IS NOT NULL",
        message,
    )
    from data.records.mail.stage_outputs import Screened

    screening = Screened.model_validate_json(str(row["output"])).screening
    return {hit.rule: hit.excerpt for hit in screening.hits}


async def test_both_are_one_witness_and_learn(
    tmp_path: Path, spamd: SpamdDaemon, rspamd: RspamdDaemon
) -> None:
    """Their tests stand in words in the screen's findings; a person's decision is passed on."""
    async with open_line(
        tmp_path / "var",
        spamassassin_address=f"127.0.0.1:{spamd.port}",
        rspamd_url=rspamd.url,
        rspamd_password=PASSWORD,
        filter_seconds=60,
    ) as line:
        message = line.send(WATCHES, subject="Catalogue", sender="gorse@broom.example")
        wanted = line.send("When is the workshop open?")
        await line.intake()
        found = await hits(line, message)
        assert "Offers replica watches" in found["other_filters"]
        assert "other_filters" not in await hits(line, wanted)
        (row,) = await line.rows("SELECT verdict FROM messages WHERE id = ?", message)
        assert row["verdict"] != "clean"

        await correct(line.house, line.workspace, message, person("ida"), spam=True)
        assert await teach_filters(line.house, line.workspace) == 2
        assert await teach_filters(line.house, line.workspace) == 0
        lessons = await line.rows(
            "SELECT filter, spam, refusal FROM filter_lessons ORDER BY filter"
        )
        assert [(one["spam"], one["refusal"]) for one in lessons] == [(True, ""), (True, "")]
        await correct(line.house, line.workspace, message, person("ida"), spam=False)
        assert await teach_filters(line.house, line.workspace) == 2, "another decision is told anew"

    # Doctor reads the state's file, which is locked while the house is open.
    named = {one.name: one.status for one in await to_thread(examine, line.house.settings)}
    assert named["filter SpamAssassin"] == named["filter rspamd"] == "ok"


async def test_an_absent_filter_stops_no_mail(tmp_path: Path) -> None:
    """Every message is screened without it; after some failures doctor says so."""
    port = free_port()
    async with open_line(
        tmp_path / "var", spamassassin_address=f"127.0.0.1:{port}", filter_seconds=1
    ) as line:
        for number in range(6):
            line.send(f"When is the workshop open? {number}", subject=f"Hours {number}")
        await line.run()
        (row,) = await line.rows("SELECT count(*) AS n FROM messages WHERE verdict = 'clean'")
        assert row["n"] == 6
        (filter_,) = mailroom_of(line.house).filters.filters
        assert not mailroom_of(line.house).filters._resting[filter_.name].may_ask(0.0)
    findings = await to_thread(examine, line.house.settings)
    (finding,) = (one for one in findings if one.name.startswith("filter"))
    assert finding.status == "fail"
    assert "does not answer" in finding.sentence


async def test_doctor_asks_a_filter_that_was_switched_on_while_postern_runs(tmp_path: Path) -> None:
    """Its address is kept in Postern, and stands in no file that a command could read."""
    address = f"127.0.0.1:{free_port()}"
    async with open_line(tmp_path / "var") as line:
        settings = line.house.settings
        await keep_settings(line.house, SettingsChange(spamassassin_address=address), person("ida"))
    findings = await to_thread(examine, settings)
    (finding,) = (one for one in findings if one.name.startswith("filter"))
    assert finding.name == "filter SpamAssassin"
    assert address in finding.sentence


@pytest.mark.parametrize("peer", ["127.0.0.1", "203.0.113.9"])
async def test_the_front_servers_word_counts_where_it_is_trusted(tmp_path: Path, peer: str) -> None:
    """The same field flags a message of the trusted server, and says nothing from elsewhere."""
    status = "Yes, score=6.1 required=5.0 tests=RCVD_IN_XBL"
    async with open_line(tmp_path / "var", trusted_spam_headers=("127.0.0.0/8",)) as line:
        from connectors.spool import Spool
        from data.records.core.envelope import Channel
        from tests.core.small import ADDRESS, letter

        spool: Spool = line.house.spool
        raw = letter("When is the workshop open?", headers={"X-Spam-Status": status})
        put = spool.put(
            raw, channel=Channel.SMTP, mail_from="mara@heron.example", rcpt_to=(ADDRESS,), peer=peer
        )
        await line.intake()
        found = await hits(line, put.spool_id)
        assert ("other_filters" in found) == (peer == "127.0.0.1")
        if found:
            assert "rcvd in xbl" in found["other_filters"]
