"""Files of our own on a reply, over HTTP: attached, signed, sent as they are, and taken off."""

from email import message_from_bytes
from email.message import Message
from email.policy import default
from hashlib import sha256

import httpx
import pytest

from connectors.outbound import SmtpTransport
from data.records.mail.orders import Approve
from flows.delivery import delivery_batch
from flows.mail.line.mailroom import mailroom_of
from flows.upkeep import tidy
from tests.core.api.fixtures import Api
from tests.core.reading.pictures import many_pages, picture
from tests.core.small import CUSTOMER, SLUG
from tests.mail.gate.sink import Received, Sink

PRICES = "Öl;12,50\r\nGarn;3,00\n".encode()
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40 + b"\n.\r\n..\r\nFrom here\n"
LONG = "Übersicht über die Preise der Webstühle für die Werkstatt in Köln, Stand März 2026.png"


async def before_a_person(api: Api) -> str:
    """Let a letter of a customer come in; return its case."""
    api.line.send("When is the workshop open?")
    await api.line.run()
    (line,) = (await api.get("/queue")).json()["items"]
    return str(line["case_id"])


async def attach(api: Api, case: str, name: str, content: bytes) -> httpx.Response:
    """Attach a file to the letter of a case as it is now."""
    shown = (await api.get(f"/cases/{case}")).json()
    return await api.client.post(
        f"/v1/{SLUG}/cases/{case}/attachments",
        params={"version": shown["version"], "name": name},
        content=content,
    )


async def approve(api: Api, case: str) -> httpx.Response:
    """Approve the letter of a case as it is now."""
    shown = (await api.get(f"/cases/{case}")).json()
    given = Approve(version=shown["version"], approval_hash=shown["approval_hash"])
    return await api.post(f"/cases/{case}/approve", given.model_dump(mode="json"))


async def send_to_sink(api: Api) -> Received:
    """Let what was approved leave over SMTP; return what a server took."""
    async with Sink() as sink:
        mailroom_of(api.line.house).transport = SmtpTransport(
            "127.0.0.1", sink.port, hostname="postern.example", tls="none"
        )
        assert await delivery_batch(api.line.house, api.line.workspace) == 1
    assert sink.violations == []
    (message,) = sink.messages
    return message


def files_of(raw: bytes) -> list[tuple[str, bytes]]:
    """Return name and bytes of every attachment, as the library's newest parser reads them."""
    parsed = message_from_bytes(raw, policy=default)
    return [(str(part.get_filename()), decoded(part)) for part in parsed.iter_attachments()]  # type: ignore[attr-defined]


def decoded(part: Message) -> bytes:
    """Return the bytes of a part."""
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


async def test_what_was_attached_is_what_arrives(api: Api) -> None:
    """Names of any length and script, and every byte; the text is there, and the hash changed."""
    case = await before_a_person(api)
    before = (await api.get(f"/cases/{case}")).json()
    assert (await attach(api, case, "prices.csv", PRICES)).status_code == 200
    shown = (await attach(api, case, LONG, PICTURE)).json()
    assert [one["filename"] for one in shown["attachments"]] == ["prices.csv", LONG]
    assert shown["attachments"][0]["content_type"] == 'text/csv; charset="utf-8"'
    assert f"Attached: {LONG} (" in shown["reply_preview"]
    assert shown["approval_hash"] != before["approval_hash"]
    stale = Approve(version=shown["version"], approval_hash=before["approval_hash"])
    refused = await api.post(f"/cases/{case}/approve", stale.model_dump(mode="json"))
    assert refused.status_code == 409

    assert (await approve(api, case)).status_code == 200
    (asked,) = (await api.get("/approvals", state="approved")).json()["items"]
    assert "with 2 files" in asked["summary"]
    message = await send_to_sink(api)
    assert files_of(message.content) == [("prices.csv", PRICES), (LONG, PICTURE)]
    whole = message_from_bytes(message.content, policy=default)
    text = whole.get_body(("plain",))  # type: ignore[attr-defined]
    assert "09:00 to 16:30" in text.get_content()
    assert text["Content-Type"].params["charset"] == "utf-8"
    assert whole.get_content_type() == "multipart/mixed"

    (line,) = (await api.get("/outbox")).json()["items"]
    assert [one["filename"] for one in line["attachments"]] == ["prices.csv", LONG]
    for name, content in (("prices.csv", PRICES), (LONG, PICTURE)):
        path = f"/deliveries/{line['id']}/attachments/{sha256(content).hexdigest()}"
        opened = await api.get(path)
        assert opened.content == content, name
        assert opened.headers["Content-Security-Policy"] == "sandbox"


async def test_a_file_is_frozen_by_the_approval_and_back_by_undo(api: Api) -> None:
    """After the approval none is added or taken off; taken back, the case has them as before."""
    case = await before_a_person(api)
    shown = (await attach(api, case, "prices.csv", PRICES)).json()
    (file,) = shown["attachments"]
    assert (await approve(api, case)).status_code == 200
    assert (await attach(api, case, "more.txt", b"more")).status_code == 409
    now = (await api.get(f"/cases/{case}")).json()
    path = f"/cases/{case}/attachments/{file['id']}/remove"
    frozen = await api.post(path, {"version": now["version"]})
    assert frozen.status_code == 409

    await api.post(f"/deliveries/{now['delivery_id']}/cancel")
    back = (await api.get(f"/cases/{case}")).json()
    assert [one["id"] for one in back["attachments"]] == [file["id"]]
    off = await api.post(path, {"version": back["version"]})
    assert off.json()["attachments"] == []
    assert "Attached" not in off.json()["reply_preview"]
    events = (await api.get("/audit")).json()["items"]
    actions = [event["action"] for event in events]
    assert "attach-file" in actions
    assert "detach-file" in actions


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("setup.exe", b"MZ", "policy blocks"),
        ("invoice.pdf", b"MZ\x90\x00\x03", "is a program"),
        ("invoice.html", b"<html><form><input type=password>", "asks for input"),
        ("gnp.\u202efdp.exe", b"MZ", "no name"),
        ("", b"something", "name"),
        ("empty.txt", b"", "empty"),
        ("a" * 200 + ".txt", b"text", "shorten"),
    ],
)
async def test_what_is_dangerous_or_unfit_is_refused(
    api: Api, name: str, content: bytes, why: str
) -> None:
    """The rules of incoming mail judge it; the letter stays as it was."""
    case = await before_a_person(api)
    refused = await attach(api, case, name, content)
    assert refused.status_code == 422
    assert why in refused.json()["error"]["message"]
    assert (await api.get(f"/cases/{case}")).json()["attachments"] == []


async def test_count_size_and_sum_are_bounded(api: Api) -> None:
    """Each bound is the setting's; too large a body is not even read."""
    bounds = {"letter_files": 2, "letter_file_mb": 1, "letter_total_mb": 1}
    api.line.house.settings = api.line.house.settings.model_copy(update=bounds)
    case = await before_a_person(api)
    large = await attach(api, case, "large.bin", bytes(1_000_001))
    assert large.status_code == 413
    assert "may have 1 MB" in large.json()["error"]["message"]
    assert (await attach(api, case, "one.bin", bytes(600_000))).status_code == 200
    again = await attach(api, case, "one.bin", bytes(600_000))
    assert "already" in again.json()["error"]["message"]
    second = await attach(api, case, "two.bin", bytes(600_001))
    assert second.status_code == 422
    assert "together" in second.json()["error"]["message"]
    assert (await attach(api, case, "small.txt", b"small")).status_code == 200
    third = await attach(api, case, "third.txt", b"third")
    assert "2 files" in third.json()["error"]["message"]


async def test_secrets_in_a_file_are_a_warning(api: Api) -> None:
    """A person is told, and may send it all the same."""
    case = await before_a_person(api)
    text = b"For the door:\nthe password is: Gr8-Loom!77\n"
    shown = (await attach(api, case, "door.txt", text)).json()
    (file,) = shown["attachments"]
    assert any("password" in warning for warning in file["warnings"])
    assert (await approve(api, case)).status_code == 200


async def test_a_mark_of_private_context_keeps_a_file_out(api: Api) -> None:
    """Who attaches what holds the canary is refused, and the audit log has it."""
    case = await before_a_person(api)
    text = f"Internal notes {api.line.workspace.canary}".encode()
    refused = await attach(api, case, "notes.txt", text)
    assert refused.status_code == 422
    assert "private context" in refused.json()["error"]["message"]


async def test_upkeep_leaves_no_file_that_nobody_names(api: Api) -> None:
    """What was taken off goes after a day, and what was never wholly attached; not the others'."""
    case = await before_a_person(api)
    await attach(api, case, "stays.txt", b"stays")
    await attach(api, case, "goes.txt", b"goes")
    shown = (await attach(api, case, "stays as well.txt", b"goes")).json()
    archive = api.line.workspace.archive
    for file in shown["attachments"][1:]:
        version = (await api.get(f"/cases/{case}")).json()["version"]
        path = f"/cases/{case}/attachments/{file['id']}/remove"
        await api.post(path, {"version": version})
        await tidy(api.line.house, api.line.workspace)
        assert archive.path(file["sha256"]).exists()
    api.line.clock.forward(2 * 86_400)
    await tidy(api.line.house, api.line.workspace)
    assert not archive.path(sha256(b"goes").hexdigest()).exists()
    assert archive.path(sha256(b"stays").hexdigest()).exists()
    names = {one["filename"] for one in (await api.get(f"/cases/{case}")).json()["attachments"]}
    assert names == {"stays.txt"}
    left = await api.line.rows("SELECT filename FROM attached_files")
    assert [row["filename"] for row in left] == ["stays.txt"]


async def test_a_reply_with_files_never_leaves_by_itself(api: Api) -> None:
    """Worked on again, a case with files waits for a person, and says why."""
    case = await before_a_person(api)
    await attach(api, case, "prices.csv", PRICES)
    await api.post(f"/cases/{case}/retry")
    await api.line.run()
    again = (await api.get(f"/cases/{case}")).json()
    assert [one["filename"] for one in again["attachments"]] == ["prices.csv"]
    gates = {gate["name"]: gate["passed"] for gate in again["decision"]["gates"]}
    assert gates["recipient"] is False


async def test_newer_mail_takes_the_files_over(api: Api) -> None:
    """The case that answers both messages carries what was attached to the first's letter."""
    case = await before_a_person(api)
    await attach(api, case, "prices.csv", PRICES)
    api.line.send("And what does the inspection of a loom cost?")
    await api.line.run()
    (line,) = (await api.get("/queue")).json()["items"]
    assert line["case_id"] != case
    fresh = (await api.get(f"/cases/{line['case_id']}")).json()
    assert [one["filename"] for one in fresh["attachments"]] == ["prices.csv"]
    assert fresh["recipients"] == [CUSTOMER]


async def test_files_of_ours_are_drawn_before_they_leave_and_after(api: Api) -> None:
    """A picture and a page of a PDF as PNG; a table has no preview, and says why."""
    case = await before_a_person(api)
    for name, content in (
        ("loom.jpg", picture("JPEG")), ("plan.pdf", many_pages(2)), ("prices.csv", PRICES),
    ):  # fmt: skip
        assert (await attach(api, case, name, content)).status_code == 200
    shown = (await api.get(f"/cases/{case}")).json()["attachments"]
    paths = [f"/cases/{case}/attachments/{file['id']}/preview" for file in shown]
    photo = await api.get(paths[0])
    assert (photo.status_code, photo.content[:4]) == (200, b"\x89PNG")
    assert "sandbox" in photo.headers["content-security-policy"]
    plan = await api.get(paths[1], page=2)
    assert (plan.status_code, plan.headers["postern-pages"]) == (200, "2")
    assert (await api.get(paths[2])).status_code == 422
    assert (await api.get(f"/cases/{case}/attachments/nothing/preview")).status_code == 404
    delivery = (await approve(api, case)).json()["delivery_id"]
    after = f"/deliveries/{delivery}/attachments/{shown[0]['sha256']}/preview"
    assert (await api.get(after)).content == photo.content
    missing = await api.get(f"/deliveries/{delivery}/attachments/{'0' * 64}/preview")
    assert missing.status_code == 404
