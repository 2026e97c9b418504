-- When a task or an event was changed last, so that a yes from before does not change it otherwise.
ALTER TABLE calendar_events ADD COLUMN changed_at TIMESTAMPTZ;
ALTER TABLE tasks ADD COLUMN changed_at TIMESTAMPTZ;
