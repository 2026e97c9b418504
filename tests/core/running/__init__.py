"""Processes of ours and Prefect: how they are started, looped and stopped."""
