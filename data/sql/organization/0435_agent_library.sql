-- The organization's own library for agents: templates and strategies, every wording of them kept.
CREATE TABLE library_entries (
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    content VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (kind, name, version)
);
