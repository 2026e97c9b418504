"""Words by which days and spans of days are named."""
