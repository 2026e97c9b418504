"""What people send has a bound, and what is refused says why without repeating it."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from data.records.mail.orders import LONGEST_BODY
from flows.api.core.bodies import LARGEST_REQUEST
from tests.core.api.fixtures import Api, Case
from tests.core.small import SLUG, api_over

BY_ADMINISTRATORS = {"Organization", "Person", "Dkim", "EditProfile"}
"""Forms whose texts the size of the request alone bounds: profiles, which only they write."""
BOUNDS = ("maxLength", "enum", "const", "format", "pattern")


def unbounded(api: Mapping[str, Any]) -> Iterator[str]:
    """Give every text and list that a request may hold without a limit of its own."""
    forms: dict[str, Any] = api["components"]["schemas"]
    known: set[str] = set()

    def walk(schema: Mapping[str, Any], place: str) -> Iterator[str]:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            if name not in known and name not in BY_ADMINISTRATORS:
                known.add(name)
                yield from walk(forms[name], name)
        for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from walk(choice, place)
        if schema.get("type") == "string" and not any(bound in schema for bound in BOUNDS):
            yield place
        for name, field in schema.get("properties", {}).items():
            yield from walk(field, f"{place}.{name}")
        if schema.get("type") == "array":
            if "maxItems" not in schema:
                yield f"{place}[]"
            yield from walk(schema["items"], f"{place}[]")

    for path, calls in api["paths"].items():
        for method, call in calls.items():
            for content in call.get("requestBody", {}).get("content", {}).values():
                yield from walk(content["schema"], f"{method} {path}")


async def test_every_text_that_a_person_may_send_has_a_limit(api: Api) -> None:
    """No field of an order is without a greatest length, nor a list without a greatest number."""
    form = api_over(api.line.house).openapi()
    assert "Approve" in form["components"]["schemas"]
    assert list(unbounded(form)) == []


async def test_a_reply_of_a_megabyte_is_taken_and_a_longer_one_is_not(api: Api, case: Case) -> None:
    """At the limit it is checked as any text; a letter more is 422 with field and limit."""
    path = f"/cases/{case['id']}/preview"
    words = ("We are open on Mondays.\n" * (LONGEST_BODY // 24 + 1))[:LONGEST_BODY]
    taken = await api.post(path, {"subject": "Re: hours", "body": words})
    assert taken.status_code == 200
    refused = await api.post(path, {"subject": "Re: hours", "body": words + "x"})
    assert refused.status_code == 422
    message = refused.json()["error"]["message"]
    assert message.startswith("body: ")
    assert str(LONGEST_BODY) in message
    assert len(refused.content) < 500


async def test_a_request_beyond_any_order_is_refused_unread(api: Api) -> None:
    """Its stated length is enough, and one without a length is asked for it."""
    size = str(LARGEST_REQUEST + 1)
    large = await api.client.post(
        f"/v1/{SLUG}/stop", content=b"{}", headers={"Content-Length": size}
    )
    assert (large.status_code, large.json()["error"]["kind"]) == (422, "TooLargeError")
    assert size in large.json()["error"]["message"]

    async def pieces() -> AsyncIterator[bytes]:
        yield b"{}"

    chunked = await api.client.post(f"/v1/{SLUG}/stop", content=pieces())
    assert chunked.status_code == 422
    assert "Content-Length" in chunked.json()["error"]["message"]


async def test_a_wrong_form_says_which_field(api: Api, case: Case) -> None:
    """What is missing is named, in the shape of every error."""
    answer = await api.post(f"/cases/{case['id']}/reject", {"version": case["version"]})
    assert answer.json()["error"] == {"kind": "WrongFormError", "message": "reason: Field required"}
