-- What agents remember: items in four layers, the words that each rests on, and what each was made from.
-- No primary keys: items are updated, and their index follows `revision`.
CREATE TABLE memories (
    id VARCHAR NOT NULL,
    layer VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    slot VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    replaces BOOLEAN NOT NULL,
    text VARCHAR NOT NULL,
    size INTEGER NOT NULL,
    spilled VARCHAR NOT NULL,
    context VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    significance DOUBLE NOT NULL,
    half_life_days INTEGER,
    state VARCHAR NOT NULL,
    asked_of VARCHAR NOT NULL,
    meant_for VARCHAR,
    corrected BOOLEAN NOT NULL,
    count INTEGER NOT NULL,
    agent VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    author_name VARCHAR NOT NULL,
    first_at TIMESTAMPTZ NOT NULL,
    last_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ,
    closed_by VARCHAR NOT NULL,
    revision BIGINT NOT NULL
);

CREATE TABLE memory_evidence (
    memory_id VARCHAR NOT NULL,
    words VARCHAR NOT NULL,
    said_by VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    turn_id VARCHAR NOT NULL,
    message_id VARCHAR NOT NULL,
    said_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE memory_lineage (
    memory_id VARCHAR NOT NULL,
    made_from VARCHAR NOT NULL
);

-- One row: the newest revision that any item has had, items that are gone included.
CREATE TABLE memory_revision (newest BIGINT NOT NULL);
INSERT INTO memory_revision VALUES (0);

-- One row: how what is picked up in chats is treated, by layer.
CREATE TABLE memory_policy (policy JSON NOT NULL);

-- What the organization says of itself to every agent, and what it refers to; each wording is kept.
CREATE TABLE business_profiles (
    version INTEGER NOT NULL,
    markdown VARCHAR NOT NULL,
    refers_to JSON NOT NULL,
    author VARCHAR NOT NULL,
    written_at TIMESTAMPTZ NOT NULL
);
