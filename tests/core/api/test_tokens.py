"""Tokens over the API: made for organizations that exist, listed, and taken back."""

from tests.core.api.fixtures import Api
from tests.core.small import SLUG


async def make(api: Api, user: str, organization: str | None = SLUG) -> str:
    """Make a token; return it."""
    body = {"user": user, "role": "reviewer", "organization": organization}
    made = await api.client.post("/v1/tokens", json=body)
    assert made.status_code == 201
    return str(made.json()["token"])


async def test_a_revoked_token_opens_nothing(api: Api) -> None:
    """From the next call on its holder is refused, and others are not."""
    maud = {"Authorization": f"Bearer {await make(api, 'maud')}"}
    ola = {"Authorization": f"Bearer {await make(api, 'ola')}"}
    listed = (await api.client.get("/v1/tokens")).json()
    (token_id,) = [one["id"] for one in listed if one["user"] == "maud"]
    assert (await api.client.get("/v1/me", headers=maud)).status_code == 200
    assert (await api.client.delete(f"/v1/tokens/{token_id}")).status_code == 204
    assert (await api.client.get("/v1/me", headers=maud)).status_code == 401
    assert (await api.client.get("/v1/me", headers=ola)).status_code == 200
    assert (await api.client.delete(f"/v1/tokens/{token_id}")).status_code == 404


async def test_nobody_locks_the_door_behind_himself(api: Api) -> None:
    """The token that a call is made with cannot be revoked by that call."""
    me = (await api.client.get("/v1/me")).json()["user"]
    listed = (await api.client.get("/v1/tokens")).json()
    ids = [one["id"] for one in listed if one["user"] == me]
    assert [(await api.client.delete(f"/v1/tokens/{one}")).status_code for one in ids] == [409]
    assert (await api.client.get("/v1/tokens")).status_code == 200


async def test_a_token_needs_an_organization_that_exists(api: Api) -> None:
    """A mistyped slug is 404, not a token that opens nothing."""
    body = {"user": "maud", "role": "reviewer", "organization": "teazel"}
    assert (await api.client.post("/v1/tokens", json=body)).status_code == 404


async def test_tokens_and_secrets_are_for_administrators(api: Api) -> None:
    """A reviewer sees neither the tokens nor the secret that signs webhooks."""
    reviewer = {"Authorization": f"Bearer {await make(api, 'maud')}"}
    for path in ("/v1/tokens", f"/v1/organizations/{SLUG}/webhook"):
        assert (await api.client.get(path, headers=reviewer)).status_code == 403
    secret = (await api.client.get(f"/v1/organizations/{SLUG}/webhook")).json()
    assert secret["webhook_secret"].startswith("whsec_")
    assert (await api.client.get("/v1/organizations/teazel/webhook")).status_code == 404


async def test_a_token_is_told_with_its_owner(api: Api) -> None:
    """The answer names the user that it opens for, whatever the order called that one."""
    made = await api.client.post("/v1/users", json={"name": "Vera"})
    body = {"user": "Somebody", "user_id": made.json()["id"]}
    assert (await api.client.post("/v1/tokens", json=body)).json()["user"] == "Vera"


async def test_a_token_is_for_somebody_with_a_name(api: Api) -> None:
    """A name of nothing but blanks is refused as it is for users, not a fault of the engine."""
    body = {"user": "  ", "role": "reviewer", "organization": SLUG}
    assert (await api.client.post("/v1/tokens", json=body)).status_code == 422
    assert (await api.client.post("/v1/tokens", json=body | {"user": " maud "})).json()[
        "user"
    ] == "maud"
