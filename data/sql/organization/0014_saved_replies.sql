-- Saved replies that people keep in the window or over the API, beside those of the files.
CREATE TABLE kept_replies (
    id VARCHAR NOT NULL,
    -- Goes up with every change, so that nobody writes over what somebody else has just written.
    version INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    intent VARCHAR NOT NULL,
    categories VARCHAR[] NOT NULL,
    body VARCHAR NOT NULL,
    created_by VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    changed_by VARCHAR NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL,
    retired_by VARCHAR NOT NULL DEFAULT '',
    retired_at TIMESTAMPTZ
);
