"""Replies are signed when they are approved, and the signed bytes are what leaves, every time."""

import hashlib
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from data.errors import SettingsError
from data.records.core.organization import Dkim, Organization
from data.records.core.screening import AuthResult
from data.records.mail.orders import Approve
from data.states import DeliveryState
from data.store.core import control
from data.store.core.database import Connection
from data.store.mail.moves import move
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.health.outside_services import check_key
from flows.mail.leaving import signing
from flows.mail.leaving.sending import settle_interrupted
from flows.mail.people import reviewing
from tests.core.authentication.zone import THIEF_HOST, ZoneResolver, answer
from tests.core.small import SLUG, Line, open_line, settings_in
from tests.people import person

DKIM = Dkim(domain="teasel.example", selector="moss", key_file="teasel.example.moss.pem")
NAME = "moss._domainkey.teasel.example"


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Line]:
    """Return a line whose organization signs."""
    async with open_line(tmp_path / "var") as opened:
        signing.make_key(opened.house.settings, DKIM)
        opened.workspace.organization = await opened.house.control.write(
            control.set_dkim, SLUG, DKIM
        )
        yield opened


async def approve(line: Line) -> str:
    """Approve the reply to a question; return the delivery."""
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases")
    view = await case_view(line.house, line.workspace, str(row["id"]))
    given = Approve(version=view.version, approval_hash=view.approval_hash)
    return await reviewing.approve(line.house, line.workspace, view.id, given, person("ida"))


async def test_what_leaves_is_signed_and_a_retry_is_the_same_bytes(line: Line) -> None:
    """A receiver accepts the signature; after a crash the very same bytes leave again."""
    delivery = await approve(line)
    (row,) = await line.rows("SELECT sha256 FROM deliveries WHERE id = ?", delivery)
    kept = line.workspace.archive.read(str(row["sha256"]))
    await delivery_batch(line.house, line.workspace)
    folder = line.house.settings.home / "outgoing" / "new"
    (first,) = folder.iterdir()
    raw = first.read_bytes()
    assert raw == kept
    assert hashlib.sha256(raw).hexdigest() == row["sha256"]
    zone = {
        (NAME, "TXT"): [signing.build_dns_record(line.house.settings, DKIM)[1]],
        ("_dmarc.teasel.example", "TXT"): ["v=DMARC1; p=reject"],
    }
    how = {"peer": THIEF_HOST, "mail_from": "", "helo": "relay.pear.example"}
    assert answer(raw, resolver=ZoneResolver(zone), **how).dmarc is AuthResult.PASS

    first.unlink()
    await line.workspace.db.write(begun_again, delivery, line)
    await settle_interrupted(line.house, line.workspace)
    await delivery_batch(line.house, line.workspace)
    (again,) = folder.iterdir()
    assert again.read_bytes() == raw


def begun_again(cursor: Connection, delivery: str, line: Line) -> None:
    """Put a delivery back to where an engine that was killed had left it."""
    cursor.execute("UPDATE deliveries SET state = 'queued' WHERE id = ?", [delivery])
    for state in (DeliveryState.SENDING, DeliveryState.DOT_SENT):
        assert move(cursor, [delivery], state, actor="delivery", now=line.clock())


async def test_without_its_key_nothing_is_approved(line: Line) -> None:
    """A key that cannot be read is said in a sentence, and the case stays before the person."""
    signing.locate_key(line.house.settings, DKIM).unlink()
    assert not signing.is_signing_ready(line.house.settings, line.workspace.organization)
    with pytest.raises(SettingsError, match=r"moss\.pem"):
        await approve(line)
    (row,) = await line.rows("SELECT state FROM cases")
    assert row["state"] == "in_review"
    assert await line.rows("SELECT id FROM deliveries") == []


async def test_who_does_not_sign_sends_what_was_rendered(tmp_path: Path) -> None:
    """Without the setting a reply leaves without a signature."""
    async with open_line(tmp_path / "var") as opened:
        await approve(opened)
        await delivery_batch(opened.house, opened.workspace)
        (file,) = (opened.house.settings.home / "outgoing" / "new").iterdir()
        assert b"DKIM-Signature" not in file.read_bytes()


def findings(line: Line, *records: str, name: str = NAME) -> list[tuple[str, str]]:
    """Return what doctor says about the signature with these records published."""
    settings = line.house.settings
    signing_zone = ZoneResolver({(name, "TXT"): list(records)} if records else {})
    organization = line.workspace.organization
    assert organization.dkim is not None
    found = check_key(settings, organization, organization.dkim, signing_zone)
    return [(one.status, one.sentence) for one in found]


async def test_doctor_compares_the_published_key(line: Line) -> None:
    """Published, another, several and none are told apart; folded base64 is the same key."""
    text = signing.build_dns_record(line.house.settings, DKIM)[1]
    other = Dkim(domain="teasel.example", selector="fern", key_file="other.pem")
    signing.make_key(line.house.settings, other)
    stranger = signing.build_dns_record(line.house.settings, other)[1]
    assert findings(line, text)[0][0] == "ok"
    assert findings(line, text.replace("p=", "p= ").replace("; ", ";"))[0][0] == "ok"
    for records in ((stranger,), (text, stranger), ()):
        assert findings(line, *records)[0][0] == "warn", records


@pytest.mark.parametrize(
    ("address", "domain", "aligned"),
    [
        ("help@teasel.example", "teasel.example", True),
        ("help@teasel.example", "mail.teasel.example", True),
        ("help@shop.teasel.example", "mail.teasel.example", True),
        ("help@Teasel.co.uk", "mail.teasel.co.uk", True),
        ("help@teasel.co.uk", "co.uk", False),
        ("help@teasel.example", "lookteasel.example", False),
        ("help@teasel.example", "other.example", False),
    ],
)
def test_a_signature_aligns_within_one_organization(
    address: str, domain: str, aligned: bool
) -> None:
    """RFC 7489 3.1.1, relaxed: a sibling and a subdomain too, a public suffix never."""
    organization = Organization(slug=SLUG, name="Teasel", addresses=(address,))
    dkim = Dkim(domain=domain, selector="moss", key_file="moss.pem")
    assert signing.is_aligned(organization, dkim) is aligned


def test_a_zone_line_has_strings_that_a_name_server_takes() -> None:
    """No string of the record is longer than 255 octets, and joined they are the record."""
    text = "v=DKIM1; k=rsa; p=" + "A" * 400
    line = signing.format_zone_line(NAME, text)
    strings = line.split('"')[1::2]
    assert max(map(len, strings)) <= 255
    assert "".join(strings) == text
    assert line.startswith(f"{NAME}. IN TXT (")


def test_of_two_who_make_a_key_at_once_one_makes_it(tmp_path: Path) -> None:
    """What both are told to publish is the key that stays."""
    settings = settings_in(tmp_path / "var")

    def make() -> tuple[bool, str]:
        is_new = signing.make_key(settings, DKIM)
        return is_new, signing.build_dns_record(settings, DKIM)[1]

    with ThreadPoolExecutor(4) as pool:
        answers = [future.result() for future in [pool.submit(make) for _ in range(4)]]
    assert sorted(is_new for is_new, _ in answers) == [False, False, False, True]
    assert len({record for _, record in answers}) == 1
