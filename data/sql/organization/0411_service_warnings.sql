-- Of which targets people were told, and that they were near or broken: each once.
CREATE TABLE service_warnings (
    case_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    said VARCHAR NOT NULL,
    told_at TIMESTAMPTZ NOT NULL
);
