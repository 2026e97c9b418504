"""The default policy with an organization's file over it."""

from pathlib import Path

import pytest

from data.errors import ManifestError
from data.manifest_files import parse_yaml
from data.policy_files import load_policy, policy_version
from data.records.core.organization import Mode
from data.records.core.understanding import Category


def policy_file(folder: Path, text: str) -> Path:
    """Write a policy file."""
    path = folder / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_lets_nothing_leave_by_itself() -> None:
    """Shadow mode, no category on auto-send, no link allowed."""
    policy = load_policy()
    assert policy.mode is Mode.SHADOW
    assert {rule.category for rule in policy.autonomy_rules} == set(Category)
    assert not any(rule.auto_send for rule in policy.autonomy_rules)
    assert policy.allowed_links == ()


def test_an_organizations_keys_win_one_by_one(tmp_path: Path) -> None:
    """Mappings are merged by key; what is not named keeps its default; lists are replaced."""
    path = policy_file(
        tmp_path,
        "version: 7\ncaps: {auto_sends_per_day: 3}\ngreeting: {en: 'Ahoy {name}!'}\n"
        "block_attachments: [zip]\n",
    )
    policy, default = load_policy(path), load_policy()
    assert policy.caps.auto_sends_per_day == 3
    assert policy.caps.replies_per_thread == default.caps.replies_per_thread
    assert policy.greeting["en"] == "Ahoy {name}!"
    assert policy.greeting.keys() - {"en"} == default.greeting.keys()
    assert policy.block_attachments == ("zip",)
    assert policy.mode is default.mode
    assert policy_version(policy).startswith("7+")
    assert policy_version(policy) != policy_version(default)


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    """A file of remarks alone changes nothing."""
    assert load_policy(policy_file(tmp_path, "# nothing yet\n")) == load_policy()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("confidence_treshold: 0.9", "'confidence_treshold'.*write 'confidence_threshold'"),
        ("caps: {auto_send_per_day: 9}", "'caps.auto_send_per_day'"),
        ("mode: lively", "'mode'.*'shadow', 'live' or 'off'"),
        ("undo_seconds: 999", "'undo_seconds'"),
        ("flag_threshold: 0.9", "'flag_threshold' is above"),
        ("prohibited: [gambing]", "'prohibited' has 'gambing'.*there are adult, drugs.*gambling"),
        ("prohibited: [ours]\nprohibited_terms: {ours: []}", "'prohibited_terms.ours' needs"),
        ("prohibited: [ours]\nprohibited_terms: {ours: ['x']}", "'prohibited_terms.ours' needs"),
        ("prohibited_terms: {ours: [raffle]}", "'prohibited_terms.ours' is not listed"),
        ("working_hours: {start: 17:30, end: 08:00}", "'working_hours.start' is not before"),
        ("working_hours: {start: '8'}", "'working_hours.start' is '8'"),
        ("working_hours: {timezone: Mars/North}", "'Mars/North'"),
        ("working_hours: {days: [0]}", "'working_hours.days'"),
        (
            "working_hours: {differing: [{days: [6], start: '09:00', end: '12:00'}]}",
            "'working_hours.differing' names 6",
        ),
        (
            "working_hours: {differing: [{days: [5], start: '09:00', end: '08:00'}]}",
            "'working_hours.differing.0.start' is not before",
        ),
        ("greeting: {fr: 'Bonjour {prenom},'}", "'greeting.fr'"),
        (
            "autonomy_rules: [{category: sales}, {category: sales, auto_send: true}]",
            "'sales' twice",
        ),
        ("mode: live\nmode: shadow", "line 2: key 'mode' comes twice"),
        ("- mode", "holds no settings"),
        ("mode: [", "not valid YAML at line"),
    ],
)
def test_a_wrong_policy_is_refused_with_a_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    """The error names the file and the key."""
    with pytest.raises(ManifestError, match=sentence) as caught:
        load_policy(policy_file(tmp_path, text))
    assert "policy.yaml" in str(caught.value)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    """A misspelled path must not quietly mean the default."""
    with pytest.raises(ManifestError, match="does not exist"):
        load_policy(tmp_path / "polcy.yaml")


def test_yaml_means_what_it_looks_like() -> None:
    """Norwegian is not false, half past five is not a number, a date stays text."""
    values = parse_yaml("a: no\nb: 17:30\nc: 2026-01-05\nd: true\ne: 0.5\nf: 12\ng:\nh: 010", "x")
    assert values == {
        "a": "no",
        "b": "17:30",
        "c": "2026-01-05",
        "d": True,
        "e": 0.5,
        "f": 12,
        "g": None,
        "h": "010",
    }


def test_yaml_makes_no_objects() -> None:
    """A tag that would build a Python object is refused."""
    with pytest.raises(ManifestError, match="not valid YAML"):
        parse_yaml("a: !!python/object/apply:os.getcwd []", "x")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mode: auto", "'mode' has to be 'shadow', 'live' or 'off'"),
        ("autonomy_rules: {support: true}", "'autonomy_rules' has to be a list"),
        ("undo_seconds: 500", "'undo_seconds' has to be at most 120"),
        ("working_hours: {start: 9}", "'working_hours.start' has to be text in quotes"),
        ("working_hours: always", "'working_hours' has to be a mapping of keys and values"),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(tmp_path: Path, text: str, told: str) -> None:
    """What a value has to be is said in words of the file, not of the library that reads it."""
    (tmp_path / "policy.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError) as error:
        load_policy(tmp_path / "policy.yaml")
    assert told in str(error.value)
