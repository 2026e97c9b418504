"""An organization's handling rules: sentences of people, compiled and matched."""
