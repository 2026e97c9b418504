"""Changing an organization's profile while its engine runs."""

from data.records.core.organization import Organization
from data.store.core.profiles import mark
from tests.core.api.fixtures import Api
from tests.core.small import ADDRESS, SLUG, TEASEL

PATH = f"/v1/organizations/{SLUG}"


def order(was: str = "", **fields: object) -> dict[str, object]:
    """Return the body of a change."""
    profile = TEASEL.model_copy(update=fields)
    return {"profile": profile.model_dump(mode="json"), "was": was}


async def test_the_running_engine_works_with_the_new_profile(api: Api) -> None:
    """Handle, routes and audit log have it at once."""
    new = "shop@teasel.example"
    given = order(name="Teasel", addresses=(ADDRESS, new), was=mark(TEASEL))
    answer = await api.client.put(PATH, json=given)
    assert Organization.model_validate(answer.json()).name == "Teasel"
    assert api.line.workspace.organization.addresses == (ADDRESS, new)
    route = api.line.house.routes.match(new)
    assert route is not None
    assert (route.organization, str(route.mode)) == (SLUG, "agent")
    event = (await api.get("/audit")).json()["items"][0]
    assert (event["actor"], event["action"]) == ("ida", "edit-organization")
    assert "-name: Teasel Looms; +name: Teasel" in event["detail"]


async def test_two_people_do_not_write_over_each_other(api: Api) -> None:
    """Who has read an older profile is refused, and what the other one wrote stays."""
    seen = mark(TEASEL)
    await api.client.put(PATH, json=order(tone="Warm.", was=seen))
    late = await api.client.put(PATH, json=order(tone="Cold.", was=seen))
    assert late.status_code == 409
    assert api.line.workspace.organization.tone == "Warm."


async def test_a_profile_that_cannot_be_used_is_refused(api: Api) -> None:
    """A wrong time zone is told, another slug too; a reviewer may change nothing."""
    wrong = await api.client.put(PATH, json=order(timezone="Mars"))
    assert (wrong.status_code, "timezone" in wrong.text) == (422, True)
    moved = await api.client.put(PATH, json=order(slug="other"))
    assert moved.status_code == 422
    made = await api.client.post("/v1/tokens", json={"user": "maud", "organization": SLUG})
    theirs = {"Authorization": f"Bearer {made.json()['token']}"}
    refused = await api.client.put(PATH, json=order(tone="x"), headers=theirs)
    assert refused.status_code == 403
    assert api.line.workspace.organization == TEASEL
