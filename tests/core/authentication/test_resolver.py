"""The real resolver over a real socket, and the zone of the tests beside it."""

from collections.abc import Iterator

import pytest

from connectors import dns_resolver
from connectors.dns_lookups import Lookups
from connectors.dns_resolver import NoDnsAnswerError, RecordType, Resolver, SystemResolver
from tests.core.authentication.name_server import NameServer, name_server
from tests.core.authentication.zone import ZoneResolver

RECORDS = {
    ("quince.pear", "TXT"): ['"v=spf1 mx" " -all"', '"seven \\233"'],
    ("quince.pear", "MX"): ["10 mail.quince.pear.", "20 spare.quince.pear."],
    ("mail.quince.pear", "A"): ["192.0.2.17", "192.0.2.18"],
    ("mail.quince.pear", "AAAA"): ["2001:db8::17"],
    ("17.2.0.192.in-addr.arpa", "PTR"): ["mail.quince.pear."],
    ("long.pear", "TXT"): [" ".join(f'"{"x" * 200}"' for _ in range(5))],
}
SAME = {
    ("quince.pear", "TXT"): ["v=spf1 mx -all", "seven \u00e9"],
    ("quince.pear", "MX"): ["10 mail.quince.pear", "20 spare.quince.pear"],
    ("mail.quince.pear", "A"): ["192.0.2.17", "192.0.2.18"],
    ("mail.quince.pear", "AAAA"): ["2001:db8::17"],
    ("17.2.0.192.in-addr.arpa", "PTR"): ["mail.quince.pear"],
    ("long.pear", "TXT"): ["x" * 1000],
}


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        """Return the time, seconds."""
        return self.now


@pytest.fixture
def server() -> Iterator[NameServer]:
    """A name server with the records above."""
    with name_server(RECORDS) as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


def real(server: NameServer, clock: Clock | None = None) -> SystemResolver:
    """Return the real resolver, asking that server."""
    return SystemResolver(["127.0.0.1"], port=server.port, clock=clock or Clock())


@pytest.mark.parametrize("kind", ["system", "zone"])
@pytest.mark.parametrize("key", [*SAME, ("nothing.pear", "TXT"), ("mail.quince.pear", "MX")])
def test_both_resolvers_answer_alike(
    kind: str, key: tuple[str, RecordType], server: NameServer
) -> None:
    """Records come in one form from the real resolver and from the zone, absent ones as none."""
    resolver: Resolver = real(server) if kind == "system" else ZoneResolver(SAME)
    assert sorted(resolver.answers(*key, 60.0)) == sorted(SAME.get(key, []))
    assert resolver.refuses("quince.pear") == ""


@pytest.mark.parametrize("kind", ["system", "zone"])
def test_both_resolvers_say_when_they_do_not_know(kind: str, server: NameServer) -> None:
    """A silent name server is an error that may pass, never an empty answer."""
    server.silent.add("silent.pear")
    resolver: Resolver = (
        real(server) if kind == "system" else ZoneResolver(SAME, silent=["silent.pear"])
    )
    with pytest.raises(NoDnsAnswerError):
        resolver.answers("silent.pear", "TXT", 0.2)


def test_the_five_questions_have_their_types(server: NameServer) -> None:
    """TXT are octets, MX pairs, the others texts; the second time nobody is asked."""
    lookups = Lookups(real(server))
    assert sorted(lookups.txt("quince.pear")) == [b"seven \xe9", b"v=spf1 mx -all"]
    assert sorted(lookups.mx("quince.pear")) == [
        (10, "mail.quince.pear"),
        (20, "spare.quince.pear"),
    ]
    assert sorted(lookups.a("mail.quince.pear")) == ["192.0.2.17", "192.0.2.18"]
    assert lookups.aaaa("Mail.Quince.Pear.") == ("2001:db8::17",)
    assert lookups.ptr("17.2.0.192.in-addr.arpa") == ("mail.quince.pear",)
    lookups.txt("QUINCE.pear")
    assert lookups.count == len(server.asked) == 5


def test_answers_are_remembered_for_their_time(server: NameServer, clock: Clock) -> None:
    """A second message does not ask again before the record's time to live is over."""
    resolver = real(server, clock)
    for _ in range(3):
        resolver.answers("quince.pear", "TXT", 60.0)
        resolver.answers("nothing.pear", "TXT", 60.0)
    assert len(server.asked) == 2
    clock.now += 301
    resolver.answers("quince.pear", "TXT", 60.0)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    "name",
    ["quince.example", "a.INVALID", "x.test.", "localhost", "mail.local", "host.localdomain"],
)
def test_names_that_nobody_can_own_are_not_asked_about(name: str, server: NameServer) -> None:
    """Reserved names have no records, at once and without a question."""
    resolver = real(server)
    assert resolver.answers(name, "TXT", 60.0) == ()
    assert "RFC 2606" in resolver.refuses(name)
    assert server.asked == []


def test_names_that_the_dns_cannot_hold_have_no_records(server: NameServer) -> None:
    """A label too long, an empty one or a name too long is no error."""
    resolver = real(server)
    for name in ("x" * 64 + ".pear", "a..pear", ".".join(["x" * 60] * 5), "\u2603.pear"):
        assert resolver.answers(name, "TXT", 1.0) == ()


def test_after_three_silences_nothing_is_asked_for_a_minute(
    server: NameServer, clock: Clock
) -> None:
    """A dead resolver costs three waits a minute, not one for every message."""
    server.silent.add("*")
    resolver = real(server, clock)
    for number in range(3):
        assert resolver.refuses("quince.pear") == ""
        with pytest.raises(NoDnsAnswerError):
            resolver.answers(f"{number}.pear", "TXT", 0.1)
    assert resolver.refuses("quince.pear") == "no resolver answered"
    asked = len(server.asked)
    with pytest.raises(NoDnsAnswerError, match="no resolver answered"):
        resolver.answers("quince.pear", "TXT", 60.0)
    assert len(server.asked) == asked
    clock.now += 61
    server.silent.clear()
    assert len(resolver.answers("quince.pear", "TXT", 60.0)) == 2


def test_a_senders_dead_name_servers_do_not_silence_us(
    server: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the resolver answers a neutral question, others are still asked about."""
    monkeypatch.setattr(dns_resolver, "PROBE_SECONDS", 60.0)  # this one answers, busy as it may be
    server.silent.update(f"{number}.dead.pear" for number in range(6))
    resolver = real(server)
    for number in range(6):
        with pytest.raises(NoDnsAnswerError):
            resolver.answers(f"{number}.dead.pear", "TXT", 0.1)
    assert resolver.refuses("quince.pear") == ""
    assert len(resolver.answers("quince.pear", "TXT", 60.0)) == 2


def test_a_failing_name_server_is_no_answer(server: NameServer) -> None:
    """A server failure says nothing about the records, and does not count as silence."""
    server.failing.update(f"{number}.bad.pear" for number in range(5))
    resolver = real(server)
    for number in range(5):
        with pytest.raises(NoDnsAnswerError):
            resolver.answers(f"{number}.bad.pear", "TXT", 1.0)
    assert resolver.refuses("quince.pear") == ""


def test_a_machine_without_name_servers_asks_nobody() -> None:
    """No name server configured is a reason, at once."""
    resolver = SystemResolver([])
    assert resolver.refuses("quince.pear") == "no name server is configured"
    with pytest.raises(NoDnsAnswerError):
        resolver.answers("quince.pear", "TXT", 60.0)


def test_a_text_beyond_every_use_is_left_out() -> None:
    """A TXT record longer than any key or policy counts as absent."""
    words = " ".join(f'"{"x" * 250}"' for _ in range(20))
    with name_server({("huge.pear", "TXT"): [words]}) as server:
        assert real(server).answers("huge.pear", "TXT", 60.0) == ()


def test_one_message_has_a_budget_of_questions_and_of_time(clock: Clock) -> None:
    """Beyond the cap or the time limit nothing is asked, and nothing is known."""
    zone = ZoneResolver({})
    lookups = Lookups(zone, most=3, seconds=10, clock=clock)
    for number in range(3):
        lookups.txt(f"{number}.pear")
    with pytest.raises(NoDnsAnswerError, match="enough"):
        lookups.txt("3.pear")
    late = Lookups(zone, seconds=10, clock=clock)
    clock.now += 10
    with pytest.raises(NoDnsAnswerError, match="is over"):
        late.txt("0.pear")
    assert len(zone.asked) == 3


def test_the_reserved_names_hold_for_this_machine() -> None:
    """The resolver as the engine opens it refuses reserved names, with or without a network."""
    assert SystemResolver().refuses("quince.example")
