"""Bytes that are not UTF-8, where mail should hold ASCII: names, boundaries, addresses, words."""

import pytest

from connectors.mail_files import delivered_to, envelope_sender, written_to
from data.records.core.parsed_mail import ParsedMail
from data.records.core.screening import Verdict
from tasks.core.parse.parsing import parse
from tests.core.screening.letters import screened


def with_file(header: bytes, *, charset: str = "utf-8", text: str = "Here it is.") -> ParsedMail:
    """Read a mail with one file, whose part has this header."""
    return parse(
        b"From: a@x.example\nContent-Type: multipart/mixed; boundary=p\n\n--p\n"
        b"Content-Type: text/plain; charset=%b\n\n"
        % charset.encode()
        + text.encode(charset)
        + b"\n--p\n"
        + header
        + b"\n\nx\n--p--\n"
    )


def named(header: bytes, *, charset: str = "utf-8", text: str = "Here it is.") -> str:
    """Return the name under which that file is listed."""
    (attachment,) = with_file(header, charset=charset, text=text).attachments
    return attachment.filename


@pytest.mark.parametrize(
    ("charset", "text", "name"),
    [
        ("windows-1251", "Высылаю смету.", "смета на июль.xls"),
        ("koi8-r", "Высылаю смету.", "смета.xls"),
        ("windows-1250", "Posílám nabídku.", "nabídka květen.doc"),
        ("iso-8859-7", "Σας στέλνω την προσφορά.", "προσφορά.pdf"),
        ("gb2312", "附上报价单。", "报价单.pdf"),
        ("shift_jis", "見積書を送ります。", "見積書.pdf"),
    ],
)
def test_raw_file_name_is_read_as_the_text_is(charset: str, text: str, name: str) -> None:
    """A file name in raw 8-bit letters is in the charset that the text states."""
    header = b'Content-Disposition: attachment; filename="%b"' % name.encode(charset)
    assert named(header, charset=charset, text=text) == name
    in_type = b'Content-Type: application/x; name="%b"' % name.encode(charset)
    assert named(in_type, charset=charset, text=text) == name


@pytest.mark.parametrize(
    ("codec", "text", "name"),
    [
        ("shift_jis", "見積書を添付します。", "見積表.pdf"),
        ("euc_jp", "見積書を添付します。", "請求書.pdf"),
        ("gbk", "附上我们的报价单，请查收。", "报价单.pdf"),
        ("gb18030", "附上退货照片。", "退货照片.jpg"),
        ("big5", "附上報價單，請查收。", "報價單.pdf"),
        ("euc-kr", "견적서를 보내드립니다.", "견적서.pdf"),
        ("cp1251", "Высылаю смету.", "Счёт на оплату.pdf"),
        ("koi8-r", "Высылаю смету.", "договор.doc"),
        ("cp1253", "Σας στέλνω την προσφορά.", "τιμολόγιο.doc"),
        ("cp874", "ส่งใบเสนอราคามาให้", "ใบเสนอราคา.pdf"),
    ],
)
@pytest.mark.parametrize("body", ["the same in UTF-8", "English", "an encoded subject"])
def test_raw_file_name_of_no_stated_charset_is_read_by_its_letters(
    codec: str, text: str, name: str, body: str
) -> None:
    """A raw name below a text in UTF-8, or in English, is in the charset whose letters it has."""
    header = b'Content-Disposition: attachment; filename="%b"' % name.encode(codec)
    if body == "an encoded subject":
        header += b"\nSubject: =?%b?q?x?=" % codec.encode()
    assert named(header, text=text if body == "the same in UTF-8" else "Here it is.") == name


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("shift_jis", "見積表"), ("shift_jis", "機能"), ("shift_jis", "ソ"),
        ("gbk", "報價乗"), ("big5", "成功"), ("big5", "報價 許"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "header",
    [
        b'Content-Disposition: attachment; filename="%b"; size="12"',
        b'Content-Type: application/x; name="%b"; x-mac-type="54"',
        b'Content-Type: a/x; name="%b"\nContent-Disposition: inline;\n filename="%b" ;x=1',
        b'Content-Disposition: attachment; filename="%b"',
    ],
)
def test_second_octet_of_a_letter_escapes_no_quotation_mark(
    codec: str, name: str, header: bytes
) -> None:
    """A name that ends with 0x5C ends where its quotation mark stands."""
    octets = name.encode(codec)
    assert octets.endswith(b"\\")
    filled = header.replace(b"%b", octets)
    assert named(filled, charset=codec, text="請" if codec != "shift_jis" else "見") == name


def test_a_name_that_ends_with_0x5c_is_judged_by_both_readings() -> None:
    """A program that takes the octet for a backslash shows what stands behind as part of it."""
    octets = "見積表".encode("shift_jis")
    header = b'Content-Disposition: attachment; filename="%b"; x="a.exe"' % octets
    (attachment,) = with_file(header, charset="shift_jis", text="見積書").attachments
    assert attachment.filename == "見積表"
    assert any("x=" in name for name in attachment.other_names)
    escaped = b'Content-Disposition: attachment; filename="Pr\xfcf \\"x\\".pdf"; size="12"'
    assert named(escaped) == 'Prüf "x".pdf'


@pytest.mark.parametrize(
    "value",
    [
        b"order.exe (order.pdf)",
        b"order.exe order.pdf",
        b'"order".exe',
        b'"order."exe',
        b'"order.pdf".exe',
    ],
)
def test_what_some_program_shows_of_an_odd_value_is_judged(value: bytes) -> None:
    """A comment, a blank and a closing quotation mark end a name here and not there."""
    mail = with_file(b"Content-Disposition: attachment; filename=" + value)
    assert screened("Here it is.", attachments=mail.attachments).verdict is Verdict.QUARANTINE
    plain = with_file(b"Content-Disposition: attachment; filename=Plan v1.2 (May).pdf")
    assert screened("Here it is.", attachments=plain.attachments).hits == ()


def test_charset_of_the_part_says_how_its_name_is_written() -> None:
    """What a part states counts for its own name, before what the text states."""
    header = b'Content-Type: text/csv; charset=big5; name="%b"' % "行程".encode("big5")
    assert named(header, charset="gb2312", text="请查收。") == "行程"


@pytest.mark.parametrize(
    "name",
    [
        "Prüfung.pdf", "Übergröße.pdf", "facture été.pdf", "año nuevo.doc", "déjà vu.doc",
        "København.pdf", "Öl.jpg", "Müller & Söhne.pdf", "größer als ½.pdf", "Beleg 50 €.pdf",
    ],
)  # fmt: skip
def test_raw_name_of_western_europe_stays_one(name: str) -> None:
    """A few letters among those of ASCII are Western ones where nothing is stated."""
    header = b'Content-Disposition: attachment; filename="%b"' % name.encode("cp1252")
    assert named(header, text="Here it is.") == name


@pytest.mark.parametrize("codec", ["shift_jis", "gbk", "big5", "euc-kr", "euc_jp"])
def test_blocked_type_is_blocked_in_raw_letters_of_any_charset(codec: str) -> None:
    """A program is one whatever its name is written in."""
    words = {"euc-kr": "견적서", "gbk": "报价单", "big5": "報價單"}.get(codec, "見積書")
    header = b'Content-Disposition: attachment; filename="%b.exe"' % words.encode(codec)
    mail = with_file(header)
    assert mail.attachments[0].filename == f"{words}.exe"
    seen = screened("Here it is.", attachments=mail.attachments)
    assert any("can be run" in hit.excerpt for hit in seen.hits if hit.rule == "attachment_types")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (b'Content-Disposition: attachment; filename="Pr\xfcfung.pdf"', "Prüfung.pdf"),
        (b"Content-Disposition: attachment; filename=Pr\xfcfung.pdf", "Prüfung.pdf"),
        ('Content-Disposition: attachment; filename="Prüfung.pdf"'.encode(), "Prüfung.pdf"),
        (b'Content-Disposition: attachment; x="\xe9\xff"; filename="plan.pdf"', "plan.pdf"),
        (b"Content-Type: a/b; charset=\xff; name=plan.pdf", "plan.pdf"),
    ],
)
def test_raw_letters_end_no_parameter(header: bytes, name: str) -> None:
    """Whatever octets a value has, it is read to its end, and so are those after it."""
    assert named(header) == name


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (
            b'Content-Disposition: attachment; filename*0="=?utf-8?Q?Angebot_f=C3=BCr_M=C3";\n'
            b' filename*1="=BCnzen.pdf?="',
            "Angebot für Münzen.pdf",
        ),
        (
            b'Content-Disposition: attachment; filename*0="=?utf-8?B?UmVjaG51bmc=?=";\n'
            b' filename*1="=?utf-8?B?LnBkZg==?="',
            "Rechnung.pdf",
        ),
        (
            b'Content-Disposition: attachment; filename*1="b?="; filename*0="=?iso-8859-1?q?a=E9"',
            "aéb",
        ),
        (b'Content-Disposition: attachment; filename="=?utf-8?q?plan=2Epdf"', "plan.pdf"),
        (
            b'Content-Disposition: attachment; filename="=?koi8-r?q?\xd0\xcc\xc1\xce.pdf?="',
            "план.pdf",
        ),
        (b"Content-Disposition: attachment; filename*=utf-8''pl%C3%A1n.pdf", "plán.pdf"),
    ],
)
def test_encoded_words_are_read_where_pieces_belong(header: bytes, name: str) -> None:
    """RFC 2047 words within RFC 2231 pieces are decoded after the pieces are joined."""
    assert named(header) == name


@pytest.mark.parametrize(
    "header",
    [
        b'Content-Disposition: attachment; filename="\xf0\xeb\xe0\xed.exe"',
        b'Content-Disposition: attachment; filename="=?utf-8?q?plan=2Eexe?="',
        b'Content-Disposition: attachment; filename="=?utf-8?q?plan=2Eexe"',
        b'Content-Disposition: attachment; filename*0="=?utf-8?q?plan.e"; filename*1="xe?="',
        b"Content-Disposition: attachment; filename*0*=utf-8''plan%2E; filename*1*=ex%65",
        b"Content-Disposition: attachment; filename=\"plan.pdf\"; filename*=''plan.exe",
        b"Content-Disposition: attachment; filename*=''plan.pdf; filename=\"plan.exe\"",
        b'Content-Disposition: attachment; filename="plan.pdf"; filename="plan.exe"',
        b'Content-Type: a/b; name="plan.exe"\nContent-Disposition: attachment; filename="plan.pdf"',
        b'Content-Disposition: attachment; filename="plan;.exe',
        b'Content-Disposition: attachment filename="plan.exe"',
        b'Content-Disposition: attachment; filename="plan.exe\x00.pdf"',
        b'Content-Disposition: attachment; filename="plan.exe. . "',
        b"Content-Disposition: attachment; filename=\"'plan.exe'\"",
        b'Content-Disposition: attachment; filename="plan.exe::$DATA"',
        b'Content-Disposition: attachment; filename="plan%2Eexe"',
        'Content-Disposition: attachment; filename="plan．ｅｘｅ"'.encode(),
        rb'Content-Disposition: attachment; filename="\p\l\a\n\.\e\x\e"',
        'Content-Disposition: attachment; filename="plan.e\u200bxe"'.encode(),
        b'Content-Disposition: attachment; filename="' + b"plan " * 60 + b'.exe"',
    ],
)
def test_blocked_type_is_blocked_under_any_spelling(header: bytes) -> None:
    """What some program would open as a program is one, however its name is written."""
    seen = screened("Here it is.", attachments=with_file(header).attachments)
    assert any("can be run" in one.excerpt for one in seen.hits if one.rule == "attachment_types")


@pytest.mark.parametrize(
    "header",
    [
        b'Content-Disposition: attachment; filename="plan for the exe desk.pdf"',
        b'Content-Type: a/b; name="plan.pdf"\nContent-Disposition: attachment; filename="plan.pdf"',
        b'Content-Disposition: attachment; filename="50% off: plan.pdf"',
        b'Content-Disposition: attachment; filename="pl\xe1n.pdf"',
    ],
)
def test_ordinary_names_are_blocked_under_none(header: bytes) -> None:
    """Names that every program reads alike, or that differ in nothing, raise nothing."""
    seen = screened("Here it is.", attachments=with_file(header).attachments)
    assert not [one for one in seen.hits if one.rule == "attachment_types"]


def test_the_end_of_a_long_name_is_kept() -> None:
    """A name beyond its limit loses its middle: the end says what the file is."""
    name = named(b'Content-Disposition: attachment; filename="' + b"a" * 400 + b'.scr"')
    assert name.endswith(".scr")
    assert len(name) == 200


@pytest.mark.parametrize("boundary", [b"gr\xfcn", "grün".encode(), b"\xff\xfe", b"a\x80b"])
def test_boundary_is_compared_as_bytes(boundary: bytes) -> None:
    """A boundary with octets beyond ASCII parts the message as any other does."""
    read = parse(
        b'Content-Type: multipart/mixed; boundary="%b"\n\n--%b\n\nhello\n'
        b'--%b\nContent-Disposition: attachment; filename="plan.pdf"\n\nx\n--%b--\n'
        % (boundary, boundary, boundary, boundary)
    )
    assert read.text == "hello"
    assert [one.filename for one in read.attachments] == ["plan.pdf"]


def test_raw_letters_in_headers_are_read_as_the_text_is() -> None:
    """Subject and names in raw 8-bit letters are in the charset of the first text part."""
    read = parse(
        'From: "Ольга" <olga@x.example>\nSubject: Вопрос по смете\n'
        "Content-Type: multipart/mixed; boundary=p\n\n--p\n"
        "Content-Type: text/plain; charset=windows-1251\n\nДобрый день\n--p--\n".encode("cp1251")
    )
    assert read.subject == "Вопрос по смете"
    assert read.sender is not None
    assert (read.sender.name, read.sender.email) == ("Ольга", "olga@x.example")


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (b"=?utf-8?q?Caf=C3=A9_\xe9?=", "Café �"),
        (b"=?iso-8859-1?q?Caf=E9_\xe9?=", "Café é"),
        (b"=?utf-8?b?Q2Fmw6k=\xa0?=", "Café"),
        (b"\xe9 =?utf-8?q?Caf=C3=A9?=", "é Café"),
    ],
)
def test_encoded_word_with_a_raw_octet_is_decoded(subject: bytes, text: str) -> None:
    """One raw octet in or beside an encoded word leaves the rest of it readable."""
    assert parse(b"Subject: " + subject + b"\n\nhi").subject == text


def test_stored_mail_with_raw_letters_shows_its_addresses() -> None:
    """Addresses of a stored message are found beside names in any charset."""
    raw = (
        b'Delivered-To: "B\xfcro" <desk@quay.example>\nFrom: "J\xf8rn" <jorn@fell.example>\n'
        b'To: "Caf\xe9 Quay" <cafe@quay.example>,\n "\xcb\xfe\xe4" <ludi@quay.example>\n\nhi\n'
    )
    assert delivered_to(raw) == ["desk@quay.example"]
    assert envelope_sender(raw) == "jorn@fell.example"
    assert written_to(raw) == ["cafe@quay.example", "ludi@quay.example"]


def test_lines_that_are_no_fields_do_not_end_the_header() -> None:
    """From and Subject below such lines are read; the lines are noted, and kept."""
    read = parse(
        b"Received: by quay.example\nthis is no field\nnor is that one either, by far\n"
        b"From: ida@fell.example\nSubject: Gears\n\nhello\n"
    )
    assert (read.subject, read.text) == ("Gears", "hello")
    assert read.sender is not None
    assert "a line of the header is no header field" in read.defects
    assert "nor is that one either" in read.carried[0].text


def test_text_without_a_blank_line_above_it_is_text() -> None:
    """A text that begins at once, and quotes fields that the header has, is no header."""
    read = parse(b"From: ida@fell.example\nSubject: Gears\nHello, I got this:\nSubject: Old\nBye\n")
    assert read.subject == "Gears"
    assert read.text.startswith("Hello, I got this:")


@pytest.mark.parametrize("name", [b"X-Exchange-Data", b"Content-Description", b"Content-Type"])
def test_endless_field_of_a_part_leaves_the_mail_readable(name: bytes) -> None:
    """A field beyond the limit is read up to it, noted, and the rest of the message is read."""
    header = b"Content-Type: image/png\n" if name != b"Content-Type" else b""
    read = with_file(header + name + b": image/png; x=" + b"y" * 40_000)
    assert read.text == "Here it is."
    assert read.attachments[0].content_type == "image/png"
    assert f"header {name.decode().lower()} is longer than is read" in read.defects
