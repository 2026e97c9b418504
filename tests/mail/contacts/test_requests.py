"""What models were asked about a contact goes with the contact, wherever its words may stand."""

from pathlib import Path

from data.records.core.caps import Cap, CapScope
from data.records.mail.contacts import EraseContact
from data.settings import load_settings
from data.store.core import caps
from flows.core.thinker import Thinker
from flows.mail.people.erasing import erase
from flows.mail.people.holdings import holdings
from tests.core.models.providers import Scripted
from tests.core.small import CUSTOMER, open_line
from tests.mail.contacts.held import OTHER, holding
from tests.mail.contacts.test_shared import talk
from tests.mail.models.forms import FORMS
from tests.people import person

ASKED = "SELECT count(*)::INTEGER AS n FROM model_messages WHERE "


async def test_no_byte_of_what_models_were_asked_is_left(tmp_path: Path) -> None:
    """The contact's own requests and those of a shared conversation go; others' requests stay."""
    home = tmp_path / "var"
    given = load_settings(llm_prices=("* 1 5",))
    async with open_line(home) as line:
        line.house.thinker = Thinker(
            Scripted(lambda asked: FORMS[asked.agent]), given, line.clock, pause=0.0
        )
        await talk(line)
        line.send("Do you repair looms?", sender=OTHER, subject="Looms")
        line.send(f"{CUSTOMER} told me of you.", sender="ash@tit.example", subject="Hello")
        await line.run()
        cap = Cap(scope=CapScope.SENDER, subject=CUSTOMER, limit=1)
        await line.workspace.db.write(caps.put_cap, cap, actor="ida", now=line.clock())
        own = "sender = '{}' AND contains(messages, 'quixotword')"
        assert (await line.rows(ASKED + own.format(CUSTOMER)))[0]["n"] > 2
        assert (await line.rows(ASKED + own.format(OTHER)))[0]["n"] > 0, "Bo's context has to"
        named = await line.rows(ASKED + "sender = 'ash@tit.example'")
        (calls,) = await line.rows("SELECT count(*)::INTEGER AS n FROM model_calls")
        held = await holdings(line.house, line.workspace, [CUSTOMER])
        assert set(held.rows) >= {"model_messages", "model_calls", "caps"}
        await erase(line.house, line.workspace, EraseContact(address=CUSTOMER), person("ida"))
        assert holding(home, b"quixotword") == []
        assert (await line.rows(ASKED + "contains(lower(messages), ?)", CUSTOMER))[0]["n"] == 0
        left = await line.rows("SELECT DISTINCT sender FROM model_messages ORDER BY sender")
        assert {row["sender"] for row in left} <= {OTHER, "ash@tit.example"}
        assert (await line.rows(ASKED + "sender = ?", OTHER))[0]["n"] > 0
        assert (await line.rows(ASKED + "sender = 'ash@tit.example'"))[0]["n"] < named[0]["n"]
        assert await line.rows("SELECT count(*)::INTEGER AS n FROM model_calls") == [calls]
        assert await line.rows("SELECT * FROM caps") == []
    assert holding(home, b"quixotword") == []
