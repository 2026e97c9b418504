"""The policy: the built-in default under the organization's own file."""

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from data.errors import ManifestError
from data.lexicons.screen import read
from data.manifest_files import BUILT_IN, content_hash, parse_yaml, read_text, validate_values
from data.records.core.organization import Policy, WorkingHours
from data.records.core.understanding import Category, Priority


def load_policy(*files: Path, built_in: Path = BUILT_IN) -> Policy:
    """Merge the default policy with the organization's files, later ones winning.

    Mappings are merged key by key; lists and single values are replaced as a whole.

    Raises:
        ManifestError: a file is missing or not usable; names the file, the key and what to do.

    """
    return merge_policy(*((str(path), read_text(path)) for path in files), built_in=built_in)


def merge_policy(*texts: tuple[str, str], built_in: Path = BUILT_IN) -> Policy:
    """Merge the default policy with YAML texts given as (file name, text), as `load_policy` does.

    Raises:
        ManifestError: a text is not usable; names the file, the key and what to do.

    """
    default = built_in / "policies" / "default.yaml"
    merged: dict[str, object] = {}
    policy = Policy()
    for name, text in ((str(default), read_text(default)), *texts):
        values = parse_yaml(text, name)
        validate_values(Policy, values, name)  # by itself, so that an error names its file
        merged = _merge(merged, values)
        policy = validate_values(Policy, merged, name)
        _check_policy(policy, name)
    return policy


def _merge(under: dict[str, object], over: dict[str, object]) -> dict[str, object]:
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(value, dict) and isinstance(below, dict)
        merged[key] = _merge(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _check_policy(policy: Policy, name: str) -> None:
    """Refuse what is well-formed and cannot be meant."""
    if policy.flag_threshold > policy.quarantine_threshold:
        raise ManifestError(
            f"{name!r}: key 'flag_threshold' is above 'quarantine_threshold'; lower it"
        )
    _check_autonomy(policy, name)
    for language, greeting in policy.greeting.items():
        rest = greeting.replace("{name}", "").replace("{first_name}", "")
        if "{" in rest or "}" in rest:
            raise ManifestError(
                f"{name!r}: key 'greeting.{language}' has a placeholder other than {{name}} and "
                "{first_name}; use one of them"
            )
    for language, signature in policy.signature.items():
        if "{" in signature.replace("{organization}", ""):
            raise ManifestError(
                f"{name!r}: key 'signature.{language}' has a placeholder other than "
                "{organization}; use that one"
            )
    _check_prohibited(policy, name)
    _check_forwards(policy, name)
    _check_escalation(policy, name)
    if policy.working_hours is not None:
        _check_hours(policy.working_hours, name)


def _check_autonomy(policy: Policy, name: str) -> None:
    """Refuse a rule that names nothing, and two that name the same."""
    rules_named = [(rule.category, rule.intent, rule.priority) for rule in policy.autonomy_rules]
    for fields in rules_named:
        fields_text = ", ".join(field.value for field in fields if field is not None)
        if not fields_text:
            raise ManifestError(
                f"{name!r}: key 'autonomy_rules' has a rule for everything; "
                "give it a 'category', an 'intent' or a 'priority'"
            )
        if rules_named.count(fields) > 1:
            raise ManifestError(
                f"{name!r}: key 'autonomy_rules' has {fields_text!r} twice; keep one of them"
            )


def _check_escalation(policy: Policy, name: str) -> None:
    """Refuse keys that nothing ever leads to, and topics that lead to nobody."""
    fixed = {*Category, *Priority, "default"}
    for topic, terms in policy.topics.items():
        if topic in fixed:
            raise ManifestError(
                f"{name!r}: key 'topics.{topic}' is a category or priority; choose another name"
            )
        if not terms or any(len(term.strip()) < 2 for term in terms):
            raise ManifestError(
                f"{name!r}: key 'topics.{topic}' needs words of at least two letters"
            )
        if topic not in policy.escalation:
            raise ManifestError(
                f"{name!r}: key 'topics.{topic}' leads to nobody; name a person for it under "
                "'escalation'"
            )
    known_keys = sorted({*fixed, *policy.topics})
    for key in policy.escalation:
        if key not in known_keys:
            raise ManifestError(
                f"{name!r}: key 'escalation' has {key!r}, which means nothing; there are "
                f"{', '.join(known_keys)}; define your own under 'topics'"
            )


def _check_forwards(policy: Policy, name: str) -> None:
    for category, address in policy.forwards.items():
        if category not in set(Category):
            raise ManifestError(
                f"{name!r}: key 'forwards' has {category!r}, which is no category; "
                f"there are {', '.join(Category)}"
            )
        local, _, domain = address.rpartition("@")
        if not local or "." not in domain or address.split() != [address]:
            raise ManifestError(
                f"{name!r}: key 'forwards.{category}' is {address!r}, which is no address; "
                "write one as accounts@your.domain"
            )


def _check_prohibited(policy: Policy, name: str) -> None:
    known_terms = {*read("prohibited"), *policy.prohibited_terms}
    for category in policy.prohibited:
        if category not in known_terms:
            raise ManifestError(
                f"{name!r}: key 'prohibited' has {category!r}, which is no category; "
                f"there are {', '.join(sorted(known_terms))}; add your own under 'prohibited_terms'"
            )
    for category, terms in policy.prohibited_terms.items():
        if not terms or any(len(term.strip()) < 2 for term in terms):
            raise ManifestError(
                f"{name!r}: key 'prohibited_terms.{category}' needs words of at least two letters; "
                "give it some or take it out"
            )
        if category not in policy.prohibited:
            raise ManifestError(
                f"{name!r}: key 'prohibited_terms.{category}' is not listed under 'prohibited', "
                "so it would do nothing; list it there"
            )


def _check_hours(hours: WorkingHours, name: str) -> None:
    try:
        ZoneInfo(hours.timezone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ManifestError(
            f"{name!r}: key 'working_hours.timezone' is {hours.timezone!r}, which is no IANA "
            "zone; write for example Europe/Berlin"
        ) from error
    if not hours.days or not set(hours.days) <= set(range(1, 8)):
        raise ManifestError(
            f"{name!r}: key 'working_hours.days' needs weekdays from 1 (Monday) to 7 (Sunday)"
        )
    _check_span(hours.start, hours.end, name, "working_hours")
    days_differing = [weekday for other in hours.differing for weekday in other.days]
    for weekday in days_differing:
        if weekday not in hours.days or days_differing.count(weekday) > 1:
            raise ManifestError(
                f"{name!r}: key 'working_hours.differing' names {weekday}, which has to be one of "
                "'days', and to stand there once"
            )
    for place, day_hours in enumerate(hours.differing):
        _check_span(day_hours.start, day_hours.end, name, f"working_hours.differing.{place}")


def _check_span(start: str, end: str, name: str, where: str) -> None:
    """Refuse hours that are none, and an end that is not behind the start."""
    for key, value in (("start", start), ("end", end)):
        hour, colon, minute = value.partition(":")
        well_formed = len(value) == 5 and colon and hour.isdecimal() and minute.isdecimal()
        if not well_formed or int(hour) > 23 or int(minute) > 59:
            raise ManifestError(
                f"{name!r}: key '{where}.{key}' is {value!r}; write hours and minutes as in '08:30'"
            )
    if start >= end:
        raise ManifestError(f"{name!r}: key '{where}.start' is not before 'end'; mend it")


def policy_version(policy: Policy) -> str:
    """Return version and content hash of a policy, e.g. `1+52c0f3a91b7d`; for the journal."""
    return f"{policy.version}+{content_hash(policy.model_dump(mode='json'))}"
