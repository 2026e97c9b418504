-- The state of one organization.
-- No primary keys on tables that change: DuckDB turns an update of a row with a list column into
-- delete-and-insert, which a unique index refuses within one transaction. All writes go through one
-- thread, and every insert is guarded by `NOT EXISTS`, which gives the same promise.

CREATE TABLE contacts (
    id VARCHAR NOT NULL,
    email VARCHAR NOT NULL,
    name VARCHAR NOT NULL DEFAULT '',
    company VARCHAR NOT NULL DEFAULT '',
    language VARCHAR NOT NULL DEFAULT '',
    notes VARCHAR NOT NULL DEFAULT '',
    blocked BOOLEAN NOT NULL DEFAULT false,
    first_seen_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE blocks (
    pattern VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    created_by VARCHAR NOT NULL
);

CREATE TABLE threads (
    id VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    normalized_subject VARCHAR NOT NULL,
    contact_id VARCHAR NOT NULL,
    contact_email VARCHAR NOT NULL,
    contact_name VARCHAR NOT NULL DEFAULT '',
    participants VARCHAR[] NOT NULL,
    status VARCHAR NOT NULL DEFAULT 'open',
    assignee VARCHAR,
    linked_to VARCHAR,
    message_count INTEGER NOT NULL DEFAULT 0,
    last_message_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE messages (
    id VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    channel VARCHAR NOT NULL,
    mail_from VARCHAR NOT NULL,
    rcpt_to VARCHAR[] NOT NULL,
    received_at TIMESTAMPTZ NOT NULL,
    bare_eol BOOLEAN NOT NULL DEFAULT false,
    envelope VARCHAR NOT NULL,
    content_key VARCHAR NOT NULL,
    raw_sha256 VARCHAR NOT NULL,
    size_bytes BIGINT NOT NULL,
    message_id VARCHAR,
    sender_email VARCHAR NOT NULL DEFAULT '',
    sender_name VARCHAR NOT NULL DEFAULT '',
    subject VARCHAR NOT NULL DEFAULT '',
    preview VARCHAR NOT NULL DEFAULT '',
    verdict VARCHAR,
    automated_kind VARCHAR NOT NULL DEFAULT 'none',
    urgent BOOLEAN NOT NULL DEFAULT false,
    attachments INTEGER NOT NULL DEFAULT 0,
    contact_id VARCHAR,
    thread_id VARCHAR,
    case_id VARCHAR,
    duplicate_of VARCHAR,
    note VARCHAR NOT NULL DEFAULT '',
    due_at TIMESTAMPTZ NOT NULL,
    released_by VARCHAR
);

CREATE TABLE cases (
    id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    contact_id VARCHAR NOT NULL,
    contact_email VARCHAR NOT NULL,
    contact_name VARCHAR NOT NULL DEFAULT '',
    thread_id VARCHAR NOT NULL,
    message_ids VARCHAR[] NOT NULL,
    subject VARCHAR NOT NULL,
    preview VARCHAR NOT NULL DEFAULT '',
    received_at TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    drafted_at TIMESTAMPTZ,
    burst_reason VARCHAR NOT NULL DEFAULT '',
    verdict VARCHAR NOT NULL DEFAULT 'clean',
    category VARCHAR,
    priority VARCHAR,
    sentiment VARCHAR,
    language VARCHAR NOT NULL DEFAULT 'und',
    confidence DOUBLE NOT NULL DEFAULT 0,
    quality DOUBLE NOT NULL DEFAULT 0,
    outcome VARCHAR,
    would_auto_send BOOLEAN NOT NULL DEFAULT false,
    has_draft BOOLEAN NOT NULL DEFAULT false,
    tier VARCHAR NOT NULL DEFAULT 'normal',
    assignee VARCHAR,
    superseded_by VARCHAR,
    note VARCHAR NOT NULL DEFAULT '',
    due_at TIMESTAMPTZ NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE branches (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    intent VARCHAR NOT NULL,
    plan VARCHAR,
    question VARCHAR NOT NULL DEFAULT ''
);

-- The journal: what is done is done, and how.
CREATE TABLE steps (
    item_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    superseded BOOLEAN NOT NULL DEFAULT false,
    input_hash VARCHAR NOT NULL DEFAULT '',
    config_version VARCHAR NOT NULL DEFAULT '',
    provider VARCHAR NOT NULL DEFAULT '',
    tokens_in INTEGER NOT NULL DEFAULT 0,
    tokens_out INTEGER NOT NULL DEFAULT 0,
    cost DOUBLE NOT NULL DEFAULT 0,
    milliseconds DOUBLE NOT NULL DEFAULT 0,
    output VARCHAR,
    error VARCHAR NOT NULL DEFAULT '',
    started_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE drafts (
    case_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    draft VARCHAR NOT NULL,
    checked VARCHAR,
    author VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE reviews (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    reviewer VARCHAR NOT NULL,
    action VARCHAR NOT NULL,
    reason VARCHAR,
    note VARCHAR NOT NULL DEFAULT '',
    edit_distance DOUBLE NOT NULL DEFAULT 0,
    decided_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE deliveries (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    mail_from VARCHAR NOT NULL,
    rcpt_to VARCHAR[] NOT NULL,
    message_id VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    response VARCHAR NOT NULL DEFAULT '',
    approved_by VARCHAR NOT NULL,
    automatic BOOLEAN NOT NULL DEFAULT false,
    created_at TIMESTAMPTZ NOT NULL,
    sent_at TIMESTAMPTZ
);

-- Our own Message-IDs, written before the first attempt, so that our mail is known when it comes back.
CREATE TABLE own_message_ids (
    message_id VARCHAR NOT NULL,
    thread_id VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE history (
    ref VARCHAR NOT NULL,
    contact_email VARCHAR NOT NULL,
    outbound BOOLEAN NOT NULL,
    occurred_at TIMESTAMPTZ NOT NULL,
    subject VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    message_id VARCHAR,
    in_reply_to VARCHAR,
    thread_id VARCHAR
);

-- Every move from one state to another, in the transaction that made it.
CREATE TABLE events (
    item_kind VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    actor VARCHAR NOT NULL,
    note VARCHAR NOT NULL DEFAULT '',
    occurred_at TIMESTAMPTZ NOT NULL
);

-- What people did, hash-chained (docs/design.md, Deciding and sending).
CREATE TABLE audit_events (
    sequence BIGINT NOT NULL,
    occurred_at TIMESTAMPTZ NOT NULL,
    actor VARCHAR NOT NULL,
    action VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    detail VARCHAR NOT NULL DEFAULT '',
    previous_hash VARCHAR NOT NULL,
    hash VARCHAR NOT NULL
);

CREATE TABLE notifications (
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    subject_id VARCHAR NOT NULL,
    sentence VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    seen_at TIMESTAMPTZ
);

-- What of each source table has been carried on (to contacts, history, the knowledge index).
CREATE TABLE taken (
    source VARCHAR NOT NULL,
    version VARCHAR NOT NULL
);

CREATE TABLE webhook_ids (
    webhook_id VARCHAR NOT NULL,
    seen_at TIMESTAMPTZ NOT NULL
);
