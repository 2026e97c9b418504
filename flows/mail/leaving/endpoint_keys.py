"""The keys that sign what is forwarded to endpoints: files that only the owner may read."""

from pathlib import Path

from connectors import disk
from connectors.bounded_http import EndpointForbiddenError
from connectors.endpoint import EndpointClient
from data.errors import ManifestError
from data.records.core.organization import Route, RouteMode
from data.settings import Settings
from data.store.core.control import make_keys
from flows.core.credentials import locate_key_file, read_key_file


def folder(settings: Settings) -> Path:
    """Return where the keys are."""
    return settings.secrets / "endpoints"


def read_key(settings: Settings, name: str) -> str:
    """Return the key of that name, `whsec_…`.

    Raises:
        SettingsError: there is no such file, or it cannot be read.
        ManifestError: the name is not valid.

    """
    return read_key_file(
        locate_key_file(folder(settings), name), "put it there, or set the route again"
    )


def make_key(settings: Settings, name: str) -> Path:
    """Make the key of that name unless it is there; return its file.

    Raises:
        ManifestError: the name is not valid.

    """
    path = locate_key_file(folder(settings), name)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        disk.write_durably(path.parent, path.name, make_keys().webhook_secret.encode() + b"\n")
    return path


def complete_route(settings: Settings, route: Route) -> Route:
    """Return a route as it is to be stored, with the name of its key where it is an endpoint's.

    The key is named after the organization when no name is given, and made when it is missing.

    Raises:
        ManifestError: the URL is missing or cannot be called, or the mode takes none.

    """
    if route.mode is not RouteMode.ENDPOINT:
        if route.url or route.secret:
            raise ManifestError(
                f"a route with mode {str(route.mode)!r} takes no URL and no key; "
                "use mode 'endpoint', or leave them out"
            )
        return route
    if not route.url:
        raise ManifestError(
            f"the route {route.pattern!r} with mode 'endpoint' needs a URL to forward to; give one"
        )
    try:
        EndpointClient(allow_private=settings.endpoint_allow_private).split_allowed_url(route.url)
    except EndpointForbiddenError as error:
        raise ManifestError(str(error)) from error
    name = route.secret or route.organization
    make_key(settings, name)
    return route.model_copy(update={"secret": name})
