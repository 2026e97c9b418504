"""Headers every mail program writes; they are checked elsewhere or say nothing to a model."""

# fmt: off
USUAL_HEADERS = frozenset(
    {
        "received", "return-path", "delivered-to", "from", "to", "cc", "bcc", "date",
        "message-id", "in-reply-to", "references", "mime-version", "subject", "sender",
        "reply-to", "content-transfer-encoding", "content-disposition", "dkim-signature",
        "arc-seal", "arc-message-signature", "arc-authentication-results",
        "authentication-results", "received-spf", "x-received", "x-google-dkim-signature",
        "x-gm-message-state", "x-google-smtp-source", "x-mailer", "user-agent", "list-id",
        "list-unsubscribe", "list-unsubscribe-post", "list-post", "list-help", "list-subscribe",
        "list-archive", "list-owner", "list-software", "precedence", "errors-to", "x-beenthere",
        "x-mailman-version", "x-originating-ip", "domainkey-signature", "autocrypt",
        "content-language", "thread-index", "thread-topic", "x-ms-has-attach",
        "x-ms-tnef-correlator", "auto-submitted", "x-spam-status", "x-spam-level",
        "x-spam-checker-version", "x-spam-flag", "lines", "x-uid", "status", "x-status",
        "x-keywords", "importance", "priority", "x-priority", "x-msmail-priority", "x-mimeole",
        "feedback-id", "x-ses-outgoing", "disposition-notification-to", "content-length",
        "envelope-to", "delivery-date", "x-sender", "x-accept-language", "x-egroups-return",
        "return-receipt-to",
    }
)
# fmt: on
