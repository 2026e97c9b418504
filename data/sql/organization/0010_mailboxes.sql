-- Mailboxes that are read over IMAP: where each folder stands, what became of each message, and
-- how the last poll went. No password and no text of a mail is in here.

CREATE TABLE mailbox_folders (
    account VARCHAR NOT NULL,
    folder VARCHAR NOT NULL,
    uidvalidity BIGINT NOT NULL,
    last_uid BIGINT NOT NULL,
    backlog_end BIGINT NOT NULL,
    cutoff VARCHAR NOT NULL DEFAULT '',
    advanced_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE mailbox_messages (
    account VARCHAR NOT NULL,
    folder VARCHAR NOT NULL,
    uidvalidity BIGINT NOT NULL,
    uid BIGINT NOT NULL,
    outcome VARCHAR NOT NULL,
    spool_id VARCHAR NOT NULL DEFAULT '',
    sha256 VARCHAR NOT NULL DEFAULT '',
    size_bytes BIGINT NOT NULL DEFAULT 0,
    note VARCHAR NOT NULL DEFAULT '',
    seen_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE mailbox_polls (
    account VARCHAR NOT NULL,
    polled_at TIMESTAMPTZ NOT NULL,
    succeeded_at TIMESTAMPTZ,
    error VARCHAR NOT NULL DEFAULT '',
    failures INTEGER NOT NULL DEFAULT 0
);
