"""Checks of outside services: model providers, spam filters, the relay, and the DNS of keys."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from connectors.dns_resolver import Resolver, SystemResolver
from data.errors import PosternError
from data.records.core.health import HealthFinding, HealthLevel
from data.records.core.organization import Dkim, Organization
from data.settings import Settings
from flows.health.filters import list_filters
from flows.health.outgoing import look_at_outgoing
from flows.mail.leaving import signing

REMEDIES = {
    "missing": "`postern dkim record` prints what to publish.",
    "differs": "Publish what `postern dkim record` prints, and nothing else there.",
    "unknown": "Look again where a resolver answers.",
}


def outside_findings(
    settings: Settings, organizations: Sequence[Organization]
) -> list[HealthFinding]:
    """Ask everybody outside that the settings and the organizations name; no mail goes.

    It may take as long as they take, and must run in a thread without an event loop.
    """
    checks: tuple[tuple[str, Callable[[], Iterator[HealthFinding]]], ...] = (
        ("models", lambda: check_models(settings)),
        ("filters", lambda: check_filters(settings)),
        ("relay", lambda: check_relay(settings)),
        ("signing", lambda: check_signing(settings, organizations)),
    )
    findings: list[HealthFinding] = []
    for name, check in checks:
        try:
            findings += list(check())
        except PosternError as error:
            findings.append(HealthFinding.of(name, "fail", f"{error}."))
    return findings


def check_models(settings: Settings) -> Iterator[HealthFinding]:
    """Ask the provider for each model by name, without any mail; nobody is asked without one."""
    if settings.llm_provider == "local":
        yield HealthFinding.of("models", "ok", "None: Postern thinks by itself, and asks nobody.")
        return
    from flows.mail.thinking import model_check

    for name, trouble, remedy in model_check.check_models(settings):
        status: HealthLevel = "fail" if trouble and remedy else "warn" if trouble else "ok"
        yield HealthFinding.of(f"model {name}", status, trouble or "Answers by name.", remedy)


def check_filters(settings: Settings) -> Iterator[HealthFinding]:
    """Ask each spam filter of others whether it is there, without any mail.

    Raises:
        SettingsError: an address is not valid.

    """
    for item in asyncio.run(list_filters(settings, ask=True)).items:
        name = f"filter {item.name}"
        if item.answers is False:
            remedy = "Mail is screened without its word until it answers."
            yield HealthFinding.of(name, "fail", item.trouble, remedy)
        elif item.answers:
            yield HealthFinding.of(name, "ok", "Answers.")


def check_relay(settings: Settings) -> Iterator[HealthFinding]:
    """Sign in to the server that takes approved replies, without any mail."""
    view = asyncio.run(look_at_outgoing(settings, ask=True))
    if view.answers is False:
        remedy = "Approved replies wait until it does; mend it under Settings, or where it is set."
        yield HealthFinding.of("relay", "fail", view.trouble, remedy)
    elif view.answers:
        yield HealthFinding.of("relay", "ok", f"{view.where} lets us in.")


def check_signing(
    settings: Settings, organizations: Sequence[Organization], resolver: Resolver | None = None
) -> Iterator[HealthFinding]:
    """Look at the key of every organization that signs, and at what is published for it."""
    for organization in organizations:
        if organization.dkim is None:
            yield HealthFinding.of(
                "signing",
                "ok",
                f"Replies of {organization.slug!r} are signed by the relay, if at all.",
            )
        else:
            asked = resolver or SystemResolver()
            yield from check_key(settings, organization, organization.dkim, asked)


def check_key(
    settings: Settings, organization: Organization, dkim: Dkim, resolver: Resolver
) -> Iterator[HealthFinding]:
    """Look at one organization's key, and at what a resolver says about it."""
    try:
        published = signing.compare_published(settings, dkim, resolver)
    except PosternError as error:
        remedy = "Nothing can be approved for sending until then."
        yield HealthFinding.of("signing", "fail", f"{error}.", remedy)
        return
    status: HealthLevel = "ok" if published.state == "matches" else "warn"
    remedy = REMEDIES.get(published.state, "")
    yield HealthFinding.of("signing", status, published.sentence, remedy)
    if not signing.is_aligned(organization, dkim):
        yield HealthFinding.of(
            "signing",
            "warn",
            f"{organization.addresses[0]} is not an address of {dkim.domain}: DMARC will not pass.",
            "Sign for the domain of the address.",
        )
