"""One decision on several cases over HTTP: each as it was shown, with an outcome of its own."""

from tests.core.api.fixtures import Api


async def shown(api: Api, number: int) -> list[dict[str, object]]:
    """Let mail of so many people come; return its cases as they stand."""
    for guest in range(number):
        api.line.send("When is the workshop open?", sender=f"guest{guest}@heron.example")
    await api.line.run()
    items = (await api.get("/queue")).json()["items"]
    cases = [(await api.get(f"/cases/{item['case_id']}")).json() for item in items]
    return [{name: case[name] for name in ("id", "version", "approval_hash")} for case in cases]


async def test_each_case_is_approved_as_it_was_shown(api: Api) -> None:
    """What has another version or hash than was shown is refused, and the others go on."""
    good, moved, other = await shown(api, 3)
    moved["version"] = 99
    other["approval_hash"] = "0" * 64
    body = {"action": "approve", "cases": [good, moved, other]}
    outcomes = (await api.post("/cases/decide", body)).json()["outcomes"]
    assert [one["done"] for one in outcomes] == [True, False, False]
    assert all(one["sentence"] for one in outcomes[1:])
    states = await api.line.rows("SELECT id, state FROM cases WHERE state = 'approved'")
    assert [row["id"] for row in states] == [good["id"]]


async def test_cases_are_given_away_and_closed_together(api: Api) -> None:
    """A case that is named twice is decided on once."""
    first, second = await shown(api, 2)
    given = {"action": "reassign", "cases": [first, second], "assignee": "ida@teasel.example"}
    outcomes = (await api.post("/cases/decide", given)).json()["outcomes"]
    assert [one["done"] for one in outcomes] == [True, True]
    assert (await api.get("/queue", handed=True)).json()["total"] == 2
    again = (await api.get(f"/cases/{first['id']}")).json()
    closing = {"id": again["id"], "version": again["version"]}
    body = {"action": "archive", "cases": [closing, closing]}
    (outcome,) = (await api.post("/cases/decide", body)).json()["outcomes"]
    assert outcome["done"]
    assert (await api.get("/queue")).json()["total"] == 1


async def test_more_than_fifty_are_refused(api: Api) -> None:
    """One request decides on no more than a person can have looked at."""
    many = [{"id": f"case-{number}", "version": 1} for number in range(51)]
    answer = await api.post("/cases/decide", {"action": "archive", "cases": many})
    assert answer.status_code == 422


async def test_conversations_of_cases_are_tagged_together(api: Api) -> None:
    """One outcome for each; what is so already stays, and the queue is narrowed by a tag."""
    first, second = await shown(api, 2)
    ids = [first["id"], second["id"], "no-such-case"]
    body = {"cases": ids, "add": ["Warranty ", "spring-sale"]}
    outcomes = (await api.post("/cases/tag", body)).json()["outcomes"]
    assert [one["done"] for one in outcomes] == [True, True, False]
    assert "no-such-case" in outcomes[2]["sentence"]
    one = (await api.get(f"/cases/{first['id']}")).json()
    assert {"warranty", "spring-sale"} <= set(one["item"]["tags"])
    assert one["version"] == first["version"]
    taken = {"cases": [second["id"]], "add": ["warranty"], "remove": ["spring-sale", "never-was"]}
    assert (await api.post("/cases/tag", taken)).json()["outcomes"][0]["done"]
    narrowed = (await api.get("/queue", tag="spring-sale")).json()
    assert [item["case_id"] for item in narrowed["items"]] == [first["id"]]
    assert (await api.get("/queue", tag="warranty")).json()["total"] == 2
    events = await api.line.rows(
        "SELECT action, detail FROM audit_events WHERE action IN ('tag', 'untag') ORDER BY sequence"
    )
    assert [(row["action"], row["detail"]) for row in events] == [
        ("tag", "warranty"), ("tag", "spring-sale"), ("tag", "warranty"), ("tag", "spring-sale"),
        ("untag", "spring-sale"),
    ]  # fmt: skip


async def test_what_can_be_no_tag_is_refused(api: Api) -> None:
    """Nothing named, twice named, marks in a tag, too many cases, and too many tags."""
    (case,) = await shown(api, 1)
    for wrong in (
        {},
        {"add": ["a"], "remove": ["A"]},
        {"add": ["<b>"]},
        {"add": ["two words"]},
        {"add": ["x" * 61]},
    ):
        answer = await api.post("/cases/tag", {"cases": [case["id"]], **wrong})
        assert answer.status_code == 422, wrong
    many = await api.post("/cases/tag", {"cases": ["a"] * 51, "add": ["b"]})
    assert many.status_code == 422
    for begin in (0, 15):
        tags = [f"tag-{number}" for number in range(begin, begin + 15)]
        full = (await api.post("/cases/tag", {"cases": [case["id"]], "add": tags})).json()
    assert (full["outcomes"][0]["done"], "30 tags" in full["outcomes"][0]["sentence"]) == (
        False,
        True,
    )
