-- What colleagues write to each other beside a case or a conversation. It never leaves, and no draft
-- and no model is told of it. `case_id` is empty for a note on a conversation as such.
CREATE TABLE notes (
    id VARCHAR NOT NULL,
    thread_id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL DEFAULT '',
    text VARCHAR NOT NULL,
    mentions VARCHAR[] NOT NULL,
    author_id VARCHAR NOT NULL,
    written_by VARCHAR NOT NULL,
    written_at TIMESTAMPTZ NOT NULL
);
