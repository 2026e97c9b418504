-- Models are asked by the slug of an agent, in a turn of it and in somebody's name, where there are
-- such. A call counts for its sender and its message or case only where it is about mail. What a
-- call counts with against caps of tokens is reserved and settled like its cost.

CREATE TABLE model_calls_anew (
    id VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    turn VARCHAR,
    principal VARCHAR,
    item_id VARCHAR,
    sender VARCHAR,
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
    tokens BIGINT NOT NULL DEFAULT 0,
    cost DOUBLE NOT NULL DEFAULT 0,
    priced BOOLEAN NOT NULL DEFAULT true
);

INSERT INTO model_calls_anew
SELECT
    id,
    CASE task
        WHEN 'classify' THEN 'classifier'
        WHEN 'plan' THEN 'planner'
        WHEN 'draft' THEN 'drafter'
        WHEN 'summarize' THEN 'summarizer'
        WHEN 'extract' THEN 'extractor'
        ELSE task
    END,
    NULL, NULL, item_id, sender, provider, model, tier, attempt, started_at, milliseconds, outcome,
    tokens_in, cache_read, cache_write, tokens_out, tokens_in + tokens_out, cost, priced
FROM model_calls
ORDER BY id;

DROP TABLE model_calls;
ALTER TABLE model_calls_anew RENAME TO model_calls;

-- Caps that somebody has set; they take the place of those of the settings for the same scope,
-- unit and period. One without a limit lifts that of the settings.

CREATE TABLE caps (
    scope VARCHAR NOT NULL,
    subject VARCHAR NOT NULL DEFAULT '',
    unit VARCHAR NOT NULL,
    period VARCHAR NOT NULL,
    "limit" DOUBLE,
    set_by VARCHAR NOT NULL,
    set_at TIMESTAMPTZ NOT NULL
);
