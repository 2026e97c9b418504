"""A case whose reply cannot be composed is read, rejected and closed as others are."""

import pytest

from tests.core.api.fixtures import Api
from tests.core.small import ADDRESS

HEAD = "To: {to}\r\nDate: Mon, 02 Mar 2026 09:59:00 +0000\r\nMessage-ID: <7@heron.example>\r\n"
ODD = [
    "From: Mära <mära@heron.example>\r\nSubject: Opening hours\r\n",
    "From: Mara <mara@heron.example>\r\nReply-To: mära@heron.example\r\nSubject: Hours\r\n",
    "From: =?utf-8?q?J=C3=B6rg?= <jörg.β@heron.example>\r\nSubject: Heures d'ouverture\r\n",
    "From: 山田 <山田@heron.example>\r\nReply-To: other@elsewhere.example\r\nSubject: Hours\r\n",
]


async def waiting(api: Api, head: str) -> dict[str, object]:
    """Return the case that a message with these fields, in raw UTF-8, becomes."""
    raw = (head + HEAD.format(to=ADDRESS) + "\r\nWhen is the workshop open?\r\n").encode()
    api.line.send("", raw=raw)
    await api.line.run()
    (item,) = (await api.get("/queue")).json()["items"]
    answer = await api.get(f"/cases/{item['case_id']}")
    assert answer.status_code == 200, answer.text
    view: dict[str, object] = answer.json()
    return view


@pytest.mark.parametrize("head", ODD)
async def test_it_is_read_and_rejected(api: Api, head: str) -> None:
    """The reviewer reads why nothing can leave; a rejection of the draft ends it."""
    case = await waiting(api, head)
    assert case["approval_hash"] == ""
    assert "SMTPUTF8" in str(case["recipient_reason"])
    given = {"version": case["version"], "reason": "should_not_reply", "note": "answered by hand"}
    answer = await api.post(f"/cases/{case['id']}/reject", given)
    assert answer.status_code == 200, answer.text
    assert answer.json()["state"] == "archived"


async def test_it_is_closed(api: Api) -> None:
    """An edit is refused with the reason, which is no fault of the engine; closing works."""
    case = await waiting(api, ODD[0])
    text = {"subject": "Re: Hours", "body": "We are open until 16:30."}
    answer = await api.post(f"/cases/{case['id']}/preview", text)
    assert answer.status_code == 409
    assert "SMTPUTF8" in answer.text
    given = {"version": case["version"], "note": "by hand"}
    answer = await api.post(f"/cases/{case['id']}/archive", given)
    assert (answer.status_code, answer.json()["state"]) == (200, "archived")


async def test_a_text_that_cannot_be_sent_is_refused_as_the_text(api: Api) -> None:
    """A control letter in an edit is the edit's fault: 422, and the case stays as it is."""
    api.line.send("When is the workshop open?")
    await api.line.run()
    (item,) = (await api.get("/queue")).json()["items"]
    path = f"/cases/{item['case_id']}"
    answer = await api.post(f"{path}/preview", {"subject": "Re: Hours", "body": "Until\x07 16:30."})
    assert answer.status_code == 422
    assert "U+0007" in answer.text
    assert (await api.get(path)).json()["approval_hash"]
