-- Messages of a mailbox that its server has and did not give: the cursor stays before the first of
-- them, what lies beyond is read all the same, and they are asked for at each poll.

ALTER TABLE mailbox_folders ADD COLUMN read_to BIGINT DEFAULT 0;
ALTER TABLE mailbox_folders ADD COLUMN owed BIGINT[] DEFAULT [];
