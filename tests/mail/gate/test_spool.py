"""The spool: what was acknowledged can be read, what is damaged is set aside."""

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.spool import (
    Spool,
    SpoolBusyError,
    SpoolDamagedError,
    SpoolFullError,
    SpoolUnhealthyError,
)
from connectors.spool.failures import reply_for
from connectors.spool.ids import IdSource
from data.errors import NotFoundError, SpoolError
from data.records.core.envelope import Channel, Envelope

RAW = b"Subject: gadget\r\n\r\nno. 7\r\n"


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    """Return a new spool."""
    return Spool.create(tmp_path / "spool")


def put(spool: Spool, raw: bytes = RAW) -> Envelope:
    """Put one message from a made-up sender."""
    return spool.put(raw, channel=Channel.INGEST, mail_from="o@o.example", rcpt_to=["i@i.example"])


def test_a_message_comes_back_as_it_was_put(spool: Spool) -> None:
    """Envelope and bytes survive the way through the folder."""
    envelope = put(spool)
    (entry,) = spool.list_waiting(5)
    assert spool.read(entry) == (envelope, RAW)
    assert envelope.size_bytes == len(RAW)
    assert entry.path.stat().st_mode & 0o777 == 0o600


def test_done_messages_are_gone(spool: Spool) -> None:
    """What intake has committed does not come again, and saying so twice is no error."""
    envelope = put(spool)
    spool.aside.count_tries([envelope.spool_id])
    spool.done([envelope.spool_id])
    spool.done([envelope.spool_id])
    assert spool.waiting() == 0
    assert list(spool.tries.iterdir()) == []


def test_order_is_that_of_arrival(spool: Spool) -> None:
    """The list begins with the oldest and holds no more than was asked for."""
    ids = [put(spool).spool_id for _ in range(30)]
    assert [entry.spool_id for entry in spool.list_waiting(7)] == ids[:7]


def test_ids_rise_when_the_clock_steps_back() -> None:
    """A source that finds ids of the future goes on above them."""
    future = f"{time.time_ns() + 10**15:016x}" + "0" * 10
    source = IdSource([future])
    ids = [source.next() for _ in range(100)]
    assert ids == sorted(ids)
    assert ids[0] > future


def test_large_message_is_streamed(spool: Spool) -> None:
    """A message written in pieces and spilled to disk is as readable as a small one."""
    writer = spool.open_writer(
        channel=Channel.SMTP, mail_from="ö@ü.example", rcpt_to=["i@i.example"] * 100
    )
    pieces = [b"%06d\r\n" % number * 1000 for number in range(60)]
    for piece in pieces:
        writer.write(piece)
        if writer.full:
            writer.spill()
    assert len(list(spool.tmp.iterdir())) == 1
    writer.bare_eol = True
    envelope = spool.commit(writer)
    assert spool.read(spool.list_waiting(1)[0]) == (envelope, b"".join(pieces))
    assert envelope.bare_eol


def test_put_many_keeps_all(spool: Spool) -> None:
    """A group is stored whole and in order."""
    batch = [(b"n: %d\r\n\r\n" % n, "o@o.example", ("i@i.example",)) for n in range(50)]
    envelopes = spool.put_many(batch, channel=Channel.INGEST)
    assert [spool.read(entry)[1] for entry in spool.list_waiting(99)] == [
        raw for raw, _, _ in batch
    ]
    assert [entry.spool_id for entry in spool.list_waiting(99)] == [e.spool_id for e in envelopes]


@pytest.mark.parametrize(
    ("raw", "kept", "flag"),
    [
        (b"a: b\n\nc\n", b"a: b\r\n\r\nc\r\n", False),
        (b"a: b\r\n\r\nc\nd\r\n", b"a: b\r\n\r\nc\r\nd\r\n", True),
        (b"a: b\r\n\r\nc\rd\r\n", b"a: b\r\n\r\nc\r\nd\r\n", True),
    ],
)
def test_line_ends_become_crlf(spool: Spool, raw: bytes, kept: bytes, flag: bool) -> None:
    """Files with LF alone are normalized silently; a mixture is flagged."""
    envelope = put(spool, raw)
    assert spool.read(spool.list_waiting(1)[0])[1] == kept
    assert envelope.bare_eol is flag


@pytest.mark.parametrize("keep", [0, 1, 20, 200, -1, -2, -7])
def test_incomplete_file_is_set_aside(spool: Spool, keep: int) -> None:
    """A file cut at any place is never taken for a message, and the next one still is."""
    envelope = put(spool)
    path = spool.new / envelope.spool_id
    path.write_bytes(path.read_bytes()[:keep])
    put(spool, b"whole: yes\r\n\r\n")
    first, second = spool.list_waiting(2)
    with pytest.raises(SpoolDamagedError, match=envelope.spool_id):
        spool.read(first)
    assert [spool_id for spool_id, _ in spool.aside.list_reasons()] == [envelope.spool_id]
    assert spool.read(second)[1] == b"whole: yes\r\n\r\n"


def test_altered_file_is_set_aside(spool: Spool) -> None:
    """One changed byte is noticed by the hash."""
    envelope = put(spool)
    path = spool.new / envelope.spool_id
    path.write_bytes(path.read_bytes().replace(b"no. 7", b"no. 8"))
    with pytest.raises(SpoolDamagedError, match="hash"):
        spool.read(spool.list_waiting(1)[0])


def test_set_aside_keeps_reason_and_can_be_moved_back(spool: Spool) -> None:
    """A poisonous message leaves the queue with its reason; a person moves its file back."""
    envelope = put(spool)
    tries = [spool.aside.count_tries([envelope.spool_id]) for _ in range(3)]
    assert tries == [{envelope.spool_id: count} for count in (1, 2, 3)]
    spool.aside.put(envelope.spool_id, "killed its parser three times")
    assert spool.waiting() == 0
    assert spool.aside.list_reasons() == [(envelope.spool_id, "killed its parser three times")]
    (spool.bad / envelope.spool_id).rename(spool.new / envelope.spool_id)
    assert spool.aside.list_reasons() == []
    assert spool.read(spool.list_waiting(1)[0]) == (envelope, RAW)
    assert spool.aside.count_tries([envelope.spool_id]) == {envelope.spool_id: 1}


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "x" * 26, "0" * 25])
def test_foreign_names_are_no_ids(spool: Spool, name: str) -> None:
    """A name that is not an id of ours reaches no file."""
    with pytest.raises(NotFoundError):
        spool.aside.put(name, "never")


def test_a_message_set_aside_twice_keeps_its_reason(spool: Spool) -> None:
    """Who comes second finds it no longer waiting, and changes nothing."""
    name = put(spool).spool_id
    spool.aside.put(name, "damaged")
    with pytest.raises(NotFoundError):
        spool.aside.put(name, "too often tried")
    assert spool.aside.list_reasons() == [(name, "damaged")]


def test_missing_folder_is_refused(tmp_path: Path) -> None:
    """A spool that is not there, or lost its layout, is never taken for an empty one."""
    with pytest.raises(SpoolError, match="missing or incomplete"):
        Spool(tmp_path / "nowhere")
    (tmp_path / "unmounted").mkdir()
    with pytest.raises(SpoolError, match="missing or incomplete"):
        Spool.create(tmp_path / "unmounted")


def test_reading_a_message_that_is_gone(spool: Spool) -> None:
    """An entry that another has finished is said to be gone."""
    put(spool)
    (entry,) = spool.list_waiting(1)
    spool.done([entry.spool_id])
    with pytest.raises(NotFoundError):
        spool.read(entry)


def test_janitor_removes_old_leftovers_only(spool: Spool) -> None:
    """Temporary files older than an hour go, younger ones stay."""
    old, young = spool.tmp / "old", spool.tmp / "young"
    old.write_bytes(b"x")
    young.write_bytes(b"x")
    os.utime(old, (time.time() - 4000, time.time() - 4000))
    assert spool.recover() == 1
    assert [path.name for path in spool.tmp.iterdir()] == ["young"]


def test_janitor_goes_on_over_what_it_cannot_remove(spool: Spool) -> None:
    """A folder that somebody made there is left, and the old file beside it is not."""
    old = time.time() - 7200
    for path in (spool.tmp / "a-folder", spool.tries / "z-folder"):
        path.mkdir()
        os.utime(path, (old, old))
    leftover = spool.tries / "leftover"
    leftover.write_bytes(b"")
    os.utime(leftover, (old, old))
    assert spool.recover() == 1
    assert not leftover.exists()


def test_backlog_and_space_limits_are_temporary(tmp_path: Path) -> None:
    """Too many waiting and too little space are refused with their own 4xx replies."""
    crowded = Spool.create(tmp_path / "a", limit=1)
    put(crowded)
    with pytest.raises(SpoolBusyError) as busy:
        crowded.check()
    assert reply_for(busy.value).startswith("451 4.3.2")
    with pytest.raises(SpoolFullError) as full:
        Spool.create(tmp_path / "b", min_free_bytes=1 << 62).check()
    assert reply_for(full.value).startswith("452 4.3.1")


@pytest.fixture
def few_bytes_per_file() -> Iterator[None]:
    """Let this process write no file over 4 KiB: a real failing write, as of a broken disk."""
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_failed_write_makes_the_spool_refuse(spool: Spool, few_bytes_per_file: None) -> None:
    """After a failed write nothing is taken and nothing is left behind."""
    with pytest.raises(SpoolUnhealthyError):
        put(spool, b"x" * 10_000)
    with pytest.raises(SpoolUnhealthyError):
        put(spool, b"small\r\n")
    with pytest.raises(SpoolError):
        spool.check()
    assert spool.waiting() == 0
    assert list(spool.tmp.iterdir()) == []


def test_write_test_makes_the_spool_trusted_again(spool: Spool) -> None:
    """A spool that failed takes mail again once its disk has kept a whole test file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    import signal

    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
        with pytest.raises(SpoolUnhealthyError):
            put(spool, b"x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    spool.check()
    put(spool, b"x" * 10_000)
    assert spool.waiting() == 1


def test_abandoned_message_is_not_published(spool: Spool) -> None:
    """A commit for which nobody waits any more leaves no message."""
    writer = spool.open_writer(channel=Channel.SMTP, mail_from="", rcpt_to=["i@i.example"])
    writer.write(RAW)
    writer.abandoned = True
    with pytest.raises(SpoolError, match="too long"):
        spool.commit(writer)
    assert spool.waiting() == 0
    assert list(spool.tmp.iterdir()) == []
