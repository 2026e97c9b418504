-- Mailboxes as people keep them in Postern: every wording once, the newest counts. `mailbox` never holds
-- the password. `removed` says that it was forgotten then; the wording is the last that it had.
CREATE TABLE mailbox_versions (
    name VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    removed BOOLEAN NOT NULL,
    mailbox VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    written_at TIMESTAMPTZ NOT NULL
);
