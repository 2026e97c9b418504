"""Users, roles and teams: who may do what, from the next call on."""

from typing import Any

import pytest

from data.store.core import control
from tests.core.api.fixtures import Api
from tests.core.small import SLUG

HERE = [{"role": "viewer", "organization": SLUG}]


async def add_user(api: Api, name: str, grants: list[dict[str, str | None]]) -> dict[str, Any]:
    """Make a user and return what the API says of it."""
    made = await api.client.post("/v1/users", json={"name": name, "grants": grants})
    assert made.status_code == 201, made.text
    return dict(made.json())


async def signed_in(api: Api, user: dict[str, Any]) -> dict[str, str]:
    """Return the headers of a user with a new token."""
    made = await api.client.post("/v1/tokens", json={"user": user["name"], "user_id": user["id"]})
    return {"Authorization": f"Bearer {made.json()['token']}"}


async def in_review(api: Api) -> str:
    """Receive a message that ends in review, and return its case."""
    api.line.send("When are you open?")
    await api.line.run()
    return str((await api.get("/queue")).json()["items"][0]["case_id"])


async def test_the_people_of_an_organization_are_its_users(api: Api) -> None:
    """Each person of the profile is a reviewer of that organization, known by the address."""
    listed = {user["email"]: user for user in (await api.get("/users")).json()}
    assert listed["ida@teasel.example"]["grants"] == [{"role": "reviewer", "organization": SLUG}]


async def test_a_viewer_looks_and_decides_nothing(api: Api) -> None:
    """What only shows something is answered; every decision is refused and changes nothing."""
    case = await in_review(api)
    headers = await signed_in(api, await add_user(api, "Vera", HERE))
    shown = await api.client.get(f"/v1/{SLUG}/cases/{case}", headers=headers)
    assert shown.status_code == 200
    version = shown.json()["version"]
    for path, body in (
        (f"/cases/{case}/archive", {"version": version}),
        (f"/cases/{case}/reassign", {"version": version, "assignee": "ida@teasel.example"}),
        ("/rules", {"text": "Billing goes to Ida."}),
        ("/stop", {"stopped": True}),
        ("/teams", {"name": "Desk"}),
    ):
        refused = await api.client.post(f"/v1/{SLUG}{path}", json=body, headers=headers)
        assert refused.status_code == 403, path
        assert "your role" in refused.json()["error"]["message"], path
    assert (await api.get(f"/cases/{case}")).json()["version"] == version


@pytest.mark.parametrize("word", ["read", "seen", "preview", "rules", "users"])
async def test_no_word_in_an_address_permits_anything(api: Api, word: str) -> None:
    """What somebody calls a tag, a group or a blocked sender does not say what the call is."""
    headers = await signed_in(api, await add_user(api, "Vera", HERE))
    for path in (f"/blocks/{word}", f"/groups/{word}", f"/threads/thread-1/tags/{word}"):
        refused = await api.client.delete(f"/v1/{SLUG}{path}", headers=headers)
        assert refused.status_code == 403, path


async def test_more_is_permitted_from_the_next_call_on(api: Api) -> None:
    """A changed grant counts for tokens that were made before, in both directions."""
    case = await in_review(api)
    user = await add_user(api, "Vera", HERE)
    headers = await signed_in(api, user)
    grants = [{"role": "reviewer", "organization": SLUG}]
    changed = await api.client.put(f"/v1/users/{user['id']}", json={"grants": grants})
    assert changed.json()["grants"] == grants
    body = {"version": (await api.get(f"/cases/{case}")).json()["version"]}
    path = f"/v1/{SLUG}/cases/{case}/archive"
    assert (await api.client.post(path, json=body, headers=headers)).status_code == 200
    await api.client.put(f"/v1/users/{user['id']}", json={"grants": []})
    shown = await api.client.get(f"/v1/{SLUG}/cases/{case}", headers=headers)
    assert shown.status_code == 403


async def test_a_user_who_is_ended_opens_nothing(api: Api) -> None:
    """Tokens, grants and teams are gone; the user is still listed."""
    user = await add_user(api, "Vera", HERE)
    headers = await signed_in(api, user)
    await api.post("/teams", {"name": "Desk", "members": [user["id"]]})
    assert (await api.client.delete(f"/v1/users/{user['id']}")).status_code == 204
    assert (await api.client.get("/v1/me", headers=headers)).status_code == 401
    assert [team["members"] for team in (await api.get("/teams")).json()] == [[]]
    listed = {one["id"]: one for one in (await api.client.get("/v1/users")).json()}
    assert listed[user["id"]]["ended_at"] is not None
    again = await api.client.post("/v1/tokens", json={"user": "Vera", "user_id": user["id"]})
    assert again.status_code == 409


async def test_somebody_can_always_administer(api: Api) -> None:
    """The last administrator can neither be ended nor given another role."""
    everybody = (await api.client.get("/v1/users")).json()
    admins = [
        user for user in everybody if {"role": "admin", "organization": None} in user["grants"]
    ]
    assert len(admins) == 1
    path = f"/v1/users/{admins[0]['id']}"
    assert (await api.client.delete(path)).status_code == 409
    assert (await api.client.put(path, json={"grants": HERE})).status_code == 409
    assert (await api.client.get("/v1/users")).status_code == 200


async def test_a_token_of_a_namesake_does_no_more_than_it_should(api: Api) -> None:
    """Tokens of one name with different roles belong to different users."""
    tokens = [
        await api.line.house.control.write(
            control.add_token, "maud", role, organization, api.line.clock()
        )
        for role, organization in (("admin", None), ("reviewer", SLUG), ("reviewer", SLUG))
    ]
    principals = [
        await api.line.house.control.read(control.read_token_principal, token) for token in tokens
    ]
    assert len({one.id for one in principals}) == 2
    headers = {"Authorization": f"Bearer {tokens[1]}"}
    assert (await api.client.get("/v1/users", headers=headers)).status_code == 403


async def test_a_role_of_our_own(api: Api) -> None:
    """It permits what is named in it; what came with Postern or is held by somebody stays."""
    role = {"slug": "teacher", "name": "Teacher", "permissions": ["see", "teach"]}
    assert (await api.client.put("/v1/roles/teacher", json=role)).status_code == 200
    headers = await signed_in(
        api, await add_user(api, "Tess", [{"role": "teacher", "organization": SLUG}])
    )
    rule = {"sentence": "anything about GDPR: always ask"}
    written = await api.client.post(f"/v1/{SLUG}/rules", json=rule, headers=headers)
    assert written.status_code == 201, written.text
    stop = await api.client.post(f"/v1/{SLUG}/stop", json={"stopped": True}, headers=headers)
    assert stop.status_code == 403
    assert (await api.client.delete("/v1/roles/teacher")).status_code == 409
    assert (await api.client.put("/v1/roles/admin", json=role)).status_code == 409
    unknown = await api.client.post(
        "/v1/users", json={"name": "Udo", "grants": [{"role": "king", "organization": SLUG}]}
    )
    assert (unknown.status_code, unknown.json()["error"]["kind"]) == (404, "NotFoundError")


async def test_teams_have_members_who_may_see_the_organization(api: Api) -> None:
    """A team is made, changed and removed; a stranger does not come into it."""
    vera = await add_user(api, "Vera", HERE)
    stranger = await add_user(
        api, "Sam", [{"role": "reviewer", "organization": "elsewhere-not"}][:0]
    )
    made = (await api.post("/teams", {"name": "Desk", "members": [vera["id"]]})).json()
    assert made["members"] == [vera["id"]]
    path = f"/v1/{SLUG}/teams/{made['id']}"
    refused = await api.client.put(path, json={"name": "Desk", "members": [stranger["id"]]})
    assert refused.status_code == 404
    assert (await api.get("/teams")).json()[0]["members"] == [vera["id"]]
    assert (await api.post("/teams", {"name": "desk"})).status_code == 409
    assert (await api.client.delete(path)).status_code == 204
    assert (await api.get("/teams")).json() == []


@pytest.mark.parametrize("email", ["ida@teasel.example", "IDA@teasel.example "])
async def test_an_address_is_one_users(api: Api, email: str) -> None:
    """A second user with a known address is refused, in whatever letters it is written."""
    made = await api.client.post("/v1/users", json={"name": "Ida II", "email": email})
    assert made.status_code == 409


async def test_the_bell_is_for_whom_it_names(api: Api) -> None:
    """A question to one person rings for that person, not for colleagues whose address is known."""
    from data.store.core.notifications import notify

    await api.line.workspace.db.write(
        notify,
        "question",
        {"case-1": "ida@teasel.example: how long?", "case-2": "for all"},
        api.line.clock(),
        {"case-1": "ida@teasel.example"},
    )
    everybody = {user["email"]: user for user in (await api.get("/users")).json()}
    vera = await add_user(api, "Vera", HERE)
    await api.client.put(f"/v1/users/{vera['id']}", json={"email": "vera@teasel.example"})
    seen = {}
    for name, user in (("ida", everybody["ida@teasel.example"]), ("vera", vera)):
        headers = await signed_in(api, user)
        page = await api.client.get(f"/v1/{SLUG}/notifications", headers=headers)
        seen[name] = {item["subject_id"] for item in page.json()["items"]}
        if name == "vera":
            marked = await api.client.post(
                f"/v1/{SLUG}/notifications/seen", json={}, headers=headers
            )
            assert marked.json() == {"marked": 1}
    assert seen == {"ida": {"case-1", "case-2"}, "vera": {"case-2"}}


async def test_an_administrator_hears_what_nobody_else_would(api: Api) -> None:
    """What names a user is that user's alone, for administrators without an address too.

    What names an address that no user has, or no longer has, is theirs.
    """
    from data.store.core.notifications import notify

    vera = await add_user(api, "Vera", HERE)
    await api.client.put(f"/v1/users/{vera['id']}", json={"email": "vera@teasel.example"})
    addressees = {
        "case-1": "ida@teasel.example", "case-2": "nobody@teasel.example",
        "case-3": "vera@teasel.example", "case-4": "user:somebody",
    }  # fmt: skip
    told = {**dict.fromkeys(addressees, "a question"), "case-5": "for all"}
    await api.line.workspace.db.write(notify, "question", told, api.line.clock(), addressees)

    async def heard() -> set[str]:
        page = await api.client.get(f"/v1/{SLUG}/notifications")
        assert page.json()["unseen"] == len(page.json()["items"])
        return {item["subject_id"] for item in page.json()["items"]}

    assert await heard() == {"case-2", "case-5"}
    await api.client.delete(f"/v1/users/{vera['id']}")
    assert await heard() == {"case-2", "case-3", "case-5"}
    marked = await api.client.post(f"/v1/{SLUG}/notifications/seen", json={})
    assert marked.json() == {"marked": 3}


async def test_a_name_has_letters_in_it(api: Api) -> None:
    """Neither a user nor a team is called nothing but spaces."""
    user = await api.client.post("/v1/users", json={"name": "  ", "grants": HERE})
    team = await api.client.post(f"/v1/{SLUG}/teams", json={"name": " ", "members": []})
    assert (user.status_code, team.status_code) == (422, 422)


async def test_the_log_of_an_organization_tells_nothing_of_another(api: Api) -> None:
    """Each names what somebody may do there; that he looks after another is no business of it."""
    given = {"slug": "osier", "name": "Osier", "addresses": ["post@osier.example"]}
    await api.client.post("/v1/organizations", json=given)
    vera = await add_user(api, "Vera", [*HERE, {"role": "admin", "organization": "osier"}])
    await api.client.put(f"/v1/users/{vera['id']}", json={"grants": HERE})

    async def read_details(slug: str) -> list[str]:
        page = (await api.client.get(f"/v1/{slug}/audit")).json()
        subject = f"user:{vera['id']}"
        return [item["detail"] for item in page["items"] if item["subject"] == subject]

    assert await read_details(SLUG) == [f"Vera: viewer in {SLUG}"] * 2
    assert await read_details("osier") == ["Vera: no role", "Vera: admin in osier"]


async def test_the_second_of_two_who_change_a_user_or_a_team_is_told(api: Api) -> None:
    """What was read is said with the change; who has read something older changes nothing."""
    bo = await add_user(api, "Bo Lund", [{"role": "viewer", "organization": "teasel"}])
    path = f"/v1/users/{bo['id']}"
    first = await api.client.put(path, json={"email": "bo@teasel.example", "was": bo["mark"]})
    assert first.status_code == 200, first.text
    late = await api.client.put(path, json={"name": "Bo Ek", "was": bo["mark"]})
    assert (late.status_code, "'Bo Lund' was changed by somebody else" in late.text) == (409, True)
    again = await api.client.put(path, json={"name": "Bo Ek", "was": first.json()["mark"]})
    assert (again.json()["name"], again.json()["email"]) == ("Bo Ek", "bo@teasel.example")
    team = (await api.post("/teams", {"name": "Looms"})).json()
    path = f"/v1/teasel/teams/{team['id']}"
    order = {"name": "Looms", "members": [bo["id"]], "was": team["mark"]}
    filled = await api.client.put(path, json=order)
    assert filled.json()["members"] == [bo["id"]]
    late = await api.client.put(path, json={"name": "Weavers", "was": team["mark"]})
    assert (late.status_code, "'Looms' was changed by somebody else" in late.text) == (409, True)
    over = await api.client.put(path, json={"name": "Weavers"})
    assert (over.json()["name"], over.json()["members"]) == ("Weavers", [])
