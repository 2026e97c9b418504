-- The erasure of one contact's data: what is under way, so that one that was cut off is finished at
-- the next start. A row goes when its erasure is done; the audit log keeps that it was.

CREATE TABLE erasures (
    id VARCHAR NOT NULL,
    -- 'deleting' until the rows and files are gone, then 'rewriting' until their bytes are.
    state VARCHAR NOT NULL,
    -- Empty from 'rewriting' on: nothing but the fingerprint names the contact then.
    addresses VARCHAR[] NOT NULL,
    fingerprint VARCHAR NOT NULL,
    keep_learned BOOLEAN NOT NULL,
    asked_by VARCHAR NOT NULL,
    asked_at TIMESTAMPTZ NOT NULL,
    -- What the deleted rows named outside of this database, and has to be removed there.
    files VARCHAR NOT NULL DEFAULT '',
    result VARCHAR NOT NULL DEFAULT ''
);

-- Audit events whose words went with a contact's data: the sequence of the event of the erasure.
ALTER TABLE audit_events ADD COLUMN redacted_by BIGINT;
