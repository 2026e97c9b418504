"""`postern ingest` into a real spool, `postern send` to a real receiver."""

import signal
from pathlib import Path

import pytest

from connectors.spool import Spool
from data.records.core.envelope import Channel, Envelope
from data.settings import load_settings
from flows.cli.mail import ingesting
from tests.core.commands.fixtures import Run, start
from tests.mail.commands.letters import ORDER, PLAIN, mbox
from tests.mail.gate.conftest import wait_for_port


def spooled(home: Path) -> list[tuple[Envelope, bytes]]:
    """Return what waits in the spool, oldest first."""
    spool = Spool(home / "spool")
    return [spool.read(entry) for entry in spool.list_waiting(100)]


def test_every_form_of_stored_mail_is_taken_in(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """mbox, Maildir and single files go through the spool with their own senders."""
    (tmp_path / "old.mbox").write_bytes(mbox(PLAIN, ORDER))
    for folder in ("cur", "new", "tmp"):
        (tmp_path / "box" / folder).mkdir(parents=True)
    (tmp_path / "box" / "cur" / "1:2,S").write_bytes(PLAIN)
    (tmp_path / "one.eml").write_bytes(ORDER.replace(b"\n", b"\r\n"))
    taken = run("ingest", tmp_path / "old.mbox", tmp_path / "box", tmp_path / "one.eml")
    assert taken.exit_code == 0, taken.output
    assert "Took in 4 messages" in taken.output
    found = spooled(home)
    assert [envelope.mail_from for envelope, _ in found] == [
        "wilma@boats.example",
        "rudi@elsewhere.example",
        "wilma@boats.example",
        "rudi@elsewhere.example",
    ]
    assert {envelope.channel for envelope, _ in found} == {Channel.INGEST}
    assert {envelope.rcpt_to for envelope, _ in found} == {("help@harbor.example",)}
    assert found[0][1] == PLAIN.replace(b"\n", b"\r\n")


def test_mail_for_nobody_of_ours_goes_to_the_organization(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """A message that names no address of ours goes to the first one, or to the one given."""
    run("organization", "add", "lamps", "--address", "hi@lamps.example")
    letter = tmp_path / "a.eml"
    letter.write_bytes(PLAIN.replace(b"help@harbor", b"else@where"))
    assert run("ingest", letter, "--organization", "harbor").exit_code == 0
    assert run("ingest", letter, "--to", "hi@lamps.example").exit_code == 0
    recipients = [address for envelope, _ in spooled(home) for address in envelope.rcpt_to]
    assert recipients == ["help@harbor.example", "hi@lamps.example"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--to", "nobody@nowhere.example"), "'nobody@nowhere.example'"),
        (("--organization", "pirates"), "'pirates'"),
    ],
)
def test_an_unknown_recipient_is_refused_before_anything_is_taken(
    run: Run, home: Path, tmp_path: Path, organization: str, words: tuple[str, ...], told: str
) -> None:
    """Mail is never taken in for an address that nobody answers for."""
    (tmp_path / "a.eml").write_bytes(PLAIN)
    failed = run("ingest", tmp_path / "a.eml", *words)
    assert failed.exit_code == 1
    assert told in failed.output
    assert not (home / "spool").exists()


def test_what_is_too_large_is_named_and_the_rest_taken(
    run: Run, home: Path, tmp_path: Path, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message beyond the limit is left out by name; the command says so with its status."""
    monkeypatch.setenv("POSTERN_MESSAGE_SIZE_LIMIT", "2000")
    (tmp_path / "big.eml").write_bytes(PLAIN + b"x" * 3000)
    (tmp_path / "good.eml").write_bytes(ORDER)
    taken = run("ingest", tmp_path / "big.eml", tmp_path / "good.eml")
    assert taken.exit_code == 1
    assert "big.eml: larger than 'message_size_limit'" in taken.output
    assert len(spooled(home)) == 1


def test_a_full_spool_is_waited_for_once(
    run: Run, home: Path, tmp_path: Path, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When nothing moves any more the command ends, with the sentence, and does not begin anew."""
    monkeypatch.setenv("POSTERN_SPOOL_LIMIT", "1")
    clock = Clock()  # what is shown takes two minutes, or batches of a thousand messages
    monkeypatch.setattr(ingesting, "time", clock)
    monkeypatch.setattr(ingesting, "BATCH_MESSAGES", 1)
    for number in range(3):
        (tmp_path / f"{number}.eml").write_bytes(PLAIN)
    refused = run("ingest", *(tmp_path / f"{number}.eml" for number in range(3)))
    assert refused.exit_code == 1
    assert "'spool_limit' is reached" in refused.output
    assert len(spooled(home)) == 1
    assert clock.now < ingesting.PATIENCE * 1.5


class Clock:
    """A clock on which only sleeping takes time."""

    now = 0.0

    def monotonic(self) -> float:
        """Return the time that was slept."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def test_send_hands_files_to_the_receiver(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """What `send` reports as accepted lies in the receiver's spool; a refusal is told."""
    (tmp_path / "a.eml").write_bytes(PLAIN + b".a line that begins with a dot\n")
    receiver = start("receive", home=home)
    try:
        wait_for_port(load_settings(home=home).smtp_port)
        sent = run("send", tmp_path / "a.eml", "--to", "help@harbor.example", "--from", "")
        refused = run("send", tmp_path / "a.eml", "--to", "who@nowhere.example")
    finally:
        receiver.send_signal(signal.SIGTERM)
        receiver.communicate(timeout=100)
    assert receiver.returncode == 0
    assert sent.exit_code == 0, sent.output
    assert "1 accepted, 0 refused" in sent.output
    assert refused.exit_code == 1
    ((envelope, raw),) = spooled(home)
    assert envelope.mail_from == ""
    assert raw.endswith(b"\r\n.a line that begins with a dot\r\n")


def test_send_without_a_receiver_says_what_to_start(run: Run, tmp_path: Path) -> None:
    """Nobody listening is told per message, with what to do."""
    (tmp_path / "a.eml").write_bytes(PLAIN)
    failed = run("send", tmp_path / "a.eml", "--to", "help@harbor.example")
    assert failed.exit_code == 1
    assert "postern receive" in failed.output
