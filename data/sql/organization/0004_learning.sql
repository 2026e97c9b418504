-- What people decided about mail, and what the organization learns from it. Nothing here is shared
-- between organizations: every one has its own file.

-- Decisions on single messages; the newest one that is not undone is what undo takes back.
CREATE TABLE guard_decisions (
    id VARCHAR NOT NULL,
    message_id VARCHAR NOT NULL,
    action VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    lesson BOOLEAN,
    blocked VARCHAR NOT NULL DEFAULT '',
    scope VARCHAR NOT NULL DEFAULT '',
    allowances VARCHAR[] NOT NULL,
    decided_by VARCHAR NOT NULL,
    decided_at TIMESTAMPTZ NOT NULL,
    undone_at TIMESTAMPTZ
);

-- Rules that do not count for a sender.
CREATE TABLE allowances (
    id VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    sender VARCHAR NOT NULL,
    message_id VARCHAR,
    created_by VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

-- Which examples a person gave; the tokens are kept so that a lesson can be taken back exactly.
CREATE TABLE spam_lessons (
    message_id VARCHAR NOT NULL,
    spam BOOLEAN NOT NULL,
    tokens INTEGER[] NOT NULL,
    taught_by VARCHAR NOT NULL,
    taught_at TIMESTAMPTZ NOT NULL
);

-- In how many examples each token stood. Tokens are hashes below 2^18, which bounds the table.
CREATE TABLE spam_counts (
    token INTEGER NOT NULL,
    spam INTEGER NOT NULL,
    ham INTEGER NOT NULL
);

-- How many examples there are, lessons that are too old to be taken back included.
CREATE TABLE spam_examples (
    spam INTEGER NOT NULL,
    ham INTEGER NOT NULL
);
INSERT INTO spam_examples VALUES (0, 0);

-- The record kept on a message that the screen stopped.
CREATE TABLE security_flags (
    message_id VARCHAR NOT NULL,
    injection_detected BOOLEAN NOT NULL,
    injection_type VARCHAR,
    confidence DOUBLE NOT NULL,
    flagged_content VARCHAR,
    scan_timestamp TIMESTAMPTZ NOT NULL
);
