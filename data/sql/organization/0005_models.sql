-- Calls of language models. A row is written before the call with the most it may cost, and settled
-- afterwards; a row that was never settled (the process died) keeps counting with that sum.

CREATE TABLE model_calls (
    id VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    sender VARCHAR NOT NULL,
    provider VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    tier VARCHAR NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 1,
    started_at TIMESTAMPTZ NOT NULL,
    milliseconds DOUBLE NOT NULL DEFAULT 0,
    outcome VARCHAR NOT NULL DEFAULT 'reserved',
    tokens_in BIGINT NOT NULL DEFAULT 0,
    cache_read BIGINT NOT NULL DEFAULT 0,
    cache_write BIGINT NOT NULL DEFAULT 0,
    tokens_out BIGINT NOT NULL DEFAULT 0,
    cost DOUBLE NOT NULL DEFAULT 0,
    priced BOOLEAN NOT NULL DEFAULT true
);
