"""The embedder that the settings ask for."""

from importlib.util import find_spec
from typing import Any

import numpy as np

from connectors.embedding.embedder import Embed, Embedder, LocalEmbedder
from connectors.embedding.http import OLLAMA, OPENAI, VOYAGE, HttpEmbedder, ServerForm
from data.errors import SettingsError
from data.server_addresses import check_server_address
from data.settings import Settings

SERVERS: dict[str, tuple[ServerForm, str, str]] = {
    "openai": (OPENAI, "https://api.openai.com/v1", "text-embedding-3-small"),
    "voyage": (VOYAGE, "https://api.voyageai.com/v1", "voyage-3.5"),
    "ollama": (OLLAMA, "http://127.0.0.1:11434", "nomic-embed-text"),
}
"""Form, address and model of each kind of server, where the settings do not say."""
KEYLESS = frozenset({"ollama"})


def embedder_from(settings: Settings, local: Embed) -> Embedder:
    """Return the embedder of `settings`; `local` is the function of the embedded one.

    Raises:
        SettingsError: a key or a package is missing; the sentence names it.

    """
    provider = settings.embedding_provider
    if provider == "local":
        return LocalEmbedder("local/2", local)
    if provider == "sentence-transformers":
        return _sentence_transformers(settings.embedding_model)
    form, address, model = SERVERS[provider]
    key = settings.embedding_api_key.get_secret_value()
    if not key and provider not in KEYLESS and not settings.embedding_base_url:
        raise SettingsError(
            f"setting 'embedding_provider' is {provider!r}, which needs a key; give it in "
            "POSTERN_EMBEDDING_API_KEY, or set 'embedding_provider' to 'local'"
        )
    if settings.embedding_base_url:
        check_server_address(
            "embedding_base_url",
            settings.embedding_base_url,
            settings.embedding_plain_http,
            "embedding_plain_http",
        )
    return HttpEmbedder(
        form,
        provider=provider,
        model=settings.embedding_model or model,
        base_url=settings.embedding_base_url or address,
        key=key,
        timeout=settings.embedding_seconds,
    )


def _sentence_transformers(model: str) -> Embedder:
    """Load a model of the package sentence-transformers, from a folder or its cache."""
    if find_spec("sentence_transformers") is None:
        raise SettingsError(
            "setting 'embedding_provider' is 'sentence-transformers', whose package is not "
            "installed; run: .venv/bin/uv pip install sentence-transformers"
        )
    import sentence_transformers  # type: ignore[import-not-found]  # seconds; only when asked for

    name = model or "sentence-transformers/all-MiniLM-L6-v2"
    loaded: Any = sentence_transformers.SentenceTransformer(name, device="cpu")

    def embed(texts: Any) -> Any:  # noqa: ANN401  # the package has no types
        return np.asarray(
            loaded.encode(list(texts), normalize_embeddings=True, show_progress_bar=False),
            dtype=np.float32,
        )

    return LocalEmbedder(f"sentence-transformers:{name}", embed)
