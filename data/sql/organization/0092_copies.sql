-- Who gets a copy of a case's reply, as a person chose; NULL while nobody has and the policy's default counts.
ALTER TABLE cases ADD COLUMN cc VARCHAR[];
