-- How knowledge is used, what contradicts, and what was learned from the organization's own replies.

-- How often sent replies rested on an entry: one row per entry.
CREATE TABLE knowledge_usage (
    entry_id VARCHAR NOT NULL,
    used INTEGER NOT NULL,
    last_used_at TIMESTAMPTZ NOT NULL,
    last_case_id VARCHAR NOT NULL
);

-- What the last sync had to say about entries that do not fit together.
CREATE TABLE knowledge_warnings (
    sentence VARCHAR NOT NULL,
    entry_ids VARCHAR[] NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL
);

-- Whether it was looked at what a sent reply rests on and teaches.
ALTER TABLE deliveries ADD COLUMN learned BOOLEAN DEFAULT false;

ALTER TABLE learned_entries ADD COLUMN kind VARCHAR DEFAULT 'fact';
ALTER TABLE learned_entries ADD COLUMN origin VARCHAR DEFAULT 'answer';
ALTER TABLE learned_entries ADD COLUMN case_id VARCHAR DEFAULT '';
ALTER TABLE learned_entries ADD COLUMN public BOOLEAN DEFAULT true;
ALTER TABLE learned_entries ADD COLUMN significance DOUBLE DEFAULT 0.5;
ALTER TABLE learned_entries ADD COLUMN valid_until DATE;
ALTER TABLE learned_entries ADD COLUMN half_life_days INTEGER;
ALTER TABLE learned_entries ADD COLUMN supersedes VARCHAR[] DEFAULT [];
ALTER TABLE learned_entries ADD COLUMN rejected_by VARCHAR DEFAULT '';
ALTER TABLE learned_entries ADD COLUMN rejected_at TIMESTAMPTZ;
-- What the newest decision changed, as JSON, so that it can be taken back.
ALTER TABLE learned_entries ADD COLUMN before VARCHAR DEFAULT '';
