-- What plans carry out: tickets, tags, questions to owners, waits; what was learned from answers; and
-- the rules that people gave for handling mail.

CREATE TABLE tickets (
    id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    category VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    branch_id VARCHAR NOT NULL,
    thread_id VARCHAR NOT NULL,
    contact_email VARCHAR NOT NULL,
    duplicate_of VARCHAR NOT NULL DEFAULT '',
    reason VARCHAR NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ
);

-- What happened to a ticket, and what people say about it.
CREATE TABLE ticket_notes (
    id VARCHAR NOT NULL,
    ticket_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL
);

-- What an outside tracker is told, one row per note; written with it, sent afterwards.
CREATE TABLE ticket_pushes (
    id VARCHAR NOT NULL,
    ticket_id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    response VARCHAR NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE thread_tags (
    thread_id VARCHAR NOT NULL,
    tag VARCHAR NOT NULL,
    added_by VARCHAR NOT NULL,
    added_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE owner_questions (
    id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    branch_id VARCHAR NOT NULL,
    thread_id VARCHAR NOT NULL,
    contact_email VARCHAR NOT NULL,
    owner VARCHAR NOT NULL,
    question VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    asked_at TIMESTAMPTZ NOT NULL,
    remind_at TIMESTAMPTZ NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    reminded BOOLEAN NOT NULL DEFAULT false,
    answer VARCHAR NOT NULL DEFAULT '',
    answered_by VARCHAR NOT NULL DEFAULT '',
    answered_at TIMESTAMPTZ
);

-- Cases that sleep until a time.
CREATE TABLE waits (
    case_id VARCHAR NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    reason VARCHAR NOT NULL,
    ended_at TIMESTAMPTZ
);

-- Knowledge that came from an owner's answer; `sync` reads its own files and leaves this alone.
CREATE TABLE learned_entries (
    id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    trusted BOOLEAN NOT NULL DEFAULT false,
    created_by VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    confirmed_by VARCHAR NOT NULL DEFAULT '',
    confirmed_at TIMESTAMPTZ
);

CREATE TABLE handling_rules (
    id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    sentence VARCHAR NOT NULL,
    matcher VARCHAR NOT NULL,
    created_by VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    confirmed_by VARCHAR NOT NULL DEFAULT '',
    confirmed_at TIMESTAMPTZ,
    retired_by VARCHAR NOT NULL DEFAULT '',
    retired_at TIMESTAMPTZ
);
