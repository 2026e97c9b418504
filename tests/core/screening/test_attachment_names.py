"""Attachments by their names: programs, and names that only end like one."""

import pytest

from data.records.core.parsed_mail import Attachment
from data.records.core.screening import Screening, Verdict
from tests.core.screening.letters import screened
from tests.core.screening.test_attachments import arrived


def named(filename: str, kind: str = "application/octet-stream") -> Screening:
    """Screen a letter with an attachment of this name and declared type."""
    attachment = Attachment(filename=filename, content_type=kind, size_bytes=9, sha256="a")
    return screened("Good morning.", attachments=(attachment,))


@pytest.mark.parametrize(
    "name", ["mail from quince.com", "Your order at shop.quince.com", "Re: the chairs of alder.com"]
)
@pytest.mark.parametrize("kind", ["application/octet-stream", "message/rfc822", "text/plain"])
def test_a_domain_at_the_end_of_words_is_no_program(name: str, kind: str) -> None:
    """A mail that is attached is named by its subject, which may end with a domain."""
    assert named(name, kind).verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("invoice.com", "application/octet-stream"),
        ("www.quince.com", "application/octet-stream"),
        ("mail from quince.com", "application/x-msdownload"),
        ("new invoice.pdf.com", "application/octet-stream"),
        ("new invoice pdf.com", "application/octet-stream"),
        ("invoice.pdf          quince.com", "application/octet-stream"),
        ("mail from quince.exe", "application/octet-stream"),
    ],
)
def test_programs_are_stopped(name: str, kind: str) -> None:
    """One word, a declared program, a second ending or a pushed one is no subject of a mail."""
    assert named(name, kind).verdict is Verdict.QUARANTINE


def test_bytes_of_a_program_count_under_any_name() -> None:
    """What begins as a program does is one, however its name reads."""
    assert arrived("mail from quince.com", b"MZ\x90\x00").verdict is Verdict.QUARANTINE
    assert arrived("mail from quince.com", b"From: Petra").verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    "ending",
    [
        *("rdp", "url", "lnk", "iso", "img", "vhd", "vhdx", "one", "chm", "hta", "wsf", "msix"),
        *("settingcontent-ms", "search-ms", "library-ms", "appinstaller", "msixbundle", "webloc"),
        *("inetloc", "jnlp", "scpt", "mobileconfig", "desktop", "appimage", "vmdk"),
    ],
)
def test_endings_that_open_a_way_in_are_not_clean(ending: str) -> None:
    """A session on another's computer, an installer, a shortcut, a disk."""
    assert named(f"Zero Trust.{ending}").verdict is not Verdict.CLEAN
    assert named(f"All about {ending}.pdf", "application/pdf").verdict is Verdict.CLEAN
