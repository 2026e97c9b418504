-- Answered cases that somebody wants to hear of again where no answer comes: within how many working
-- days of the reply, since when that runs, and what ended it. `due_at` is null until the reply has left.
-- What comes of it is a case of its own, which begins a letter to the same contact: `again_of`.
CREATE TABLE follow_ups (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    days INTEGER NOT NULL,
    due_at TIMESTAMPTZ,
    asked_by VARCHAR NOT NULL,
    addressee VARCHAR NOT NULL,
    asked_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    ended_because VARCHAR NOT NULL DEFAULT ''
);
ALTER TABLE cases ADD COLUMN again_of VARCHAR;
