"""S/MIME and OpenPGP: what is only signed or packed is read, what is encrypted is named."""

import base64
import zlib

import pytest
from asn1crypto import algos, cms

from data.errors import UnreadableMailError
from tasks.core.parse.attachments import attachment_bytes
from tasks.core.parse.parsing import parse
from tasks.mail.read import read_mail
from tests.core.screening.letters import screened

LETTER = (
    b"Content-Type: text/plain; charset=utf-8\r\n\r\nWhen can I fetch the gr\xc3\xbcne gear?\r\n"
)


def signed(content: bytes | None) -> bytes:
    """Return a CMS object that holds `content`, as a signature around it does."""
    return cms.ContentInfo(
        {
            "content_type": "signed_data",
            "content": cms.SignedData(
                {
                    "version": "v1",
                    "digest_algorithms": cms.DigestAlgorithms([]),
                    "encap_content_info": {"content_type": "data", "content": content},
                    "signer_infos": [],
                }
            ),
        }
    ).dump()


def packed(content: bytes) -> bytes:
    """Return a CMS object that holds `content` compressed (RFC 3274)."""
    return cms.ContentInfo(
        {
            "content_type": "compressed_data",
            "content": cms.CompressedData(
                {
                    "version": "v0",
                    "compression_algorithm": cms.CompressionAlgorithm({"algorithm": "zlib"}),
                    "encap_content_info": {
                        "content_type": "data",
                        "content": zlib.compress(content),
                    },
                }
            ),
        }
    ).dump()


def enveloped() -> bytes:
    """Return a CMS object of encrypted content."""
    return cms.ContentInfo(
        {
            "content_type": "enveloped_data",
            "content": cms.EnvelopedData(
                {
                    "version": "v0",
                    "recipient_infos": [],
                    "encrypted_content_info": {
                        "content_type": "data",
                        "content_encryption_algorithm": algos.EncryptionAlgorithm(
                            {"algorithm": "aes256_cbc", "parameters": b"0" * 16}
                        ),
                        "encrypted_content": b"0123456789abcdef",
                    },
                }
            ),
        }
    ).dump()


def mail(
    octets: bytes, kind: str = "application/pkcs7-mime; smime-type=signed-data", name: str = ""
) -> bytes:
    """Return a mail whose body is a CMS object."""
    shown = f'Content-Disposition: attachment; filename="{name}"\r\n' if name else ""
    return (
        "From: ada@fell.example\r\nSubject: Gears\r\n"
        f"Content-Type: {kind}\r\n{shown}Content-Transfer-Encoding: base64\r\n\r\n"
    ).encode() + base64.encodebytes(octets)


@pytest.mark.parametrize(
    "raw",
    [
        mail(signed(LETTER)),
        mail(signed(LETTER), "application/x-pkcs7-mime", "smime.p7m"),
        mail(signed(LETTER), "application/octet-stream", "smime.p7m"),
        mail(signed(LETTER), 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"'),
        mail(packed(LETTER), "application/pkcs7-mime; smime-type=compressed-data"),
        mail(signed(mail(signed(LETTER)))),
        mail(signed(mail(packed(LETTER)))),
    ],
    ids=["signed", "older type", "by name", "wrong parameter", "packed", "twice", "both"],
)
def test_what_is_signed_or_packed_is_read(raw: bytes) -> None:
    """The content is the body, whatever the parameters say, and nothing is noted as unreadable."""
    read = parse(raw)
    assert read.text.strip() == "When can I fetch the grüne gear?"
    assert (read.sealed, read.attachments) == ("", ())
    assert not [one for one in screened(read.text).hits if one.rule == "unreadable_content"]


def test_files_within_a_signed_message_are_listed_and_fetched() -> None:
    """Attachments inside are attachments of the message."""
    inner = (
        b"Content-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\nSee the plan.\r\n"
        b'--i\r\nContent-Disposition: attachment; filename="plan.scr"\r\n\r\nMZxx\r\n--i--\r\n'
    )
    raw = mail(signed(inner))
    read = parse(raw)
    assert read.text.strip() == "See the plan."
    (attachment,) = read.attachments
    assert attachment.filename == "plan.scr"
    assert attachment_bytes(raw, read, attachment.sha256) == ("plan.scr", b"MZxx")
    assert any(
        one.rule == "attachment_types"
        for one in screened("See the plan.", attachments=read.attachments).hits
    )


PGP = (
    "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA0inventedinventedinventedinvented\r\n=AbCd\r\n"
    "-----END PGP MESSAGE-----\r\n"
)
ENCRYPTED = {
    "S/MIME": mail(enveloped(), "application/pkcs7-mime; smime-type=enveloped-data"),
    "S/MIME that calls itself signed": mail(enveloped()),
    "S/MIME by name": mail(enveloped(), "application/octet-stream", "smime.p7m"),
    "S/MIME within a signature": mail(signed(mail(enveloped()))),
    "S/MIME that is broken": mail(signed(LETTER)[:40]),
    "OpenPGP": (
        "From: ada@fell.example\r\nSubject: Gears\r\nContent-Type: multipart/encrypted; "
        'protocol="application/pgp-encrypted"; boundary=e\r\n\r\n--e\r\nContent-Type: '
        "application/pgp-encrypted\r\n\r\nVersion: 1\r\n--e\r\nContent-Type: "
        f"application/octet-stream\r\n\r\n{PGP}--e--\r\n"
    ).encode(),
    "rights management": (
        b"From: ada@fell.example\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\n"
        b"This message is protected.\r\n--m\r\nContent-Type: application/octet-stream; "
        b"name=message.rpmsg\r\nContent-Transfer-Encoding: base64\r\n\r\ndugEAAAA\r\n--m--\r\n"
    ),
    "OpenPGP in the text": (
        f"From: ada@fell.example\r\nSubject: Gears\r\n\r\nHello,\r\n\r\n{PGP}"
    ).encode(),
    "OpenPGP in one part of several": (
        "From: ada@fell.example\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\n"
        f"Hello,\r\n--m\r\n\r\n{PGP}\r\n--m--\r\n"
    ).encode(),
}


@pytest.mark.parametrize("raw", ENCRYPTED.values(), ids=ENCRYPTED)
def test_what_is_encrypted_is_said_to_be_unreadable(raw: bytes) -> None:
    """The reason is told, is a defect, and flags the message."""
    reading = read_mail(raw)
    assert reading.mail.sealed
    assert any("cannot be read" in one for one in reading.mail.defects)
    assert "BEGIN PGP" not in reading.segments.new
    seen = screened(reading.segments.new, sealed=reading.mail.sealed)
    assert any(one.rule == "unreadable_content" for one in seen.hits)


@pytest.mark.parametrize(
    "raw",
    [
        b"From: ada@fell.example\r\n\r\nDo you read mail that is encrypted with PGP or S/MIME?\r\n",
        b"From: ada@fell.example\r\nContent-Type: multipart/signed; boundary=s\r\n\r\n--s\r\n"
        b"\r\nHi\r\n"
        b"--s\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nxx\r\n--s--\r\n",
        b"From: ada@fell.example\r\n\r\n-----BEGIN PGP SIGNED MESSAGE-----\r\n"
        b"Hash: SHA256\r\n\r\nHi\r\n"
        b"-----BEGIN PGP SIGNATURE-----\r\n\r\nxx\r\n-----END PGP SIGNATURE-----\r\n",
    ],
    ids=["about it", "clear-signed", "OpenPGP signed"],
)
def test_what_can_be_read_is_not_called_unreadable(raw: bytes) -> None:
    """A signature beside a readable text, and a text about encryption, change nothing."""
    assert parse(raw).sealed == ""


def test_signatures_within_signatures_end_at_the_limit() -> None:
    """Each one counts as a level of the message."""
    raw = mail(signed(LETTER))
    for _ in range(25):
        raw = mail(signed(raw))
    with pytest.raises(UnreadableMailError, match="'depth'"):
        parse(raw)


def test_packed_bomb_is_not_unpacked() -> None:
    """A body that would be enormous is unreadable, and costs little."""
    bomb = mail(packed(b"\r\n" + b"a" * 100_000_000), "application/pkcs7-mime")
    assert "too long" in parse(bomb).sealed


def test_an_encrypted_message_that_is_only_quoted_leaves_the_letter_readable() -> None:
    """Who asks what was sent to him repeats it; his own words can be read."""
    armor = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"
    quoted = "\n".join(f"> {line}" for line in armor.split("\n"))
    head = "From: Ida <ida@moe.example>\nSubject: Re: order\n\n"
    assert parse(f"{head}What is this?\n\n{quoted}\n".encode()).sealed == ""
    assert parse(f"{head}Here it is:\n\n{armor}\n\n{quoted}\n".encode()).sealed
