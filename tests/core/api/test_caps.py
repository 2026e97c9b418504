"""Caps over the API: who may see them, who may set them, and what is refused."""

import pytest

from tests.core.api.fixtures import Api
from tests.core.api.test_users import add_user, signed_in
from tests.core.small import SLUG

DRAFTER = {"scope": "agent", "subject": "drafter", "unit": "money", "period": "day"}


async def test_an_administrator_sets_and_removes_a_cap(api: Api) -> None:
    """It is listed beside those of the settings, with who set it; removed, it is gone."""
    before = (await api.get("/caps")).json()
    assert {one["set_by"] for one in before} == {""}
    made = await api.client.put(f"/v1/{SLUG}/caps", json={**DRAFTER, "limit": 2})
    assert made.status_code == 200, made.text
    changed = await api.client.put(f"/v1/{SLUG}/caps", json={**DRAFTER, "limit": 3})
    listed = (await api.get("/caps")).json()
    (own,) = [one for one in listed if one["set_by"]]
    assert (own["cap"]["limit"], own["used"], own["set_by"]) == (3, 0, changed.json()["set_by"])
    assert len(listed) == len(before) + 1
    shown = (await api.get("/models")).json()["caps"]
    assert own in shown
    gone = await api.client.delete(f"/v1/{SLUG}/caps", params=DRAFTER)
    assert (gone.status_code, (await api.get("/caps")).json()) == (204, before)
    again = await api.client.delete(f"/v1/{SLUG}/caps", params=DRAFTER)
    assert again.status_code == 404
    events = (await api.get("/audit")).json()["items"]
    assert [one["action"] for one in events[:3]] == ["remove-cap", "set-cap", "set-cap"]


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
@pytest.mark.parametrize("where", [SLUG, None])
async def test_nobody_else_changes_what_may_be_spent(
    api: Api, role: str, where: str | None
) -> None:
    """The list may be looked at; setting and removing is refused, and changes nothing."""
    user = await add_user(api, "Vera", [{"role": role, "organization": where}])
    headers = await signed_in(api, user)
    shown = await api.client.get(f"/v1/{SLUG}/caps", headers=headers)
    assert shown.status_code == 200
    body = {**DRAFTER, "limit": 200}
    put = await api.client.put(f"/v1/{SLUG}/caps", json=body, headers=headers)
    removed = await api.client.delete(f"/v1/{SLUG}/caps", params=DRAFTER, headers=headers)
    assert (put.status_code, removed.status_code) == (403, 403)
    assert (await api.get("/caps")).json() == shown.json()


async def test_who_administers_one_organization_cannot_loosen_its_caps(api: Api) -> None:
    """The key is the operator's: a role in one organization does not raise what it may spend."""
    role = {"slug": "head", "name": "Head", "permissions": ["see", "administer"]}
    assert (await api.client.put("/v1/roles/head", json=role)).status_code == 200
    user = await add_user(api, "Vera", [{"role": "head", "organization": SLUG}])
    headers = await signed_in(api, user)
    put = await api.client.put(
        f"/v1/{SLUG}/caps", json={"scope": "organization", "limit": 900}, headers=headers
    )
    assert put.status_code == 403


@pytest.mark.parametrize(
    ("given", "status", "words"),
    [
        ({"scope": "agent", "subject": "drafty", "limit": 1}, 404, "drafty"),
        ({"scope": "user", "subject": "nobody", "limit": 1}, 404, "postern user list"),
        ({"scope": "team", "subject": "nobody", "limit": 1}, 404, "postern team list"),
        ({"scope": "turn", "subject": "turn-1", "limit": 1}, 422, "names no subject"),
        ({"scope": "agent", "limit": -1}, 422, "limit"),
        ({"scope": "agent"}, 422, "limit"),
    ],
)
async def test_a_cap_for_nobody_is_refused(
    api: Api, given: dict[str, object], status: int, words: str
) -> None:
    """A misspelled agent would be a missing cap."""
    refused = await api.client.put(f"/v1/{SLUG}/caps", json=given)
    assert refused.status_code == status
    assert words in refused.text
