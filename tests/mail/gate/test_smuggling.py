"""Nothing but CRLF.CRLF ends a message, however it is cut into packets."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.receiver.data import DataDecoder
from tests.mail.gate.conftest import RunningReceiver, Wire

FALSE_ENDS = [
    b"\n.\n",
    b"\n.\r\n",
    b"\r\n.\n",
    b"\r.\r",
    b"\r.\r\n",
    b"\r\n.\r",
    b"\n.\r",
    b"\r.\n",
    b"\r\n\x00.\r\n",
    b"\r\n.\x00\r\n",
    b"\r\r\n.\r\r\n",
    b"\r\n.\r\r\n",
    b"\r\n\r.\r\n",
    b"\n\n.\r\n",
    b"\r\n.\n\r\n",
    b"\r\n .\r\n",
]
SMUGGLED = b"MAIL FROM:<boss@bank.example>\r\nRCPT TO:<help@harbor.example>\r\nDATA\r\nevil\r\n"


def in_whole(data: bytes) -> list[bytes]:
    """Return one packet."""
    return [data]


def byte_by_byte(data: bytes) -> list[bytes]:
    """Return a packet for each byte."""
    return [data[at : at + 1] for at in range(len(data))]


def around_the_end(data: bytes) -> list[bytes]:
    """Return packets cut after every CR, LF and dot."""
    pieces, start = [], 0
    for at, byte in enumerate(data):
        if byte in b"\r\n.":
            pieces.append(data[start : at + 1])
            start = at + 1
    return [*pieces, data[start:]]


@pytest.mark.parametrize("cut", [in_whole, byte_by_byte, around_the_end])
@pytest.mark.parametrize("false_end", FALSE_ENDS, ids=repr)
def test_false_end_ends_nothing(false_end: bytes, cut: Callable[[bytes], list[bytes]]) -> None:
    """A false end of data stays content, and what follows it too."""
    decoder = DataDecoder()
    data = b"Subject: a\r\n\r\nbody" + false_end + SMUGGLED + b".\r\nQUIT\r\n"
    content = b"".join(decoder.feed(piece) for piece in cut(data) if not decoder.finished)
    assert decoder.finished
    assert content.endswith(b"DATA\r\nevil\r\n")
    assert decoder.bare_eol == (
        false_end not in {b"\r\n\x00.\r\n", b"\r\n.\x00\r\n", b"\r\n .\r\n"}
    )
    assert content.count(b"\r") == content.count(b"\n") == content.count(b"\r\n")


def test_false_ends_over_the_wire_give_one_message_each(
    receiver: RunningReceiver, dial: Callable[..., Wire]
) -> None:
    """The receiver stores one flagged message for each false end, and never the smuggled one."""
    for number, false_end in enumerate(FALSE_ENDS):
        wire = dial(receiver.port)
        wire.begin()
        pieces = around_the_end(b"Subject: %d\r\n\r\nbody" % number + false_end + SMUGGLED)
        for piece in pieces:
            wire.send(piece)
            time.sleep(0.0005)
        wire.send(b".\r\n")
        assert wire.reply().startswith("250")
    spool = receiver.spool
    envelopes = [spool.read(entry)[0] for entry in spool.list_waiting(100)]
    assert [envelope.mail_from for envelope in envelopes] == ["ann@out.example"] * len(FALSE_ENDS)
    flagged = sum(envelope.bare_eol for envelope in envelopes)
    print(f"{len(FALSE_ENDS)} false ends: {len(envelopes)} messages, {flagged} flagged, 0 smuggled")
    assert flagged == len(FALSE_ENDS) - 3


pieces_of_mail = st.lists(
    st.sampled_from([b"\r\n", b"\r", b"\n", b".", b"..", b"a", b"bc", b"\x00", b"\xff"]),
    max_size=40,
)


@given(pieces_of_mail, st.lists(st.integers(1, 6), min_size=1, max_size=60))
def test_decoding_does_not_depend_on_packets(tokens: list[bytes], sizes: list[int]) -> None:
    """Any message gives the same content, flag and rest, however it is cut."""
    data = b"".join(tokens) + b"\r\n.\r\nNOOP\r\n"
    whole = DataDecoder()
    expected = whole.feed(data)
    cut = DataDecoder()
    content, at, turn = b"", 0, 0
    while not cut.finished:
        size = sizes[turn % len(sizes)]
        content += cut.feed(data[at : at + size])
        at, turn = at + size, turn + 1
    assert content == expected
    assert cut.bare_eol == whole.bare_eol
    assert cut.rest + data[at:] == whole.rest


@given(st.lists(st.sampled_from([b".", b"..", b"a", b"", b".b", b"line"]), max_size=20))
def test_dot_stuffed_lines_come_back_as_they_were(lines: list[bytes]) -> None:
    """What a correct client sends, with dots doubled, is what is stored (RFC 5321 4.5.2)."""
    wire = b"".join((b"." + line if line.startswith(b".") else line) + b"\r\n" for line in lines)
    decoder = DataDecoder()
    assert decoder.feed(wire + b".\r\n") == b"".join(line + b"\r\n" for line in lines)
    assert decoder.finished
    assert not decoder.bare_eol


@given(st.lists(st.integers(0, 25), max_size=12), st.integers(1, 30))
def test_line_limit_does_not_depend_on_packets(lengths: list[int], size: int) -> None:
    """A line over the limit is found wherever the packets are cut, and no shorter one is."""
    data = b"".join(b"x" * length + b"\r\n" for length in lengths) + b".\r\n"
    decoder = DataDecoder(line_limit=20)
    for at in range(0, len(data), size):
        decoder.feed(data[at : at + size])
    assert decoder.finished
    assert decoder.too_long == any(length > 20 for length in lengths)


def test_endless_line_is_not_kept_in_memory() -> None:
    """Of a line without end the decoder holds back no more than four bytes."""
    decoder = DataDecoder()
    for _ in range(200):
        assert len(decoder.feed(b"x" * 10_000)) == 10_000
    assert decoder.too_long
    assert not decoder.finished
