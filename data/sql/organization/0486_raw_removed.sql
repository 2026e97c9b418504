-- Whether retention has removed the raw bytes of a message, so that each night looks only at what has
-- become old since. Of mail that was removed before, the next night notes it.
ALTER TABLE messages ADD COLUMN raw_removed BOOLEAN DEFAULT false;
