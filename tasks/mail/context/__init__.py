"""The stage *context*: what is relevant to a case, and what words are like others."""
