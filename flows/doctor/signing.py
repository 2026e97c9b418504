"""What `postern doctor` finds out about the signatures of replies."""

from collections.abc import Iterator
from typing import Literal

from connectors.dns_resolver import Resolver, SystemResolver
from data.errors import PosternError
from data.records.core.organization import Dkim, Organization
from data.settings import Settings
from flows.mail.leaving import signing

Line = tuple[Literal["ok", "warn", "fail"], str, str]
"""Status, sentence, and what to do about it."""


def signing_findings(settings: Settings, resolver: Resolver | None = None) -> Iterator[Line]:
    """Look at the key of every organization that signs, and at what is published for it."""
    from flows.operating.engine_api import Engine
    from flows.operating.organizations import known_organizations

    with Engine.open(settings) as engine:
        known = known_organizations(engine)
    for organization in known:
        if organization.dkim is None:
            yield "ok", f"Replies of {organization.slug!r} are signed by the relay, if at all.", ""
        else:
            asked = resolver or SystemResolver()
            yield from findings_of(settings, organization, organization.dkim, asked)


def findings_of(
    settings: Settings, organization: Organization, dkim: Dkim, resolver: Resolver
) -> Iterator[Line]:
    """Look at one organization's key, and at what a resolver says about it."""
    try:
        published = signing.look_up(settings, dkim, resolver)
    except PosternError as error:
        yield "fail", f"{error}.", "Nothing can be approved for sending until then."
        return
    remedies = {
        "missing": "`postern dkim record` prints what to publish.",
        "differs": "Publish what `postern dkim record` prints, and nothing else there.",
        "unknown": "Look again where a resolver answers.",
    }
    good = published.state == "matches"
    yield "ok" if good else "warn", published.sentence, remedies.get(published.state, "")
    if not signing.is_aligned(organization, dkim):
        yield (
            "warn",
            f"{organization.addresses[0]} is not an address of {dkim.domain}: DMARC will not pass.",
            "Sign for the domain of the address.",
        )
