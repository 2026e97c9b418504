-- Messages that the full-text index does not hold yet. Their documents are searched here until it
-- does; an empty one has still to be written.
CREATE TABLE mail_to_index (
    item_id VARCHAR NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL,
    document VARCHAR NOT NULL DEFAULT ''
);

-- Messages from before this migration.
INSERT INTO mail_to_index
SELECT id, received_at, '' FROM messages WHERE status <> 'received' AND duplicate_of IS NULL;
