-- Whether an agent worked by itself in a turn: with what its role permits, and no more than who set it going.
ALTER TABLE turns ADD COLUMN by_itself BOOLEAN DEFAULT false;
