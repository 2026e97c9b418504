-- Events that repeat: the rule (RFC 5545), the time zone in which it is meant, and what it leaves out.
ALTER TABLE calendar_events ADD COLUMN repeats VARCHAR DEFAULT '';
ALTER TABLE calendar_events ADD COLUMN repeats_in VARCHAR DEFAULT '';
ALTER TABLE calendar_events ADD COLUMN skipped TIMESTAMPTZ[] DEFAULT [];
