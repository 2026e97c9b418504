"""No bytes make `read_mail` raise anything but `UnreadableMailError`."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.errors import UnreadableMailError
from tasks.mail.read import Reading, read, read_mail

SEED = (
    b"Received: from a by b; Tue, 2 Jan 2024 10:00:00 +0000\r\n"
    b'From: =?utf-8?q?Ad=C3=A4?= <a@x.example>, (c) "q, r" <b@y.example>\r\n'
    b"Cc: =?utf-8?b?R3LDvMOfZQ==?= =?koi8-r?b?8NLJ18XU?= <d@z.example>\r\n"
    b"To: list: one@x.example, two@y.example;\r\nReply-To: <c@z.example>\r\n"
    b"Subject: =?iso-8859-1?b?R3L832U=?= Re: [tag] x\r\nDate: Tue, 2 Jan 2024 10:00:00 +0100\r\n"
    b"Message-ID: <1@x.example>\r\nIn-Reply-To: <0@x.example>\r\n"
    b"References: <a@b> <0@x.example>\r\n"
    b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="=_b"\r\n\r\npreamble\r\n'
    b"--=_b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n"
    b"--c\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\nH=C3=A4 =\r\n"
    b"On 2 Jan 2024, Bo wrote:\r\n> x\r\n-- \r\nA\r\n"
    b"--c\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<style>.h{display:none}</style>"
    b"<p class=h style='font-size:0'>x<a href='https://x.example'>y</a><table><tr><td>1<td>2</table>\r\n"
    b"--c--\r\n--=_b\r\nContent-Type: application/pdf; name*0*=utf-8''a%20; name*1=b.pdf\r\n"
    b"Content-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjc=\r\n"
    b"--=_b\r\nContent-Type: message/rfc822\r\n\r\nFrom: d@x.example\r\n\r\ninner\r\n--=_b--\r\nend"
)

fuzz = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(raw: bytes) -> None:
    """Read `raw`; an answer must survive the way through JSON."""
    try:
        reading = read_mail(raw)
    except UnreadableMailError:
        return
    assert Reading.model_validate_json(read(raw)) == reading
    assert "\x00" not in reading.model_dump_json()


@fuzz
@given(st.binary(max_size=600))
def test_any_bytes(raw: bytes) -> None:
    """Bytes without form are read or refused."""
    check(raw)


@fuzz
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(SEED)),
            st.integers(0, 12),
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from(
                    [b"\r\n", b"\n\n", b"--=_b", b"=?utf-8?q?", b"<", b'"', b"\\", b"\x00"]
                ),
                st.sampled_from([b"charset=utf-7", b"utf-16", b"hz", b"iso-2022-kr", b"punycode"]),
            ),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_mutated_mail(changes: list[tuple[int, int, bytes]]) -> None:
    """A regular message with pieces cut out and put in is read or refused."""
    raw = SEED
    for at, cut, put in changes:
        raw = raw[:at] + put + raw[at + cut :]
    check(raw)


@fuzz
@given(
    st.sampled_from(
        ["From", "To", "Subject", "Date", "Message-ID", "References", "Content-Type", "X"]
    ),
    st.text(max_size=200),
)
def test_any_header_value(name: str, value: str) -> None:
    """Any text as the value of any header is read or refused."""
    check(f"{name}: {value}\r\n\r\nbody".encode("utf-8", "surrogatepass"))


@fuzz
@given(
    st.lists(
        st.sampled_from(
            [
                "<div>",
                "</div>",
                "<p style='",
                "display:none",
                "'>",
                "<!--",
                "-->",
                "<table>",
                "<td>",
                "</td>",
                "<a href=x>",
                "</a>",
                "text",
                "&amp;",
                "&#0;",
                "<style>",
                ".a{",
                "}",
                "</style>",
                "<blockquote>",
                "<pre>",
                "\n",
                "<li>",
                "<ol>",
                "<font color=#fff size=1>",
                "<svg>",
                "<![CDATA[",
                "\x00",
                "\ud800",
            ]
        ),
        max_size=40,
    )
)
def test_any_html(pieces: list[str]) -> None:
    """Any soup of tags is read."""
    body = "".join(pieces).encode("utf-8", "surrogatepass")
    check(b"Content-Type: text/html; charset=utf-8\r\n\r\n" + body)
