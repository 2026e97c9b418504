"""Where an agent is reached, and how it listens there, is what its manifest says."""

import httpx
import pytest
import yaml

from tests.agents.conftest import Office, Talking


async def _configure(somebody: Talking, slug: str, **changed: object) -> None:
    text = (await somebody.get(f"/agents/{slug}/manifest")).text
    body = {"manifest": yaml.safe_dump(yaml.safe_load(text) | changed), "reason": "elsewhere"}
    path = f"/v1/{somebody.line.workspace.slug}/agents/{slug}"
    done = await somebody.client.put(path, json=body)
    assert done.is_success, done.text


@pytest.mark.parametrize(
    ("channels", "window", "program"),
    [
        (["chat", "api"], True, True),
        (["chat"], True, False),
        (["api"], False, True),
        ([], True, True),
    ],
)
async def test_an_agent_is_reached_where_its_manifest_says(
    office: Office, channels: list[str], *, window: bool, program: bool
) -> None:
    """Elsewhere it is neither offered nor answers."""
    ida = await office.sign_in("Ida")
    await _configure(ida, "desk", channels=channels)
    begun = await ida.post("/chats", {"agent": "desk"})
    assert (begun.status_code == httpx.codes.OK) is window, begun.text
    offered = [model["id"] for model in (await ida.client.get("/v1/models")).json()["data"]]
    model = f"{ida.line.workspace.slug}/desk"
    assert (model in offered) is program
    asked = {"model": model, "messages": [{"role": "user", "content": "What waits?"}]}
    answer = await ida.client.post("/v1/chat/completions", json=asked)
    assert answer.is_success is program


async def test_it_comes_into_a_chat_of_several_as_its_manifest_says(office: Office) -> None:
    """Whoever lets it in may say otherwise; in a chat alone it needs no mention."""
    ida = await office.sign_in("Ida")
    await _configure(ida, "desk", listening={"organization": "proactive", "group": "silent"})
    for kind, expected in (
        ("organization", "proactive"),
        ("group", "silent"),
        ("direct", "proactive"),
    ):
        chat = (await ida.post("/chats", {"agent": "desk", "kind": kind})).json()["id"]
        (agent,) = [
            member
            for member in (await ida.get(f"/chats/{chat}")).json()["members"]
            if member["kind"] == "agent"
        ]
        assert agent["listening"] == expected
    chat = (await ida.post("/chats", {"agent": "librarian", "kind": "organization"})).json()["id"]
    path = f"/v1/{ida.line.workspace.slug}/chats/{chat}/members"
    orders: list[tuple[dict[str, str], str]] = [
        ({}, "proactive"),
        ({"listening": "mention"}, "mention"),
    ]
    for body, expected in orders:
        admitted = await ida.client.put(path, json={"kind": "agent", "member_id": "desk"} | body)
        listening = {one["member_id"]: one.get("listening") for one in admitted.json()["items"]}
        assert listening["desk"] == expected
