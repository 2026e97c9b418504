"""The profile of an organization that a person typed, as fields of a file and as `key=value`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from data.errors import ManifestError
from data.manifest_files import parse_yaml, read_text
from data.records.core.organization import Organization, Policy
from flows.core.administration.profiling import check_organization
from flows.operating.organization_folder import make_profile

ELSEWHERE = {"slug": "names the folder and cannot change", "dkim": "is set by `postern dkim set`"}


def wanted_profile(before: Organization, file: Path | None, given: Sequence[str]) -> Organization:
    """Return the profile with the fields of a YAML file, and with `key=value` on top.

    Raises:
        ManifestError: a field does not exist or cannot be used.

    """
    fields = parse_yaml(read_text(file), str(file)) if file else {}
    if fields.get("slug") == before.slug:
        del fields["slug"]  # as `postern organization show --json` has it
    if "dkim" in fields and fields["dkim"] == before.model_dump(mode="json")["dkim"]:
        del fields["dkim"]
    for field_given in given:
        key, equals, value = field_given.partition("=")
        if not equals:
            raise ManifestError(f"{field_given!r} is not key=value; write e.g. --set tone='Short.'")
        fields[key.strip()] = _value(key.strip(), value)
    for key in fields:
        _refuse_unknown_key(before, key)
    return check_organization(make_profile({**before.model_dump(mode="json"), **fields}))


def _refuse_unknown_key(before: Organization, key: str) -> None:
    if key in ELSEWHERE:
        raise ManifestError(f"{key!r} {ELSEWHERE[key]}")
    if key in Organization.model_fields:
        return
    if key in Policy.model_fields:
        raise ManifestError(
            f"{key!r} belongs to policy.yaml in the organization's folder 'sources'; change it "
            f"there, then `postern organization sync {before.slug}`"
        )
    there = ", ".join(name for name in Organization.model_fields if name not in ELSEWHERE)
    raise ManifestError(f"a profile has no {key!r}; it has {there}")


def _value(key: str, text: str) -> Any:  # noqa: ANN401  # a field's value
    if text.startswith("@") and key not in ("addresses", "people", "holidays"):
        try:
            return Path(text[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ManifestError(
                f"{key!r}: the file {text[1:]!r} cannot be read: {error}"
            ) from error
    if key == "addresses":
        return [part.strip() for part in text.split(",") if part.strip()]
    if key == "holidays":
        raise ManifestError("'holidays' have their own commands: `postern holiday add`, `import`")
    if key == "people":
        raise ManifestError("'people' are several fields each; write them into a file for --from")
    return text.replace("\\n", "\n")
