-- Why a message was stopped, whatever it was; what stood here before is about injection alone.
-- Both are empty in records that were kept before.
ALTER TABLE security_flags ADD COLUMN reason VARCHAR;
ALTER TABLE security_flags ADD COLUMN reason_content VARCHAR;
