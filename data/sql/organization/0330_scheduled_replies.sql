-- Replies that leave at a moment that a person has chosen: when, who is told where they do not, and
-- since when they wait past it for mail to be read, and when their conversation was last looked at.
ALTER TABLE deliveries ADD COLUMN leaves_at TIMESTAMPTZ;
ALTER TABLE deliveries ADD COLUMN scheduled_by VARCHAR DEFAULT '';
ALTER TABLE deliveries ADD COLUMN held_at TIMESTAMPTZ;
ALTER TABLE deliveries ADD COLUMN cleared_at TIMESTAMPTZ;
