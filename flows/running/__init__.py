"""The running of the engine: its processes, its clock, its loops, its houses."""
