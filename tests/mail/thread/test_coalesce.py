"""When messages of one contact are worked on, and which together."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tasks.mail.coalesce import Burst, Pending, bursts

START = datetime(2024, 1, 2, tzinfo=UTC)


def message(name: str, second: float, *, contact: str = "ada", urgent: bool = False) -> Pending:
    """Return a message that came at a second after the start."""
    return Pending(
        message_id=name,
        contact_id=contact,
        thread_id=f"thread-of-{name}",
        received_at=START + timedelta(seconds=second),
        urgent=urgent,
    )


def due(
    pending: list[Pending], second: float, *, window: float = 30, windows: int = 5
) -> list[Burst]:
    """Return what is due at a second after the start."""
    return bursts(pending, START + timedelta(seconds=second), window, windows)


def test_burst_waits_for_quiet() -> None:
    """Nothing is due before the window has passed since the last message."""
    pending = [message("m1", 0), message("m2", 20)]
    assert due(pending, 49.9) == []
    assert due(pending, 50) == [Burst(contact_id="ada", message_ids=("m1", "m2"), reason="quiet")]


def test_burst_crosses_threads_but_not_contacts() -> None:
    """Messages are gathered by contact; each contact has a clock of its own."""
    pending = [message("b1", 1, contact="bob"), message("m1", 0), message("m2", 25)]
    (found,) = due(pending, 40)
    assert found == Burst(contact_id="bob", message_ids=("b1",), reason="quiet")


def test_order_is_that_of_arrival() -> None:
    """The ids come in the order of the messages, whatever order they are given in."""
    (found,) = due([message("m2", 5), message("m3", 5), message("m1", 0)], 60)
    assert found.message_ids == ("m1", "m2", "m3")


def test_endless_burst_is_cut() -> None:
    """After the most windows the burst is due though more keeps coming."""
    pending = [message(f"m{n:02}", n * 10) for n in range(16)]
    assert due(pending[:15], 149) == []
    (found,) = due(pending, 150)
    assert found.reason == "waited long enough"
    assert len(found.message_ids) == 16


def test_urgent_is_due_at_once_with_all_that_waits() -> None:
    """One urgent message takes the others of its contact along, earlier and later ones."""
    pending = [message("m1", 0), message("m2", 5, urgent=True), message("m3", 6)]
    assert due(pending, 6) == [
        Burst(contact_id="ada", message_ids=("m1", "m2", "m3"), reason="urgent")
    ]


def test_window_of_zero_makes_single_bursts() -> None:
    """Without a window every message is due at once and alone."""
    pending = [message("m1", 0), message("m2", 0, urgent=True)]
    assert due(pending, 0, window=0) == [
        Burst(contact_id="ada", message_ids=("m1",), reason="quiet"),
        Burst(contact_id="ada", message_ids=("m2",), reason="urgent"),
    ]


def test_longest_waiting_contact_comes_first() -> None:
    """Due bursts are in the order of their first messages."""
    pending = [message("b1", 5, contact="bob"), message("m1", 0)]
    assert [one.contact_id for one in due(pending, 100)] == ["ada", "bob"]


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 300), st.booleans()), max_size=12),
    st.integers(0, 400),
)
def test_every_message_is_in_at_most_one_burst_and_contacts_are_whole(
    spec: list[tuple[str, int, bool]], second: int
) -> None:
    """A contact's messages are due all together or not at all."""
    pending = [
        message(f"m{n}", at, contact=contact, urgent=urgent)
        for n, (contact, at, urgent) in enumerate(spec)
        if at <= second
    ]
    found = due(pending, second)
    for burst in found:
        mine = {one.message_id for one in pending if one.contact_id == burst.contact_id}
        assert set(burst.message_ids) == mine
        assert len(burst.message_ids) == len(mine)
