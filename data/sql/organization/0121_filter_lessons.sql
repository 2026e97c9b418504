-- What spam filters of others were told of people's decisions: each lesson once, and again when the
-- decision is another one.

CREATE TABLE filter_lessons (
    message_id VARCHAR NOT NULL,
    filter VARCHAR NOT NULL,
    spam BOOLEAN NOT NULL,
    refusal VARCHAR NOT NULL DEFAULT '',
    taught_at TIMESTAMPTZ NOT NULL
);
