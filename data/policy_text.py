"""Changing some keys of a policy's text, and leaving everything else in it as a person wrote it."""

from collections.abc import Mapping

import yaml

from data.errors import ManifestError
from data.manifest_files import parse_yaml
from data.records.core.organization import AutonomyRule
from data.records.core.policies import PolicyChange

KEPT_HERE = "the policy"
"""What errors call a text that is in no file."""


def changed_text(text: str, change: PolicyChange) -> str:
    """Return a policy's text with some keys set, and some left out; all others stay as they are.

    Raises:
        ManifestError: the text is no YAML, or does not say a key whose default is to count.

    """
    for key in change.defaults:
        text = _without_key(text, key)
    for key, value in _changed_values(change).items():
        text = _with_key(text, key, value)
    return text


def _changed_values(change: PolicyChange) -> dict[str, object]:
    """Return the keys that a change sets, as YAML holds them."""
    values: dict[str, object] = {}
    if change.mode is not None:
        values["mode"] = change.mode.value
    if change.confidence_threshold is not None:
        values["confidence_threshold"] = round(change.confidence_threshold, 4)
    if change.autonomy_rules is not None:
        values["autonomy_rules"] = [_rule_values(rule) for rule in change.autonomy_rules]
    if change.working_hours is not None:
        values["working_hours"] = change.working_hours.model_dump(
            mode="json", exclude=set() if change.working_hours.differing else {"differing"}
        )
    if change.service_levels is not None:
        values["service_levels"] = [
            level.model_dump(mode="json", exclude_none=True) for level in change.service_levels
        ]
    if change.planted_a_week is not None:
        values["planted_a_week"] = change.planted_a_week
    return values


def _rule_values(rule: AutonomyRule) -> dict[str, object]:
    """Return a rule as YAML holds it: only the fields that it says."""
    rule_fields = rule.model_dump(mode="json", exclude_none=True)
    if rule.threshold is not None:
        rule_fields["threshold"] = round(rule.threshold, 4)
    return rule_fields


def _with_key(text: str, key: str, value: object) -> str:
    """Return a text with one key of the outermost mapping set.

    The lines of the key are replaced, or come at the end. Where that gives something else than was
    meant (a mapping in braces, an anchor that went with the lines) the whole is written anew.
    """
    wanted_policy = {**parse_yaml(text, KEPT_HERE), key: value}
    lines = text.splitlines()
    first, last = _lines_of(lines, key)
    written_key = _as_yaml({key: value}).splitlines()
    edited = "\n".join((*lines[:first], *written_key, *lines[last:])) + "\n"
    return edited if _reads_as(edited, wanted_policy) else _as_yaml(wanted_policy)


def list_keys(text: str) -> tuple[str, ...]:
    """Return the keys that a policy's text says; of all others the defaults count.

    Raises:
        ManifestError: the text is no YAML.

    """
    return tuple(str(key) for key in parse_yaml(text, KEPT_HERE))


def _without_key(text: str, key: str) -> str:
    """Return a text that does not say a key of the outermost mapping."""
    policy_keys = parse_yaml(text, KEPT_HERE)
    if key not in policy_keys:
        raise ManifestError(
            f"the policy does not say {key!r}, so its default counts already; it says "
            f"{', '.join(map(str, policy_keys)) or 'nothing'}"
        )
    wanted_policy = {name: value for name, value in policy_keys.items() if name != key}
    lines = text.splitlines()
    first, last = _lines_of(lines, key)
    kept_lines = (*lines[:first], *lines[last:])
    edited = "\n".join(kept_lines) + ("\n" if kept_lines else "")
    if _reads_as(edited, wanted_policy):
        return edited
    return _as_yaml(wanted_policy) if wanted_policy else ""


def _lines_of(lines: list[str], key: str) -> tuple[int, int]:
    """Return the places of a key's first line and of the one behind its last.

    Both are behind the last line of the text for a key that is not there.
    """
    first = next(
        (place for place, line in enumerate(lines) if line.startswith((f"{key}:", f'"{key}":'))),
        len(lines),
    )
    last = min(first + 1, len(lines))
    while last < len(lines) and (lines[last][:1] in (" ", "\t", "-") or not lines[last].strip()):
        last += 1
    while last > first + 1 and not lines[last - 1].strip():  # blank lines belong to what follows
        last -= 1
    return first, last


def _reads_as(text: str, wanted_policy: Mapping[str, object]) -> bool:
    """Return whether a text, read as YAML, says exactly these keys and values."""
    try:
        return parse_yaml(text, KEPT_HERE) == wanted_policy
    except ManifestError:
        return False


def _as_yaml(values: Mapping[str, object]) -> str:
    """Return keys and values as YAML, in their order."""
    return str(yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=100))
