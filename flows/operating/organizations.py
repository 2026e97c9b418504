"""The organizations that there are, and the one that a command means."""

from data.errors import NotFoundError
from data.records.core.organization import Organization
from flows.operating.engine_api import Engine


def known_organizations(engine: Engine) -> list[Organization]:
    """Return every organization by slug.

    Raises:
        StoreError: no engine answers and the control state cannot be opened.

    """
    return [Organization.model_validate(item) for item in engine.get("/v1/organizations")]


def organization_named(engine: Engine, slug: str | None) -> Organization:
    """Return the organization of that slug; without one, the only one there is.

    Raises:
        NotFoundError: there is none, or there are several and no slug was given.

    """
    organization_by_slug = {item.slug: item for item in known_organizations(engine)}
    if not organization_by_slug:
        raise NotFoundError(no_organization())
    if slug is None and len(organization_by_slug) == 1:
        return next(iter(organization_by_slug.values()))
    if slug is None:
        raise NotFoundError(
            f"say which organization with --organization: {', '.join(organization_by_slug)}"
        )
    if slug not in organization_by_slug:
        raise NotFoundError(
            f"there is no organization {slug!r}; there are: {', '.join(organization_by_slug)}"
        )
    return organization_by_slug[slug]


def no_organization() -> str:
    """Return the sentence that says how to make the first organization."""
    return (
        "there is no organization yet; make one in the window, whose link `postern up` prints, or "
        "with `postern organization add SLUG --name NAME --address ADDRESS`, or look at the "
        "sample with `postern demo`"
    )
