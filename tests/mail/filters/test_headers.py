"""What a front server's filter wrote is believed of trusted servers alone."""

import pytest

from data.records.core.envelope import Channel
from data.records.core.filters import FilterVerdict
from tasks.core.parse.parsing import parse
from tasks.core.screen.filter_headers import header_verdict
from tasks.core.screen.rules.other_filters import in_words, strength
from tests.core.small import letter
from tests.mail.filters.conftest import envelope

TRUSTED = ("192.0.2.0/24",)
ASSASSIN = "Yes, score=12.4 required=5.0 tests=BAYES_99,URIBL_BLACK=1.7 autolearn=no"
RSPAMD = (
    "default: True [9.10 / 15.00]; BAYES_SPAM(5.10)[100.00%]; R_DKIM_ALLOW(-0.20)[a.example:s=b]"
)


def verdict(
    trusted: tuple[str, ...] = TRUSTED, headers: tuple[tuple[str, str], ...] = (), **came: object
) -> FilterVerdict | None:
    """Return what is believed of a message with these fields."""
    raw = letter("Buy watches.")
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers).encode()
    return header_verdict(parse(lines + raw), envelope(**came), trusted)


def test_spamassassins_status_is_read() -> None:
    """Points, threshold and tests; the name says whose word it is."""
    found = verdict(headers=(("X-Spam-Status", ASSASSIN),))
    assert found is not None
    assert (found.spam, found.score, found.threshold) == (True, 12.4, 5.0)
    assert {one.name for one in found.symbols} == {"BAYES_99", "URIBL_BLACK"}
    assert found.filter == "the filter of 192.0.2.7"
    assert strength(found) == pytest.approx(0.8)
    assert "uribl black" in in_words(found)


def test_the_sentences_of_a_report_tell_what_its_tests_mean() -> None:
    """SpamAssassin writes them beside its status; without points the finding is a sentence too."""
    report = "* 3.5 BAYES_99 BODY: Bayes is sure of\r\n\t*      it\r\n\t* 1.7 URIBL_BLACK On a list"
    found = verdict(headers=(("X-Spam-Status", ASSASSIN), ("X-Spam-Report", report)))
    assert found is not None
    assert {one.name: one.words for one in found.symbols} == {
        "BAYES_99": "Bayes is sure of it",
        "URIBL_BLACK": "On a list",
    }
    flag = verdict(headers=(("X-Spam-Flag", "YES"),))
    assert flag is not None
    assert in_words(flag) == "the filter of 192.0.2.7 calls it spam"


def test_rspamds_result_is_read() -> None:
    """Its symbols with their points, those against the message first."""
    found = verdict(headers=(("X-Spamd-Result", RSPAMD), ("X-Spam", "Yes")))
    assert found is not None
    assert (found.spam, found.score) == (True, 9.1)
    assert found.symbols[0].name == "BAYES_SPAM"
    assert "r dkim allow" not in in_words(found)


@pytest.mark.parametrize(
    ("trusted", "came"),
    [
        ((), {}),
        (("198.51.100.0/24",), {}),
        (TRUSTED, {"peer": "203.0.113.4"}),
        (TRUSTED, {"peer": "", "channel": Channel.WEBHOOK}),
        (TRUSTED, {"peer": "", "channel": Channel.INGEST}),
    ],
)
def test_nobody_elses_fields_are_believed(
    trusted: tuple[str, ...], came: dict[str, object]
) -> None:
    """Off by default; from elsewhere, or through a file, anybody may have written them."""
    assert verdict(trusted, (("X-Spam-Status", ASSASSIN),), **came) is None


def test_a_forged_field_takes_nothing_away() -> None:
    """A sender's own *No* beside the server's *Yes*, above or below it, changes nothing."""
    no = ("X-Spam-Status", "No, score=-9.0 required=5.0 tests=ALL_TRUSTED")
    yes = ("X-Spam-Status", ASSASSIN)
    for headers in ((no, yes), (yes, no), (no, ("X-Spam-Flag", "YES"))):
        found = verdict(headers=headers)
        assert found is not None
        assert found.spam


@pytest.mark.parametrize(
    "value", ["", "Yes", "score=", "Yes, score=nan required=x", "tests=" + "A," * 20_000, "\x00=?"]
)
def test_odd_fields_do_no_harm(value: str) -> None:
    """They give a verdict without points, or none that says spam."""
    found = verdict(headers=(("X-Spam-Status", value.replace("\x00", "?")),))
    assert found is None or strength(found) <= 0.8
