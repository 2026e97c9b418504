-- Items of memory that say the same as another, which stands for them; what a person took apart stays so.
CREATE TABLE memory_joins (
    kept VARCHAR NOT NULL,
    joined VARCHAR NOT NULL,
    apart BOOLEAN NOT NULL,
    joined_at TIMESTAMPTZ NOT NULL
);
