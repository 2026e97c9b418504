"""How the engine runs: its processes, its clock, its loops, its houses."""
