"""The token by which our own mail is known when it comes back (header X-Loop)."""

import hashlib
import hmac


def make_token(message_id: str, secret: str) -> str:
    """Return `<digest of the Message-ID>.<signature>`, which nobody without the secret can make."""
    subject = hashlib.sha256(message_id.encode()).hexdigest()[:16]
    return f"{subject}.{_sign(subject, secret)}"


def is_own_token(token: str, secret: str) -> bool:
    """Whether we made this token."""
    subject, _, signature = token.strip().partition(".")
    return hmac.compare_digest(_sign(subject, secret).encode(), signature.encode())


def _sign(subject: str, secret: str) -> str:
    return hmac.new(secret.encode(), subject.encode(), hashlib.sha256).hexdigest()[:32]
