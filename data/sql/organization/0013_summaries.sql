-- What a model made of the older part of a conversation: one row for what one contact may see of it.
CREATE TABLE thread_summaries (
    thread_id VARCHAR NOT NULL,
    contact_email VARCHAR NOT NULL,
    -- Hash over the pieces that were shortened: another piece, another version.
    version VARCHAR NOT NULL,
    -- Shorter texts by the piece's reference, as JSON.
    texts VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    made_at TIMESTAMPTZ NOT NULL
);
