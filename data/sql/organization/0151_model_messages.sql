-- What models were asked and what they answered: for each answered call what it added, as JSON, and
-- the call that it goes on from. The system prompt, which is the same for many, is kept once.

CREATE TABLE model_messages (
    call_id VARCHAR NOT NULL,
    follows VARCHAR,
    turn VARCHAR,
    item_id VARCHAR,
    sender VARCHAR,
    asked_at TIMESTAMPTZ NOT NULL,
    prompt VARCHAR NOT NULL DEFAULT '',
    messages VARCHAR NOT NULL
);

CREATE TABLE model_prompts (
    hash VARCHAR NOT NULL,
    text VARCHAR NOT NULL
);
