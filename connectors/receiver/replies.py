"""Replies that more than one file gives, and enhanced status codes (RFC 3463) for aiosmtpd's."""

LATER = "451 4.3.0 Local error, try again later"
STOPPING = "421 4.3.2 Service is shutting down"
TOO_MANY = "421 4.7.0 Too many connections, try again later"

_BY_REPLY = {"250 OK": "2.0.0", "220 Ready to start TLS": "2.0.0"}
_BY_CODE = {
    "221": "2.0.0",
    "500": "5.5.2",
    "501": "5.5.4",
    "502": "5.5.1",
    "503": "5.5.1",
    "504": "5.5.4",
    "552": "5.3.4",
    "555": "5.5.4",
}


def add_enhanced_code(reply: str) -> str:
    """Return a reply with an enhanced code, where RFC 2034 asks for one and it has none yet.

    `Error:`, which some begin with, reads as if something were broken here.
    """
    code, text = reply[:3], reply[4:]
    if text[:2] in {"2.", "4.", "5."} or reply[3:4] == "-":
        return reply
    detail = _BY_REPLY.get(reply) or _BY_CODE.get(code)
    return f"{code} {detail} {text.removeprefix('Error: ')}" if detail else reply
