"""Changing an organization's profile while its engine runs."""

import difflib

import yaml

from data.errors import ManifestError
from data.records.core.organization import Organization
from data.records.core.principals import Principal
from data.records.core.profiles import EditProfile
from data.store.core import audit, profiles
from flows.core.house import House
from flows.core.workspace import Workspace

SHOWN = 1500
"""Characters of a change that the audit log keeps."""


async def edit_profile(
    house: House, workspace: Workspace, order: EditProfile, principal: Principal
) -> Organization:
    """Store another profile, route its addresses, and work with it from the next batch on.

    Raises:
        ManifestError: a field cannot be used.
        ConflictError: an address is somebody else's, or the profile has changed meanwhile.

    """
    profile = check_organization(order.profile)
    if profile.slug != workspace.slug:
        raise ManifestError(f"the slug of {workspace.slug!r} names its folder and cannot change")
    before = await house.control.write(profiles.edit, profile, house.clock(), order.was)
    workspace.organization = profile.model_copy(update={"dkim": before.dkim})
    await house.publish_routes()
    changed = compare_profiles(before, workspace.organization)
    if changed:
        lines = [line for line in changed if line[:1] in "+-"]
        await workspace.db.write(
            audit.append,
            actor=principal.name,
            action="edit-organization",
            subject=f"organization:{workspace.slug}",
            detail="; ".join(lines)[:SHOWN],
            now=house.clock(),
        )
    return workspace.organization


def check_organization(organization: Organization) -> Organization:
    """Return the profile if every field can be used; the record has looked at some.

    Raises:
        ManifestError: one cannot; the sentence names it.

    """
    if not organization.name.strip():
        raise ManifestError("'name' is empty; letters need a name")
    if not organization.addresses:
        raise ManifestError("'addresses' is empty; name one address to answer for, at least")
    people = [person.email for person in organization.people]
    for address in (*organization.own_addresses, *people):
        local, at, domain = address.rpartition("@")
        plain = all(c.isprintable() and not c.isspace() and c not in "<>,;" for c in address)
        if not (local and at and domain and plain):
            raise ManifestError(f"{address!r} is no mail address; write it as name@domain")
    for field in ("addresses", "group_addresses"):
        lowered = [own_address.lower() for own_address in getattr(organization, field)]
        twice = sorted({text for text in lowered if lowered.count(text) > 1})
        if twice:
            raise ManifestError(f"{field!r} names {twice[0]!r} twice; once is enough")
    language = organization.language
    if not (language.isascii() and language.isalpha() and language.islower() and len(language) < 4):
        raise ManifestError(f"'language' {language!r} is no ISO 639-1 code; write e.g. en")
    return organization


def format_profile(organization: Organization) -> str:
    """Return the profile as `organization.yaml` holds it."""
    fields = organization.model_dump(mode="json", exclude={"slug", "dkim"})
    return str(yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=10_000))


def compare_profiles(before: Organization, after: Organization) -> list[str]:
    """Return what changes, as lines of a diff without its head; empty for nothing."""
    diff = difflib.unified_diff(
        format_profile(before).splitlines(), format_profile(after).splitlines(), lineterm="", n=1
    )
    return [line for line in diff if not line.startswith(("---", "+++", "@@"))]
