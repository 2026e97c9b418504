"""Odd messages with what a careful person would read out of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

HEAD = (
    "From: Ada <ada@engine.example>\r\nTo: desk@postern.example\r\nSubject: Gears\r\n"
    "Date: Tue, 02 Jan 2024 10:00:00 +0100\r\nMessage-ID: <1@engine.example>\r\n"
)
WHEN = "2024-01-02T09:00:00+00:00"


@dataclass
class Truth:
    """One message and the fields that it has; fields that are not named are not asked for."""

    name: str
    raw: bytes
    fields: dict[str, object] = field(default_factory=dict)
    """`subject`, `sender`, `sender_name`, `to`, `date`, `message_id`, `text`, `files`."""


def _with(line: str, body: str = "x", codec: str = "utf-8", **fields: object) -> Truth:
    """Return a message whose header has a line instead of its own, or more."""
    name = line.partition(":")[0].lower()
    kept = [one for one in HEAD.split("\r\n")[:-1] if not one.lower().startswith(f"{name}:")]
    raw = "\r\n".join([*kept, line, "", body]).encode(codec)
    return Truth(line[:60], raw, fields)


def _body(header: str, body: bytes | str, **fields: object) -> Truth:
    octets = body.encode() if isinstance(body, str) else body
    return Truth(header[:60], f"{HEAD}{header}\r\n\r\n".encode() + octets, fields)


def _parts(*parts: str, kind: str = "mixed", **fields: object) -> Truth:
    inside = "".join(f"--b\r\n{part}\r\n" for part in parts)
    raw = f"{HEAD}Content-Type: multipart/{kind}; boundary=b\r\n\r\n{inside}--b--\r\n".encode()
    return Truth(parts[-1][:60], raw, fields)


def truths() -> Iterator[Truth]:
    """Yield every message of the set."""
    yield from _senders()
    yield from _subjects()
    yield from _dates_and_ids()
    yield from _bodies()
    yield from _multiparts()
    yield from _files()


def _senders() -> Iterator[Truth]:
    ada = "ada@engine.example"
    yield Truth("regular", f"{HEAD}\r\nx".encode(), {
        "sender": ada, "sender_name": "Ada", "to": ["desk@postern.example"], "subject": "Gears",
        "date": WHEN, "message_id": "<1@engine.example>", "text": "x", "files": [],
    })  # fmt: skip
    yield _with(f'From: "Lovelace, Ada" <{ada}>', sender=ada, sender_name="Lovelace, Ada")
    yield _with(f"From: {ada} (Ada)", sender=ada)
    yield _with(f"From: =?utf-8?q?Ad=C3=A4?= <{ada}>", sender=ada, sender_name="Adä")
    yield _with(f'From: "=?utf-8?q?Ad=C3=A4?=" <{ada}>', sender=ada, sender_name="Adä")
    yield _with(f"From: =?utf-8?q?x=40y.example?= <{ada}>", sender=ada, sender_name="x@y.example")
    yield _with(f'From: "boss@bank.example" <{ada}>', sender=ada, sender_name="boss@bank.example")
    yield _with(f"From: =?utf-8?b?QWTDpA?= <{ada}>", sender=ada, sender_name="Adä")
    yield _with(f"From: =?utf-8?q?A=0D=0ABcc=20x?= <{ada}>", sender=ada)
    yield _with(f"From: Adä <{ada}>", codec="latin-1", sender=ada, sender_name="Adä")
    yield _with("From: <Ada.L@Engine.EXAMPLE>", sender="Ada.L@engine.example")
    yield _with('From: "a b"@engine.example', sender='"a b"@engine.example')
    yield _with("From:", sender=None)
    yield _with("From: a@x.example, b@y.example", sender=None)
    yield _with("From: a@x.example <b@y.example", sender=None)
    yield _with(f"From: a@x.example\r\nFrom: {ada}", sender=None)
    yield _with("To: undisclosed-recipients:;", to=[])
    yield _with("To: team: a@x.example, b@y.example;", to=["a@x.example", "b@y.example"])
    yield _with('To: "a, b" <c@x.example>,\r\n d@x.example', to=["c@x.example", "d@x.example"])


def _subjects() -> Iterator[Truth]:
    yield _with("Subject: a\r\n folded\r\n\tline", subject="a folded line")
    yield _with("Subject: =?utf-8?q?Gr=C3?= =?utf-8?q?=BC=C3=9Fe?=", subject="Grüße")
    yield _with("Subject: =?utf-8?b?R3LDvMOfZQ?=", subject="Grüße")
    yield _with(
        "Subject: =?iso-8859-1?q?K=F6ln?= und =?utf-8?b?TcO8bmNoZW4=?=", subject="Köln und München"
    )
    yield _with("Subject: a=?utf-8?q?b?=c", subject="abc")
    yield _with("Subject: =?utf-8?q?two words?=", subject="two words")
    yield _with("Subject: =?klingon?q?abc?=", subject="abc")
    yield _with("Subject: =?windows-1252?q?=93hi=94?=", subject="“hi”")
    yield _with("Subject: =?iso-8859-1?q?=93hi=94?=", subject="“hi”")
    yield _with("Subject: =?utf-8*en?q?hi?=", subject="hi")
    yield _with("Subject: =?utf-8?q?half", subject="half")
    yield _with("Subject: Grüße", subject="Grüße")
    yield _with("Subject: Grüße", codec="latin-1", subject="Grüße")
    yield _with("Subject: Re: \x00gears", subject="Re: gears")
    yield _with("Subject:", subject="")


def _dates_and_ids() -> Iterator[Truth]:
    for written in (
        "Tue, 2 Jan 2024 10:00:00 +0100 (CET)", "2 Jan 24 10:00 +0100", "Tue Jan 2 09:00:00 2024",
        "Tue,  2 Jan 2024 09:00:00 GMT", "Tue, 02 Jan 2024 09:00:00 -0000",
        "Tue, 02 Jan 2024 04:00:00 EST", "Mon, 2 Jan 2024 9:0:0 +0000",
    ):  # fmt: skip
        yield _with(f"Date: {written}", date=WHEN)
    for written in ("yesterday", "Tue, 32 Jan 2024 10:00:00 +0100", ""):
        yield _with(f"Date: {written}", date=None)
    yield _with("Date: rubbish\r\nDate: Tue, 2 Jan 2024 09:00:00 +0000", date=WHEN)
    yield _with("Message-ID: <a@b.example>\r\n", message_id="<a@b.example>")
    yield _with("Message-ID:\r\n <a@b.example>", message_id="<a@b.example>")
    yield _with("Message-ID: <a@b.example> (x)", message_id="<a@b.example>")
    yield _with("Message-ID: a@b.example", message_id="<a@b.example>")
    for written in ("<>", "<<<<", ""):
        yield _with(f"Message-ID: {written}", message_id=None)


def _bodies() -> Iterator[Truth]:
    text = "Content-Type: text/plain"
    german = "Die Bestellung für Herrn Müller wurde schön verpackt. Viele Grüße, Jörg Schäfer"
    yield _body(
        f"{text}; charset=iso-8859-1", "Köln – „hier“".encode("cp1252"), text="Köln – „hier“"
    )
    yield _body(f"{text}; charset=koi8-r", "Привет, мир".encode("koi8-r"), text="Привет, мир")
    yield _body(f"{text}; charset=gb2312", "你好世界".encode("gb18030"), text="你好世界")
    yield _body(f"{text}; charset=klingon", "Grüße aus Köln", text="Grüße aus Köln")
    yield _body(text, "Grüße aus Köln", text="Grüße aus Köln")
    yield _body(f"{text}; charset=us-ascii", "Grüße aus Köln", text="Grüße aus Köln")
    yield _body(f"{text}; charset=utf-8", german.encode("latin-1"), text=german)
    yield _body(f'{text}; charset="utf-8"; charset=koi8-r', "Grüße", text="Grüße")
    coded = "Content-Transfer-Encoding"
    yield _body(f"{coded}: base64", "SGVsbG8sIHdvcmxk", text="Hello, world")
    yield _body(f"{coded}: base64", "SGVs*bG8s IHdv\r\ncmxk", text="Hello, world")
    yield _body(f"{coded}: base64", "SGVsbG8sIHdvcmxkX", text="Hello, world")
    yield _body(f"{coded}: BASE64 ; x=y", "SGVsbG8=", text="Hello")
    yield _body(f"{coded}: quoted-printable", "a=\r\nb =3D =C3=BC", text="ab = ü")
    yield _body(f"{coded}: quoted-printable", "50 = 40 =zz", text="50 = 40 =zz")
    yield _body(f"{coded}: nonsense", "plain", text="plain")
    flowed = f"{text}; format=flowed"
    yield _body(flowed, "one \r\ntwo\r\n> three \r\n> four", text="one two\n> three four")
    yield _body(f"{flowed}; delsp=yes", "wo \r\nrd", text="word")
    html = "Content-Type: text/html"
    yield _body(html, "<p>a &lt; b<p>c", text="a < b\n\nc")
    yield _body(html, "<ul><li>a<li>b</ul><blockquote>old</blockquote>", text="- a\n- b\n\n> old")
    yield _body(html, "<p>seen<p style='display:none'>not", text="seen")
    yield _body("Content-Type: rubbish", "plain", text="plain")
    yield _body("Content-Type: text/plain; charset", "plain", text="plain")


def _multiparts() -> Iterator[Truth]:
    plain, html = "\r\nplain words", "Content-Type: text/html\r\n\r\n<p>plain words</p>"
    yield _parts(plain, html, kind="alternative", text="plain words", files=[])
    yield _parts("\r\n \r\n", html, kind="alternative", text="plain words")
    yield _parts(html, kind="alternative", text="plain words")
    yield _parts(plain, "Content-Type: image/png\r\nContent-Disposition: attachment\r\n\r\nx",
                 "\r\nmore", text="plain words\n\nmore")  # fmt: skip
    yield _body("Content-Type: multipart/mixed", "words", text="words")
    yield _body("Content-Type: multipart/mixed; boundary=b", "--b\r\n\r\nwords", text="words")
    yield _body("Content-Type: multipart/mixed; boundary=b", "words", text="words")
    yield _body(
        "Content-Type: multipart/mixed; boundary=b",
        "--b\r\n\r\none\r\n--bb\r\ntwo\r\n--b--\r\n", text="one\n--bb\ntwo",
    )  # fmt: skip
    yield _parts(plain, "Content-Type: message/rfc822\r\n\r\nSubject: y\r\n\r\ninner",
                 text="plain words", subject="Gears")  # fmt: skip
    yield Truth(
        "no blank line", b"Subject: x\r\nhello there\r\n", {"subject": "x", "text": "hello there"}
    )
    yield Truth(
        "mbox line", b"From a@b.example Tue Jan  2 10:00:00 2024\nSubject: x\n\nhi",
        {"subject": "x", "text": "hi"},
    )  # fmt: skip
    yield Truth(
        "bare CR",
        f"{HEAD}\r\nhi".replace("\r\n", "\r").encode(),
        {"subject": "Gears", "text": "hi"},
    )


def _files() -> Iterator[Truth]:
    name = "Angebot für Sie.pdf"
    for parameter in (
        "filename*=utf-8''Angebot%20f%C3%BCr%20Sie.pdf",
        "filename*0*=utf-8''Angebot%20;\r\n filename*1*=f%C3%BCr%20Sie; filename*2=.pdf",
        'filename="=?utf-8?q?Angebot_f=C3=BCr_Sie.pdf?="',
        'filename="Angebot für Sie.pdf"',
        'filename="../../Angebot für Sie.pdf"',
        'filename="C:\\temp\\Angebot für Sie.pdf"',
        "filename*=iso-8859-1'de'Angebot%20f%FCr%20Sie.pdf; filename=old.pdf",
    ):
        head = "Content-Type: application/pdf\r\nContent-Disposition: attachment"
        yield _parts("\r\nx", f"{head}; {parameter}\r\n\r\nx", files=[name], text="x")
    yield _parts(
        "\r\nx", 'Content-Type: application/pdf; name="a b.pdf"\r\n\r\nx', files=["a b.pdf"]
    )
