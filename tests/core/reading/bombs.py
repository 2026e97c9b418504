"""Messages made to be expensive for parsers of MIME, by what they do."""

HEAD = b"From: a@x.example\r\nTo: b@y.example\r\nSubject: s\r\n"


def nested(levels: int) -> bytes:
    """Return a message of multiparts inside each other."""
    opened = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(levels)
    )
    return HEAD + opened + b"\r\ndeep"


BOMBS: dict[str, bytes] = {
    "20,000 encoded words": HEAD + b"Subject: " + b"=?utf-8?q?abc?=\r\n " * 20_000 + b"\r\n\r\nx",
    "80,000 encoded words": HEAD + b"Subject: " + b"=?utf-8?q?abc?=\r\n " * 80_000 + b"\r\n\r\nx",
    "50,000 dots": b"From: " + b"." * 50_000 + b" <a@x.example>\r\n\r\nx",
    "32,000 addresses": HEAD + b"Cc: " + b", ".join([b"u@e.c"] * 32_000) + b"\r\n\r\nx",
    "200,000 headers": b"".join(b"X-A: %d\r\n" % number for number in range(200_000)) + b"\r\nx",
    "100,000 parts": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    + b"--b\r\n\r\n" * 100_000,
    "3,000 levels of MIME": nested(3_000),
    "3,000 levels of messages": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 3_000 + b"x",
}
"""Those that a limit refuses."""

ODD: dict[str, bytes] = {
    "20,000 parameters": HEAD + b"Content-Type: text/plain" + b"; x=y" * 20_000 + b"\r\n\r\nhello",
    "20,000 parameter pieces": HEAD
    + b"Content-Type: text/plain"
    + b"".join(b"; n*%d*=a" % number for number in range(20_000))
    + b"\r\n\r\nhello",
    "3,000 brackets": b"From: " + b"(" * 3_000 + b"\r\n\r\nhello",
    "20,000 angle brackets": b"From: a@b.c\r\nMessage-ID: " + b"<" * 20_000 + b"\r\n\r\nhello",
    "encoded line end": b"From: =?utf-8?q?A=0d=0aBcc:x?= <a@b.example>\r\n\r\nhello",
    "100,000 levels of HTML": HEAD
    + b"Content-Type: text/html\r\n\r\n"
    + b"<div>" * 100_000
    + b"hello",
    "a million properties in TNEF": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n"
    + b"--b\r\nContent-Type: application/ms-tnef\r\n\r\n\x78\x9f\x3e\x22\x01\x00"
    + b"\x01\x03\x90\x06\x00\x04\x00\x00\x00\xff\xff\xff\x7f\x00\x00\r\n--b--\r\n",
    "100,000 calendar lines": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n"
    + b"--b\r\nContent-Type: text/calendar\r\n\r\n"
    + b"BEGIN:VCALENDAR\r\n" * 100_000
    + b"\r\n--b--\r\n",
    "100,000 nested cards": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n"
    + b"--b\r\nContent-Type: text/vcard\r\n\r\n"
    + b"BEGIN:VCARD\r\n" * 100_000
    + b"\r\n--b--\r\n",
    "selectors for every element": HEAD
    + b"Content-Type: text/html\r\n\r\n<style>"
    + b"".join(b"div div div div .c%d{color:red}" % number for number in range(2_000))
    + b"</style>"
    + b"<div class='c1 c2 c3'>" * 300
    + b"hello"
    + b"</div>" * 300
    + b"<p class='c4 c5'>x</p>" * 3_000,
}
"""Those that are read, and cost no more than their length."""
