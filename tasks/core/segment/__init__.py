"""The stage *segment*: whose words a body holds."""
