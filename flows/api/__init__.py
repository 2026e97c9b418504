"""The engine's HTTP API: everything the review window needs, the webhook, health and metrics."""
