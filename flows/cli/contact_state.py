"""A contact's data: through the engine when it runs, else in the state itself."""

from data.records.mail.contacts import EraseContact, Erased, Holdings
from data.settings import Settings
from flows.cli.in_house import in_house
from flows.mail.people.contact_export import export_contact
from flows.mail.people.erasing import erase
from flows.mail.people.holdings import holdings
from flows.operating.control_state import organization_named
from flows.operating.engine_api import Engine
from flows.operating.given import command_line_principal


def held(settings: Settings, slug: str | None, addresses: list[str]) -> Holdings:
    """Return what is held on whoever has these addresses, counted.

    Raises:
        NotFoundError: there is no such organization.
        ManifestError: an address is none.

    """
    organization = organization_named(settings, slug)
    engine = Engine.find(settings)
    if engine is not None:
        content = engine.fetch(f"/v1/{organization.slug}/contact", address=addresses)
        return Holdings.model_validate_json(content)
    return in_house(settings, organization.slug, lambda h, w: holdings(h, w, addresses))


def exported(settings: Settings, slug: str | None, addresses: list[str]) -> bytes:
    """Return all of it as a zip; raises as `held`, and NotFoundError when there is nothing."""
    organization = organization_named(settings, slug)
    engine = Engine.find(settings)
    if engine is not None:
        return engine.fetch(f"/v1/{organization.slug}/contact/export", address=addresses)
    return in_house(settings, organization.slug, lambda h, w: export_contact(h, w, addresses))


def erased(settings: Settings, slug: str | None, given: EraseContact) -> Erased:
    """Erase all of it; raises as `flows.mail.people.erasing.erase`."""
    organization = organization_named(settings, slug)
    engine = Engine.find(settings)
    if engine is not None:
        path = f"/v1/{organization.slug}/contact/erase"
        return Erased.model_validate(engine.post(path, given.model_dump(mode="json")))
    operator = command_line_principal()
    return in_house(settings, organization.slug, lambda h, w: erase(h, w, given, operator))
