"""The engine's API for commands: over HTTP where an engine runs, else in this process."""

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import httpx
import orjson

from data.errors import ForbiddenError, OutsideTemporaryError
from data.refusals import refusal
from data.settings import Settings
from data.tls import verifier_for
from flows.operating.command_context import settings_of

if TYPE_CHECKING:
    import typer

TOKEN_FILE = "operator.token"  # noqa: S105  # the name of the file
LONG = 120.0
"""Seconds that an export may take."""


class Engine:
    """The API of these settings; every call raises a PosternError when it is refused.

    `transport` is what answers in the place of a running engine.
    """

    def __init__(
        self, settings: Settings, token: str, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.settings = settings
        self.token = token
        self.running = transport is None
        self._http = httpx.Client(
            base_url=settings.api_url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=httpx.Timeout(LONG, connect=2.0),
            trust_env=False,  # the engine is never behind a proxy of the environment
            verify=verifier_for(settings.api_url),
            transport=transport,
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

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """Return the running engine, else its API in this process; close it, or use it as `with`.

        Raises:
            ForbiddenError: what answers is not the engine of this home.

        """
        engine = cls.find(settings)
        if engine is not None:
            return engine
        from flows.operating.in_process import InProcess

        return cls(settings, operator_token(settings), InProcess(settings))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

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
        fields = {
            name: value if isinstance(value, list) else str(value) for name, value in query.items()
        }
        return self._ask("GET", path, params=fields).content

    def fetch_with(self, path: str, header: str, **query: int | str) -> tuple[bytes, str]:
        """Return what `path` answers, as it is, and one header, empty when there is none."""
        given = {name: str(value) for name, value in query.items()}
        response = self._ask("GET", path, params=given)
        return response.content, response.headers.get(header, "")

    def post(self, path: str, body: object) -> Any:  # noqa: ANN401  # JSON
        """Send `body` as JSON; return the answer, None when it is empty."""
        content = self._ask("POST", path, json=body).content
        return orjson.loads(content) if content else None

    def upload(self, path: str, content: bytes, **query: object) -> Any:  # noqa: ANN401  # JSON
        """Send a file as it is; return the answer."""
        fields = {name: str(value) for name, value in query.items()}
        return orjson.loads(self._ask("POST", path, params=fields, content=content).content)

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


def engine_of(ctx: "typer.Context") -> Engine:
    """Return the API that a command asks; it is closed when the command ends.

    Raises:
        ForbiddenError: what answers is not the engine of this home.

    """
    return ctx.find_root().with_resource(Engine.open(settings_of(ctx)))


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
