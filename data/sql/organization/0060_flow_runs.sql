-- The flow run that a step was made in, as Prefect knows it.
ALTER TABLE steps ADD COLUMN run_id VARCHAR DEFAULT '';
