"""The store: DuckDB files behind one writing thread, and the mail archive beside them."""
