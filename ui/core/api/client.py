"""The window's only door: the engine's HTTP API, answers as records."""

from collections.abc import Iterator
from typing import Any, Literal, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from data.records.core.record import Record
from data.records.mail.overview_views import Me
from data.refusals import EngineDownError, RefusedError, refusal
from data.tls import verifier_for

AnswerT = TypeVar("AnswerT", bound=BaseModel)
_LISTENING = 60.0
"""So long nothing may come of a turn, seconds: the engine sends a comment every fifteen."""
_USUAL, _LONG = (httpx.Timeout(seconds, connect=2.0) for seconds in (20.0, 300.0))
"""Seconds that an answer may take, and one that waits for others: a server, a model, all mail."""


class ApiClient:
    """Calls the engine on behalf of one token; safe to use from several threads.

    `transport` replaces the network, e.g. by `httpx.ASGITransport`'s synchronous kin in a test.
    """

    def __init__(
        self, base_url: str, token: str, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.base_url = base_url
        self._http = httpx.Client(
            base_url=base_url,
            headers={"Authorization": f"Bearer {token}"},
            timeout=_USUAL,
            transport=transport,
            # Browser sessions end without a word; a kept connection would stay open after them.
            limits=httpx.Limits(max_keepalive_connections=0),
            trust_env=False,  # the engine is never behind a proxy of the environment
            verify=verifier_for(base_url),
        )

    def me(self) -> Me:
        """Return who the token belongs to.

        Raises:
            SignedOutError: the token is not valid.
            EngineDownError: the engine does not answer.

        """
        return self.read(Me, "/v1/me")

    def read(self, answer: type[AnswerT], path: str, **query: object) -> AnswerT:
        """GET `path`; empty parameters are left out.

        Raises:
            PosternError: one of `data.refusals`.

        """
        parameters = {name: str(value) for name, value in query.items() if value not in (None, "")}
        return self._record(answer, self._send("GET", path, params=parameters))

    def read_if_new(
        self, answer: type[AnswerT], path: str, version: int | str, **query: int
    ) -> AnswerT | None:
        """GET `path`; None while what it names still has that version, or mark.

        Raises:
            PosternError: one of `data.refusals`.

        """
        parameters = {name: str(value) for name, value in query.items()} | {"seen": str(version)}
        response = self._send("GET", path, params=parameters)
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return None
        return self._record(answer, response)

    def fetch(self, path: str, *, is_long: bool = False) -> bytes:
        """GET `path` and return the bytes as they are.

        Raises:
            PosternError: one of `data.refusals`.

        """
        return self._send("GET", path, is_long=is_long).content

    def fetch_with(self, path: str, header: str, **query: int | str) -> tuple[bytes, str]:
        """GET `path`; return the bytes as they are and one header, empty when there is none.

        Raises:
            PosternError: one of `data.refusals`.

        """
        given = {name: str(value) for name, value in query.items()}
        response = self._send("GET", path, params=given)
        return response.content, response.headers.get(header, "")

    def act(
        self,
        answer: type[AnswerT],
        path: str,
        body: Record | dict[str, Any],
        method: Literal["POST", "PUT", "PATCH"] = "POST",
        *,
        is_long: bool = False,
    ) -> AnswerT:
        """Send `body`, a record or an object of JSON, to `path`.

        The answer to what `is_long` may take minutes.

        Raises:
            PosternError: one of `data.refusals`.

        """
        sent = body.model_dump(mode="json") if isinstance(body, Record) else body
        return self._record(answer, self._send(method, path, json=sent, is_long=is_long))

    def upload(
        self, answer: type[AnswerT], path: str, content: bytes, **query: int | str
    ) -> AnswerT:
        """POST a file to `path` as it is.

        Raises:
            PosternError: one of `data.refusals`.

        """
        parameters = {name: str(value) for name, value in query.items()}
        sent = self._send("POST", path, params=parameters, content=content)
        return self._record(answer, sent)

    def listen(self, path: str, patience: float | None = None) -> Iterator[str]:
        """GET the server-sent events of `path`, and yield the data of each as it comes.

        With `patience` it is over once nothing has come for so many seconds.

        Raises:
            PosternError: one of `data.refusals`.

        """
        try:
            timeout = httpx.Timeout(10.0, connect=2.0, read=patience or _LISTENING)
            with self._http.stream("GET", path, timeout=timeout) as response:
                if response.status_code >= 400:
                    response.read()
                    raise refusal(response)
                for line in response.iter_lines():
                    if line.startswith("data: "):
                        yield line.removeprefix("data: ")
        except httpx.TransportError as error:
            if patience is None or not isinstance(error, httpx.ReadTimeout):
                raise self._engine_down() from error

    def remove(self, path: str) -> None:
        """DELETE what `path` names.

        Raises:
            PosternError: one of `data.refusals`.

        """
        self._send("DELETE", path)

    def _send(
        self,
        method: str,
        path: str,
        params: dict[str, str] | None = None,
        json: object | None = None,
        content: bytes | None = None,
        *,
        is_long: bool = False,
    ) -> httpx.Response:
        timeout = _LONG if is_long else _USUAL
        try:
            response = self._http.request(
                method, path, params=params, json=json, content=content, timeout=timeout
            )
        except httpx.TransportError as error:
            raise self._engine_down() from error
        except httpx.DecodingError as error:
            raise self._no_engine() from error
        if response.status_code >= 400:
            raise refusal(response)
        if response.has_redirect_location:
            raise self._no_engine()
        return response

    def _record(self, answer: type[AnswerT], response: httpx.Response) -> AnswerT:
        """Return what the engine said; something else may answer in its place, or an older one."""
        try:
            return answer.model_validate_json(response.content)
        except ValidationError as error:
            raise self._no_engine() from error

    def _no_engine(self) -> RefusedError:
        return RefusedError(
            f"what answers at {self.base_url!r} is no engine of this version; see that the window "
            "has the address of the engine, and that both were started anew after an update"
        )

    def _engine_down(self) -> EngineDownError:
        return EngineDownError(
            f"the engine does not answer at {self.base_url!r}; see that `postern up` runs"
        )
