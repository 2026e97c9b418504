-- Knowledge that people keep in Postern: every wording of an entry once, the newest counts. `state`
-- says what becomes of it: 'kept' here, 'retired' (nothing rests on it), or 'file' (given back to the
-- file of the same name).
CREATE TABLE knowledge_versions (
    id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    entry VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    note VARCHAR NOT NULL DEFAULT '',
    written_at TIMESTAMPTZ NOT NULL
);
