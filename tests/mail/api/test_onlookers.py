"""Who else has a case open: said to colleagues for some seconds, and nobody is held up by it."""

from tests.core.api.fixtures import Api, Case
from tests.core.api.test_tokens import make


async def look_in(
    api: Api, case_id: object, token: str = "", *, writing: bool = False
) -> list[tuple[str, bool]]:
    """Say that a case is open; return who else has it open."""
    headers = {"Authorization": f"Bearer {token}"} if token else None
    path = f"/v1/teasel/cases/{case_id}/onlookers"
    answer = await api.client.post(path, json={"writing": writing}, headers=headers)
    assert answer.status_code == 200, answer.text
    return [(one["name"], one["writing"]) for one in answer.json()["items"]]


async def test_colleagues_see_who_has_the_case_open_and_who_writes(api: Api, case: Case) -> None:
    """Oneself is not told, who writes comes first, and who says nothing more is forgotten."""
    bo, cleo = await make(api, "bo"), await make(api, "cleo")
    assert await look_in(api, case["id"]) == []
    assert await look_in(api, case["id"]) == [], "oneself in another window"
    assert await look_in(api, case["id"], bo) == [("ida", False)]
    assert await look_in(api, case["id"], cleo, writing=True) == [("bo", False), ("ida", False)]
    assert await look_in(api, case["id"]) == [("cleo", True), ("bo", False)]
    api.line.clock.forward(20)
    assert await look_in(api, case["id"], bo) == [("cleo", True), ("ida", False)]
    api.line.clock.forward(20)
    assert await look_in(api, case["id"]) == [("bo", False)]
    events = (await api.get("/audit")).json()["items"]
    assert {event["action"] for event in events} == {"add-token"}, "it is no event"


async def test_who_goes_on_to_another_case_has_left_this_one(api: Api) -> None:
    """A person has one case open; one that is not there is refused."""
    api.line.send("Where is the workshop?", sender="lars@gannet.example")
    await api.line.run()
    (first,) = (await api.get("/queue")).json()["items"]
    api.line.send("When is the workshop open?")
    await api.line.run()
    case, other = ({"id": item["case_id"]} for item in (await api.get("/queue")).json()["items"])
    assert first["case_id"] in (case["id"], other["id"])
    bo = await make(api, "bo")
    await look_in(api, case["id"], bo)
    await look_in(api, other["id"], bo)
    assert await look_in(api, case["id"]) == []
    path = "/v1/teasel/cases/nothing/onlookers"
    assert (await api.client.post(path, json={})).status_code == 404


async def test_who_may_only_look_is_seen_and_decides_nothing(api: Api, case: Case) -> None:
    """Saying so needs no more than seeing the case, and an approval is not held up."""
    body = {"user": "vera", "role": "viewer", "organization": "teasel"}
    vera = (await api.client.post("/v1/tokens", json=body)).json()["token"]
    assert await look_in(api, case["id"], vera) == []
    assert await look_in(api, case["id"]) == [("vera", False)]
