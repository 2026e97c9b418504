-- What threading compares, conversations that were joined, and what people arranged by hand.

ALTER TABLE threads ADD COLUMN merged_into VARCHAR;
ALTER TABLE threads ADD COLUMN arranged BOOLEAN DEFAULT false;
ALTER TABLE messages ADD COLUMN same_id_as VARCHAR;

-- One row per message that has a place in a conversation.
CREATE TABLE letterheads (
    item_id VARCHAR NOT NULL,
    message_id VARCHAR,
    sender VARCHAR NOT NULL,
    people VARCHAR[] NOT NULL,
    answers_to VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    said VARCHAR NOT NULL,
    trusted BOOLEAN NOT NULL,
    came_at TIMESTAMPTZ NOT NULL
);

-- The Message-IDs that messages name in In-Reply-To and References.
CREATE TABLE named_ids (
    item_id VARCHAR NOT NULL,
    message_id VARCHAR NOT NULL
);

-- Every joining, merge and split, with what it moved, so that it can be taken back.
CREATE TABLE thread_changes (
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    thread_id VARCHAR NOT NULL,
    other_id VARCHAR NOT NULL,
    moved VARCHAR NOT NULL,
    actor VARCHAR NOT NULL,
    note VARCHAR NOT NULL DEFAULT '',
    made_at TIMESTAMPTZ NOT NULL,
    undone_by VARCHAR,
    undone_at TIMESTAMPTZ
);

-- Messages from before this migration: what can be known of them from what was read.
INSERT INTO letterheads
SELECT m.id, m.message_id, m.sender_email,
       list_distinct(list_transform(
           list_concat(
               coalesce(s.output->>'$.mail.to[*].email', []),
               coalesce(s.output->>'$.mail.cc[*].email', [])),
           lambda address: lower(address))),
       coalesce(lower(s.output->>'$.mail.reply_to[0].email'), m.sender_email),
       t.normalized_subject, '', true, m.received_at
FROM messages m
JOIN threads t ON t.id = m.thread_id
JOIN steps s ON s.item_id = m.id AND s.stage = 'parse' AND s.status = 'done' AND NOT s.superseded;

INSERT INTO named_ids
SELECT item_id, named FROM (
    SELECT DISTINCT m.id AS item_id, unnest(list_append(
        coalesce(s.output->>'$.mail.references[*]', []), s.output->>'$.mail.in_reply_to')) AS named
    FROM messages m
    JOIN steps s ON s.item_id = m.id AND s.stage = 'parse' AND s.status = 'done'
         AND NOT s.superseded
    WHERE m.thread_id IS NOT NULL
)
WHERE named IS NOT NULL;
