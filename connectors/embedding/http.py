"""Embedding servers: OpenAI-compatible, Ollama and Voyage, over HTTP with JSON.

Texts go out in batches, answers are checked for count, shape and finiteness, and vectors are
brought to unit length. One retry after a short wait where the server asks for it or fails; what
still fails is an `OutsideError`, and the index then searches by words alone.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np

from connectors.bounded_http import UNPACKED, BoundedBody, encode_headers
from connectors.embedding.embedder import Vectors
from data.errors import OutsidePermanentError, OutsideTemporaryError

BATCH = 64
"""Texts in one request."""
LONGEST_TEXT = 8_000
"""Characters of a text that are sent: about the 2,000 tokens that small models read."""
LARGEST = 64 << 20
"""Octets of an answer: 64 vectors of 8,192 numbers take some 13 million."""
LONGEST_WAIT = 5.0
"""The longest wait before the second attempt, seconds."""


@dataclass(frozen=True, kw_only=True)
class ServerForm:
    """How one kind of server is spoken to."""

    path: str
    """Path of the request under the base URL."""
    answer: str
    """Key of the answer's list: objects with `embedding`, or the vectors themselves."""
    kinds: bool = False
    """Whether the request says what the texts are for (`input_type`)."""


OPENAI = ServerForm(path="/embeddings", answer="data")
"""OpenAI's embeddings API, which vLLM, llama.cpp, LM Studio and others speak too."""
VOYAGE = ServerForm(path="/embeddings", answer="data", kinds=True)
"""Voyage's text embeddings API."""
OLLAMA = ServerForm(path="/api/embed", answer="embeddings")
"""Ollama's own API."""


class HttpEmbedder:
    """An embedder behind a server; use it from worker threads, for it blocks."""

    def __init__(
        self,
        form: ServerForm,
        *,
        provider: str,
        model: str,
        base_url: str,
        key: str,
        timeout: float,
    ) -> None:
        self.name = f"{provider}:{model}@{base_url}"
        self._form, self._model, self._place = form, model, f"{provider} at {base_url!r}"
        headers = encode_headers(
            {**UNPACKED, **({"authorization": f"Bearer {key}"} if key else {})}
        )
        self._seconds = timeout
        self._client = httpx.Client(
            base_url=base_url, headers=headers, timeout=timeout, trust_env=False
        )

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for what is searched; raises OutsideError."""
        return self._all(texts, "document")

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for what is asked; raises OutsideError."""
        return self._all(texts, "query")

    def _all(self, texts: Sequence[str], kind: str) -> Vectors:
        parts = [self._some(texts[at : at + BATCH], kind) for at in range(0, len(texts), BATCH)]
        if len({part.shape[1] for part in parts}) > 1:
            raise OutsideTemporaryError(
                f"{self._place} answered with vectors of different lengths; "
                "give it one model under the name of 'embedding_model'"
            )
        return np.vstack(parts) if parts else np.zeros((0, 0), dtype=np.float32)

    def _some(self, texts: Sequence[str], kind: str) -> Vectors:
        # An empty text is an error for most servers; what is asked with it does not matter.
        asked = [text[:LONGEST_TEXT].encode("utf-8", "replace").decode() or " " for text in texts]
        body: dict[str, object] = {"model": self._model, "input": asked}
        if self._form.kinds:
            body["input_type"] = kind
        answer = self._ask(body)
        vectors = self._vectors(answer, len(texts))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        return np.asarray(vectors / lengths, dtype=np.float32)

    def _ask(self, body: Mapping[str, Any]) -> Any:  # noqa: ANN401  # JSON is anything
        for last in (False, True):
            try:
                response = self._post(body)
            except httpx.HTTPError as error:  # the line, or an answer that cannot be unpacked
                if last:
                    raise OutsideTemporaryError(
                        f"{self._place} cannot be reached ({type(error).__name__}); "
                        "start it, or mend 'embedding_base_url'"
                    ) from error
                continue
            if response.status_code < 400:
                return _json(response, self._place)
            if response.status_code not in (408, 409, 429) and response.status_code < 500:
                raise OutsidePermanentError(
                    f"{self._place} refused the request with {response.status_code}; check "
                    "'embedding_model' and the key"
                )
            if not last:
                time.sleep(_wait(response))
        raise OutsideTemporaryError(f"{self._place} answered {response.status_code} twice")

    def _post(self, body: Mapping[str, Any]) -> httpx.Response:
        """Return the answer, read whole within the time limit, however slowly it drips."""
        until = time.monotonic() + self._seconds
        with self._client.stream("POST", self._form.path, json=body) as response:
            read = BoundedBody(response, LARGEST)
            for piece in response.iter_raw():
                if not read.add(piece) or time.monotonic() > until:
                    raise httpx.ReadTimeout("the answer takes too long or is too large")
            wait = response.headers.get("retry-after", "")
            return httpx.Response(
                response.status_code,
                headers={"retry-after": wait if wait.isascii() else ""},  # httpx gives no others
                content=read.whole(),
            )

    def _vectors(self, answer: Any, count: int) -> Vectors:  # noqa: ANN401
        try:
            vector_list = answer[self._form.answer]
            if self._form.answer == "data":
                vector_list = [
                    row["embedding"]
                    for row in sorted(vector_list, key=lambda row: row.get("index", 0))
                ]
            vectors = np.asarray(vector_list, dtype=np.float32)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise OutsideTemporaryError(
                f"{self._place} answered without vectors; is it an embedding model?"
            ) from error
        shaped = vectors.ndim == 2 and len(vectors) == count and vectors.shape[1] > 0
        if not shaped or not np.isfinite(vectors).all():
            raise OutsideTemporaryError(
                f"{self._place} answered {vectors.shape} for {count} texts; "
                "is 'embedding_model' an embedding model?"
            )
        return vectors


def _json(response: httpx.Response, place: str) -> Any:  # noqa: ANN401  # JSON is anything
    try:
        return response.json()
    except (ValueError, RecursionError) as error:
        raise OutsideTemporaryError(f"{place} answered with something else than JSON") from error


def _wait(response: httpx.Response) -> float:
    """Return how long the server wants us to wait, `LONGEST_WAIT` at most; seconds."""
    asked = response.headers.get("retry-after", "")
    return min(float(asked), LONGEST_WAIT) if asked.isdigit() else 0.5
