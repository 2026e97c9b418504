"""What models were asked about a case, as the API shows it."""

from data.settings import load_settings
from data.store.core import histories
from flows.core.thinker import Thinker
from flows.upkeep import tidy
from tests.core.api.fixtures import Api
from tests.core.api.test_users import in_review
from tests.core.models.providers import Scripted
from tests.mail.models.forms import FORMS, HOURS


async def test_a_case_shows_what_its_models_were_asked(api: Api) -> None:
    """Each agent in turn, with mail and answer, without the system prompt; retention takes it."""
    line = api.line
    given = load_settings(llm_prices=("* 1 5",))
    line.house.thinker = Thinker(
        Scripted(lambda asked: FORMS[asked.agent]), given, line.clock, pause=0.0
    )
    case = await in_review(api)
    shown = await api.get(f"/cases/{case}/requests")
    asked = shown.json()
    assert [one["agent"] for one in asked] == ["guard", "classifier", "planner", "drafter"]
    assert "When are you open?" in asked[0]["messages"][0]["parts"][0]["text"]
    answer = asked[3]["messages"][1]["parts"][0]
    assert (answer["tool"], answer["arguments"]["body"]) == ("answer", HOURS)
    assert line.workspace.canary not in shown.text
    assert {part["kind"] for one in asked for part in one["messages"][0]["parts"]} == {"user"}
    whole = await line.workspace.db.read(histories.read_history, asked[0]["call_id"])
    assert line.workspace.canary in whole.model_dump_json()
    assert (await api.get("/cases/none/requests")).status_code == 404
    line.house.settings = line.house.settings.model_copy(update={"archive_days": 30})
    line.clock.forward(31 * 86_400)
    await tidy(line.house, line.workspace)
    assert (await api.get(f"/cases/{case}/requests")).json() == []
