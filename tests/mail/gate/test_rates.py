"""How many messages may come: per sender, per network and overall."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.receiver import Limits
from connectors.receiver.rates import Buckets, OwnLevels, Rates, rate_block
from connectors.receiver.shared_levels import SharedLevels
from tests.mail.gate.conftest import RunningReceiver, Wire

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]
SCARCE = {"rate_sender": 0.01, "rate_block": 0.01}
"""Messages a minute: what was used up does not come back while a test runs, however slow."""
STRICT = {"trusted_front_servers": (), **SCARCE}


def accepted(wire: Wire, sender: str, times: int) -> list[str]:
    """Begin a message so many times and return the codes of the answers to MAIL."""
    codes = []
    for _ in range(times):
        codes.append(wire.say(f"MAIL FROM:<{sender}>")[:9])
        wire.say("RSET")
    return codes


def test_sender_is_put_off_after_its_burst(start_receiver: Start, dial: Dial) -> None:
    """Twenty messages at once, then 450; other senders are not touched, tags do not help."""
    wire = dial(start_receiver(**STRICT).port)
    assert accepted(wire, "Ann@out.example", 20) == ["250 2.1.0"] * 20
    assert accepted(wire, "ann@OUT.example", 1) == ["450 4.7.1"]
    assert accepted(wire, "ann+x@out.example", 1) == ["450 4.7.1"]
    assert accepted(wire, "bob@out.example", 1) == ["250 2.1.0"]


def test_client_that_keeps_asking_is_sent_away(start_receiver: Start, dial: Dial) -> None:
    """After a hundred times of being put off the session ends."""
    wire = dial(start_receiver(rate_sender_burst=1, **STRICT).port)
    wire.say("MAIL FROM:<ann@out.example>")
    wire.say("RSET")
    answers = [wire.say("MAIL FROM:<ann@out.example>")[:3] for _ in range(99)]
    assert (set(answers[:-1]), answers[-1]) == ({"450"}, "421")


def test_network_is_put_off_after_its_burst(start_receiver: Start, dial: Dial) -> None:
    """All senders of one network share its allowance."""
    receiver = start_receiver(rate_block_burst=5, **STRICT)
    wire = dial(receiver.port)
    codes = [accepted(wire, f"s{n}@out.example", 1)[0] for n in range(7)]
    assert codes == ["250 2.1.0"] * 5 + ["450 4.7.1"] * 2


def test_trusted_peers_are_not_limited(start_receiver: Start, dial: Dial) -> None:
    """Loopback, where a front server and the demo are, has no limit by sender or network."""
    wire = dial(start_receiver().port)
    assert set(accepted(wire, "ann@out.example", 45)) == {"250 2.1.0"}


def test_senders_behind_a_front_server_can_be_limited(start_receiver: Start, dial: Dial) -> None:
    """With the setting a trusted peer's senders are counted, and its network still is not."""
    receiver = start_receiver(
        rate_trusted_senders=True, rate_sender_burst=2, rate_block_burst=3, **SCARCE
    )
    wire = dial(receiver.port)
    assert accepted(wire, "ann@out.example", 3) == ["250 2.1.0"] * 2 + ["450 4.7.1"]
    codes = [accepted(wire, f"s{n}@out.example", 1)[0] for n in range(6)]
    assert codes == ["250 2.1.0"] * 6


def test_overall_limit_holds_for_everybody(start_receiver: Start, dial: Dial) -> None:
    """The limit on all messages together is off by default, and 451 when it is set."""
    receiver = start_receiver(rate_overall=0.01, rate_overall_burst=2)
    wire = dial(receiver.port)
    codes = [accepted(wire, f"s{n}@out.example", 1)[0] for n in range(3)]
    assert codes == ["250 2.1.0"] * 2 + ["451 4.7.1"]


def test_size_limit_holds_for_trusted_peers(start_receiver: Start, dial: Dial) -> None:
    """Being trusted does not make a message smaller."""
    wire = dial(start_receiver(message_size_limit=5000).port)
    assert wire.say("MAIL FROM:<ann@out.example> SIZE=5001").startswith("552")


def test_tokens_come_back_with_time() -> None:
    """Ten a minute are one every six seconds, up to the burst."""
    buckets = Buckets(per_minute=10, burst=2)
    for now in (0.0, 0.0):
        assert buckets.has("k", now)
        buckets.take("k", now)
    assert not buckets.has("k", 5.9)
    assert buckets.has("k", 6.1)
    buckets.take("k", 6.1)
    assert not buckets.has("k", 11.0)
    assert buckets.has("k", 12.1)


@given(st.lists(st.floats(0, 30), max_size=200), st.integers(1, 5), st.integers(1, 60))
def test_no_more_than_burst_and_rate_ever_pass(
    pauses: list[float], burst: int, per_minute: int
) -> None:
    """However requests are spread, at most burst + rate x time of them are let through."""
    buckets = Buckets(per_minute=per_minute, burst=burst)
    now, passed = 0.0, 0
    for pause in pauses:
        now += pause
        if buckets.has("k", now):
            buckets.take("k", now)
            passed += 1
    assert passed <= burst + now * per_minute / 60 + 1e-6


def test_memory_of_buckets_is_bounded() -> None:
    """A million made-up senders leave no more than the cap, and the recent ones are kept."""
    levels = OwnLevels(100)
    buckets = Buckets(per_minute=1, burst=1, levels=levels)
    for number in range(5000):
        buckets.take(str(number), 0.0)
    assert len(levels) == 100
    assert not buckets.has("4999", 0.0)
    assert buckets.has("0", 0.0)


def test_shared_levels_are_bounded_and_keep_who_is_active() -> None:
    """Floods of made-up senders push the longest unused out first, never who sends meanwhile."""
    levels = SharedLevels(places=64)
    buckets = Buckets(per_minute=1, burst=1, levels=levels)
    for number in range(2000):
        buckets.take("active", float(number))
        buckets.take(f"made up {number}", float(number))
    assert len(levels) <= 64
    assert not buckets.has("active", 1999.0)
    assert buckets.has("never seen", 1999.0)
    levels.close()


def test_what_is_put_off_costs_nothing() -> None:
    """A message refused for its network does not use up what its sender may send."""
    limits = Limits(sender_burst=1, block_burst=1)
    rates = Rates(limits)
    assert rates.refusal("a@a.example", "b1", 0.0) == ""
    assert rates.refusal("b@a.example", "b1", 0.0).startswith("450")
    assert rates.refusal("b@a.example", "b2", 0.0) == ""


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_blocks(address: str, block: str) -> None:
    """IPv4 counts by /24, IPv6 by /64, and a mapped address as the IPv4 one it is."""
    assert rate_block(address) == block
