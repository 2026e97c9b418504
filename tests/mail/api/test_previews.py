"""Attachments drawn over HTTP: the picture is ours, and what has none is a sentence."""

from email.message import EmailMessage

from connectors.document_pool import DocumentPool
from flows.mail.line.mailroom import mailroom_of
from tests.core.api.fixtures import Api
from tests.core.reading.pictures import SVG, bomb_picture, many_pages, picture
from tests.core.small import ADDRESS, CUSTOMER
from tests.mail.api.test_guarding import ATTACK


async def paths_of(api: Api, text: str, *files: tuple[str, bytes]) -> list[str]:
    """Let a mail with files come in; return the path of each of its attachments."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = CUSTOMER, ADDRESS, "Two files"
    letter["Message-ID"] = "<files@quill.example>"
    letter.set_content(text)
    for name, content in files:
        letter.add_attachment(content, maintype="image", subtype="png", filename=name)
    item = api.line.send("", raw=letter.as_bytes())
    await api.line.run()
    shown = (await api.get(f"/messages/{item}")).json()
    return [f"/messages/{item}/attachments/{entry['sha256']}" for entry in shown["attachments"]]


async def test_a_picture_and_the_pages_of_a_pdf_come_inert(api: Api) -> None:
    """As PNG that is never guessed to be something else, with the number of the pages."""
    photo, plan = await paths_of(
        api, "See both.", ("a.png", picture("JPEG")), ("b.png", many_pages(3))
    )
    drawn = await api.get(f"{photo}/preview")
    assert drawn.status_code == 200
    assert drawn.content.startswith(b"\x89PNG\r\n\x1a\n")
    assert drawn.headers["content-type"] == "image/png"
    assert drawn.headers["x-content-type-options"] == "nosniff"
    assert drawn.headers["content-disposition"] == "inline"
    assert "sandbox" in drawn.headers["content-security-policy"]
    assert drawn.headers["postern-pages"] == "1"
    pages = [await api.get(f"{plan}/preview", page=number) for number in (1, 2)]
    assert [page.headers["postern-pages"] for page in pages] == ["3", "3"]
    assert pages[0].content != pages[1].content
    beyond = await api.get(f"{plan}/preview", page=4)
    assert beyond.status_code == 422
    assert "3 pages" in beyond.json()["error"]["message"]


async def test_what_has_no_preview_says_why(api: Api) -> None:
    """An SVG that is called a PNG, a bomb, and a file that is not there."""
    script, bomb = await paths_of(api, "Look.", ("logo.png", SVG), ("b.png", bomb_picture()))
    for path, words in ((script, "no preview of this file"), (bomb, "may be a bomb")):
        answer = await api.get(f"{path}/preview")
        assert answer.status_code == 422
        assert words in answer.json()["error"]["message"]
    assert (await api.get(f"{script[:-8]}00000000/preview")).status_code == 404


async def test_what_takes_too_much_memory_is_refused_and_the_next_is_drawn(api: Api) -> None:
    """Its process ends; nothing else does."""
    wide, small = await paths_of(
        api, "Both.", ("a.png", picture("PNG", 8000, 7000)), ("b.png", picture("PNG"))
    )
    mailroom_of(api.line.house).documents = DocumentPool(cpu_seconds=10, memory_mb=200)
    refused = await api.get(f"{wide}/preview")
    assert refused.status_code == 422
    assert "more time or memory" in refused.json()["error"]["message"]
    assert (await api.get(f"{small}/preview")).status_code == 200


async def test_files_of_held_mail_are_not_drawn(api: Api) -> None:
    """What the screen stopped shows none; released, its picture is drawn."""
    (path,) = await paths_of(api, ATTACK, ("a.png", picture("PNG")))
    item = path.split("/")[2]
    assert await api.line.status(item) == "quarantined"
    held = await api.get(f"{path}/preview")
    assert held.status_code == 422
    assert "holds this message" in held.json()["error"]["message"]
    assert (await api.post(f"/messages/{item}/release")).status_code == 200
    assert (await api.get(f"{path}/preview")).status_code == 200
