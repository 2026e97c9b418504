-- Cases that a person has put off: until when, and what ended it. A case is snoozed while it has a row
-- that has not ended; `until` is null where it waits for an answer alone.
CREATE TABLE snoozes (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    until TIMESTAMPTZ,
    snoozed_by VARCHAR NOT NULL,
    addressee VARCHAR NOT NULL,
    snoozed_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    ended_because VARCHAR NOT NULL DEFAULT ''
);
