-- The flow run that a turn is shown in, as Prefect knows it, and the turns that are to be shown in one.
ALTER TABLE turns ADD COLUMN run_id VARCHAR DEFAULT '';

CREATE TABLE turns_to_show (turn_id VARCHAR NOT NULL);
