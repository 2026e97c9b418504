"""The outbox over HTTP: one reply by its id, and what `postern try` reads of a running engine."""

from data.records.core.memory import LearnedFromMail
from tests.core.api.fixtures import Api, Case


async def test_one_reply_is_read_by_its_id(api: Api, case: Case) -> None:
    """It is what the list shows of it; an id that nobody knows is 404, with a sentence."""
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    assert (await api.post(f"/cases/{case['id']}/approve", given)).status_code == 200
    (listed,) = (await api.get("/outbox")).json()["items"]
    one = await api.get(f"/deliveries/{listed['id']}")
    assert (one.status_code, one.json()) == (200, listed)
    gone = await api.get("/deliveries/nothing")
    assert gone.status_code == 404
    assert "nothing" in gone.json()["error"]["message"]


async def test_what_people_have_taught_is_read_in_one_piece(api: Api) -> None:
    """Allowances, blocks and kept saved replies are in it, and reading it changes nothing."""
    allowed = {"rule": "spam_words", "sender": "news@weaver.example"}
    assert (await api.post("/allowances", allowed)).status_code in (200, 201, 204)
    kept = {"title": "Parking", "body": "Park behind the mill."}
    assert (await api.post("/saved-replies", kept)).status_code == 201
    before = await api.line.rows("SELECT count(*) AS n FROM events")
    found = LearnedFromMail.model_validate((await api.get("/memory")).json())
    assert found.allowances == (("spam_words", "news@weaver.example"),)
    assert [one.title for one in found.saved_replies] == ["Parking"]
    assert (found.spam, found.training, found.counts) == (0, "", {})
    assert await api.line.rows("SELECT count(*) AS n FROM events") == before
