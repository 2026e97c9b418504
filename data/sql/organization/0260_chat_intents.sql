-- What plain questions are answered without a model where there is one, because a person said so; and
-- what would have been answered to them meanwhile, beside what the model said.
CREATE TABLE chat_intents (
    intent VARCHAR PRIMARY KEY,
    switched_on BOOLEAN NOT NULL,
    changed_by VARCHAR NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE chat_shadows (
    turn_id VARCHAR PRIMARY KEY,
    intent VARCHAR NOT NULL,
    would_say VARCHAR NOT NULL,
    said_at TIMESTAMPTZ NOT NULL
);
