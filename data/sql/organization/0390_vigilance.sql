-- How long a letter was looked at before it was decided on (null: nobody said), and its words.
ALTER TABLE reviews ADD COLUMN looked_seconds DOUBLE;
ALTER TABLE reviews ADD COLUMN letter_words INTEGER;

-- Letters that were shown with a fault which Postern put there, to see whether it is seen. The case's own
-- draft is never changed; `draft` is what is shown in its place until somebody decides, or it is obsolete.
CREATE TABLE planted_faults (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    draft VARCHAR NOT NULL,
    wrong VARCHAR NOT NULL,
    correct VARCHAR NOT NULL,
    planted_at TIMESTAMPTZ NOT NULL,
    outcome VARCHAR NOT NULL DEFAULT '',
    ended_by VARCHAR NOT NULL DEFAULT '',
    ended_at TIMESTAMPTZ
);
