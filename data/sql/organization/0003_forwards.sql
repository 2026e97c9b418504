-- Messages on their way to endpoints (route mode `endpoint`); one row per message and URL.

CREATE TABLE forwards (
    id VARCHAR NOT NULL,
    message_id VARCHAR NOT NULL,
    rcpt_to VARCHAR[] NOT NULL,
    url VARCHAR NOT NULL,
    secret VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    http_status INTEGER,
    response VARCHAR NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ NOT NULL,
    delivered_at TIMESTAMPTZ
);
