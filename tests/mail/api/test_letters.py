"""A new mail to an address that never wrote, over HTTP: begun, approved, sent and answered."""

from email import message_from_bytes
from email.policy import default

from data.records.mail.orders import Approve
from tests.core.api.fixtures import Api
from tests.core.small import ADDRESS
from tests.mail.api.test_attachments import PRICES, attach, files_of, send_to_sink

TO = "Nora@Alder.example"


DISCLOSURE = "This was prepared with the help of software."


async def begin(api: Api, **more: object) -> dict[str, object]:
    """Begin a mail to somebody new; return its case."""
    given = {"to": TO, "name": "Nora Alder", "subject": "Loom for your school"} | more
    answer = await api.post("/letters", given)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_letter_is_begun_written_and_sent(api: Api) -> None:
    """To that address alone, with no Re and no ids of others; as it was approved.

    That software helped is not said, because none did.
    """
    told = {"disclosure": {"en": DISCLOSURE}}
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update=told)
    case = await begin(api)
    (begun,) = case["revisions"]  # type: ignore[misc]
    assert begun["draft"]["body"].startswith("Hello")
    assert DISCLOSURE not in begun["draft"]["body"]
    path = f"/cases/{case['id']}"
    assert (case["recipients"], case["state"]) == ([TO], "in_review")
    assert case["messages"] == []
    (line,) = (await api.get("/queue")).json()["items"]
    assert (line["case_id"], line["again"], line["contact"]["email"]) == (case["id"], True, TO)
    unwritten = {"version": case["version"], "approval_hash": case["approval_hash"]}
    refused = await api.post(f"{path}/approve", unwritten)
    assert "nothing is written" in refused.json()["error"]["message"]

    shown = (await attach(api, str(case["id"]), "prices.csv", PRICES)).json()
    order = {"version": shown["version"], "bcc": ["audit@lab.example"]}
    shown = (await api.post(f"{path}/copies", order)).json()
    text = {"subject": "Loom for your school", "body": "Hello Nora,\n\nthe loom is ready.\n"}
    preview = (await api.post(f"{path}/preview", text)).json()
    assert "Subject: Loom for your school\n" in preview["reply_preview"]
    given = Approve(
        version=shown["version"], approval_hash=preview["approval_hash"], confirmed=True, **text
    )
    approved = await api.post(f"{path}/approve", given.model_dump(mode="json"))
    assert approved.status_code == 200, approved.text
    message = await send_to_sink(api)
    assert message.rcpt_to == [TO, "audit@lab.example"]
    parsed = message_from_bytes(message.content, policy=default)
    assert parsed["Subject"] == "Loom for your school"
    assert parsed["To"] == TO
    assert (parsed["In-Reply-To"], parsed["References"], parsed["Bcc"]) == (None, None, None)
    assert files_of(message.content) == [("prices.csv", PRICES)]
    assert (await api.get(path)).json()["state"] == "sent"


async def test_an_answer_joins_the_conversation_that_was_begun(api: Api) -> None:
    """Its sender is the contact that the letter made, and its case shows what we wrote."""
    case = await begin(api, body="Hello Nora,\n\nthe loom is ready.\n")
    given = Approve(
        version=int(str(case["version"])), approval_hash=str(case["approval_hash"]), confirmed=True
    )
    assert (
        await api.post(f"/cases/{case['id']}/approve", given.model_dump(mode="json"))
    ).is_success
    sent = message_from_bytes((await send_to_sink(api)).content)
    raw = (
        f"From: Nora Alder <{TO.lower()}>\r\nTo: {ADDRESS}\r\nSubject: Re: {sent['Subject']}\r\n"
        "Date: Mon, 02 Mar 2026 09:59:00 +0000\r\nMessage-ID: <a1@alder.example>\r\n"
        f"In-Reply-To: {sent['Message-ID']}\r\nReferences: {sent['Message-ID']}\r\n\r\n"
        "Thank you. When is the workshop open?\r\n"
    ).encode()
    api.line.send("", raw=raw, sender=TO.lower())
    await api.line.run()
    (line,) = (await api.get("/queue")).json()["items"]
    answer = (await api.get(f"/cases/{line['case_id']}")).json()
    thread = case["thread"]
    assert isinstance(thread, dict)
    assert answer["thread"]["id"] == thread["id"]
    assert [one["outbound"] for one in answer["thread"]["entries"]] == [True, False]
    contacts = await api.line.rows("SELECT email FROM contacts WHERE email LIKE '%alder.example'")
    assert len(contacts) == 1
    threads = (await api.get("/threads")).json()["items"]
    assert [one["id"] for one in threads] == [thread["id"]]


async def test_a_second_letter_names_the_first(api: Api) -> None:
    """Written once more without an answer, it continues what we wrote ourselves."""
    case = await begin(api, body="Hello Nora,\n\nthe loom is ready.\n")
    given = Approve(
        version=int(str(case["version"])), approval_hash=str(case["approval_hash"]), confirmed=True
    )
    await api.post(f"/cases/{case['id']}/approve", given.model_dump(mode="json"))
    first = message_from_bytes((await send_to_sink(api)).content)
    sent = (await api.get(f"/cases/{case['id']}")).json()
    again = (await api.post(f"/cases/{case['id']}/again", {"version": sent["version"]})).json()
    assert again["recipients"] == [TO]
    text = {"subject": again["revisions"][0]["draft"]["subject"], "body": "Hello again.\n"}
    preview = (await api.post(f"/cases/{again['id']}/preview", text)).json()
    order = Approve(
        version=again["version"], approval_hash=preview["approval_hash"], confirmed=True, **text
    )
    await api.post(f"/cases/{again['id']}/approve", order.model_dump(mode="json"))
    second = message_from_bytes((await send_to_sink(api)).content)
    assert second["In-Reply-To"] == first["Message-ID"]
    assert second["Subject"] == f"Re: {first['Subject']}"


async def test_what_cannot_be_written_to_is_refused(api: Api) -> None:
    """Nothing is made of it: no contact, no conversation, no case."""
    for wrong in (
        {"to": "nobody"},
        {"to": ADDRESS},
        {"to": "nö@alder.example"},
        {"to": f"{TO}, other@alder.example"},
        {"to": TO, "subject": " \n "},
        {"to": TO, "cc": ["nobody"]},
        {"to": TO, "bcc": [TO]},
    ):
        refused = await api.post("/letters", {"subject": "Loom"} | wrong)
        assert refused.status_code == 422, wrong
    assert await api.line.rows("SELECT id FROM cases") == []
    assert await api.line.rows("SELECT id FROM threads") == []
    assert await api.line.rows("SELECT id FROM contacts WHERE email LIKE '%alder%'") == []


async def test_a_letter_is_closed_given_and_not_passed_on(api: Api) -> None:
    """What is done with cases is done with it too; it holds no mail that a colleague could get."""
    case = await begin(api)
    path = f"/cases/{case['id']}"
    asked = await api.post(f"{path}/forward/preview", {"to": "ida@teasel.example", "note": ""})
    assert "no mail" in asked.json()["barred"]
    for what in ("part", "join", "retry"):
        order = {"version": case["version"], "branches": ["b"]}
        order = order if what == "part" else {"version": case["version"]}
        assert (await api.post(f"{path}/{what}", order)).status_code in (404, 409), what
    given = {"version": case["version"], "assignee": "ida@teasel.example"}
    after = (await api.post(f"{path}/reassign", given)).json()
    assert after["item"]["assignee"] == "ida@teasel.example"
    closed = await api.post(f"{path}/archive", {"version": after["version"], "note": ""})
    assert closed.json()["state"] == "archived"
    back = await api.post(f"{path}/reopen")
    assert (back.status_code, back.json()["state"]) == (200, "in_review")
