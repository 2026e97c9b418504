"""The running engine, asked over its HTTP API with the operator's token."""

from typing import Any, Self

import httpx
import orjson

from data.errors import ForbiddenError, OutsideTemporaryError
from data.refusals import refusal
from data.settings import Settings

TOKEN_FILE = "operator.token"  # noqa: S105  # the name of the file
LONG = 120.0
"""Seconds that an export may take."""


class Engine:
    """The engine of these settings; every call raises a PosternError when it is refused."""

    def __init__(self, settings: Settings, token: str) -> None:
        self.settings = settings
        self.token = token
        self._http = httpx.Client(
            base_url=settings.api_url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=httpx.Timeout(LONG, connect=2.0),
            trust_env=False,  # the engine is never behind a proxy of the environment
        )

    @classmethod
    def find(cls, settings: Settings) -> Self | None:
        """Return the engine when one answers at the API's address, else None.

        Raises:
            ForbiddenError: what answers is not the engine of this home.

        """
        engine = cls(settings, operator_token(settings))
        if not engine.answers("/healthz"):
            return None
        if not engine.token:
            raise ForbiddenError(
                f"something answers at {settings.api_url!r}, but {str(settings.home)!r} holds no "
                "operator token; is it the engine of another home? Set 'home' or 'api_port'"
            )
        return engine

    def answers(self, path: str) -> bool:
        """Return whether `path` is answered at all, within two seconds."""
        try:
            return self._http.get(path, timeout=2.0).status_code < 500
        except httpx.TransportError:
            return False

    def get(self, path: str, **query: object) -> Any:  # noqa: ANN401  # JSON
        """Return what `path` answers, read as JSON."""
        return orjson.loads(self.fetch(path, **query))

    def fetch(self, path: str, **query: object) -> bytes:
        """Return what `path` answers, as it is."""
        given = {
            name: value if isinstance(value, list) else str(value) for name, value in query.items()
        }
        return self._ask("GET", path, params=given).content

    def post(self, path: str, body: object) -> Any:  # noqa: ANN401  # JSON
        """Send `body` as JSON; return the answer, None when it is empty."""
        content = self._ask("POST", path, json=body).content
        return orjson.loads(content) if content else None

    def put(self, path: str, body: object) -> Any:  # noqa: ANN401  # JSON
        """Send `body` as JSON in the place of what was there; return the answer."""
        content = self._ask("PUT", path, json=body).content
        return orjson.loads(content) if content else None

    def delete(self, path: str, **query: str) -> None:
        """Have what `path` names removed."""
        self._ask("DELETE", path, params=query)

    def _ask(self, method: str, path: str, **given: Any) -> httpx.Response:  # noqa: ANN401
        try:
            response = self._http.request(method, path, **given)
        except httpx.TransportError as error:
            raise OutsideTemporaryError(
                f"the engine does not answer at {self.settings.api_url!r}; "
                "see that `postern up` runs"
            ) from error
        if response.status_code >= 400:
            raise refusal(response)
        return response


def operator_token(settings: Settings) -> str:
    """Return the token that the engine keeps for this machine's operator, empty when none."""
    path = settings.secrets / TOKEN_FILE
    try:
        return path.read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except PermissionError as error:
        raise ForbiddenError(
            f"{str(path)!r} may be read by its owner alone; run this as the user of the engine"
        ) from error
