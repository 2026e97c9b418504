-- Parts of a case: each branch with its own draft, check and decision; and cases that were parted.

ALTER TABLE branches ADD COLUMN priority VARCHAR DEFAULT '';
ALTER TABLE branches ADD COLUMN draft VARCHAR;
ALTER TABLE branches ADD COLUMN checked VARCHAR;
ALTER TABLE branches ADD COLUMN decision VARCHAR;

-- The first case of those that answer parts of the same messages; null where one answers all.
ALTER TABLE cases ADD COLUMN part_of VARCHAR;
-- By message the sentences that another case answers, as JSON; empty where there are none.
ALTER TABLE cases ADD COLUMN left_out VARCHAR DEFAULT '';
